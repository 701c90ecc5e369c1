/**
 * Anyone who runs a server chooses its name, so a word that is added to the name lets no held action go: random words at the servers of the
 * golden cases and of the events on which each rule fires. Names of shells and languages are among the words: a server that is called
 * after one may run what it is given, and what the tool is called by itself counts as well.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { crc32 } from 'node:zlib';
import type { AgentEvent } from '../../src/events/event.ts';
import type { JsonObject } from '../../src/lang/json.ts';
import { seededNumbers } from '../../src/lang/seeded.ts';
import { fallOf } from '../support/additions.ts';
import { asEvent, knowledge, scoreOf } from '../support/knowledge.ts';
import { rounds } from '../support/rounds.ts';

const FOLDER = resolve(import.meta.dirname, '../../corpus/scoring');
/** What another seed finds is mended, or said in docs/security.md and listed below. */
const FIRST_SEED = Number(process.env['TEST_SEED'] ?? 1);
const SEEDS = Array.from({ length: 2 * rounds(1) }, (_, n) => FIRST_SEED + n);
const WORDS = [
  ...[
    'contacts',
    'calendar',
    'email',
    'files',
    'shop',
    'travel',
    'payments',
    'users',
    'notes',
    'workspace',
    'crm',
    'github',
  ],
  ...['shell', 'bash', 'terminal', 'powershell', 'cmd', 'python', 'sql'],
  ...['search', 'weather', 'official', 'tools', 'messages', 'bank', 'sandbox', 'test', 'hr', 'internal', 'prod', 'v2'],
];

interface Base {
  name: string;
  event: AgentEvent;
  policy?: JsonObject;
}

function bases(): Base[] {
  const golden = readdirSync(FOLDER).flatMap(
    (file) => (JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as { cases: Base[] }).cases,
  );
  const fired = knowledge.rules.flatMap(({ document }) => document.examples.fires as unknown as Base[]);
  return [...golden, ...fired].map((base) => ({ ...base, event: asEvent(base.event) }));
}

/** With a word behind the name of the server that the context or else the action names; null where neither names one. */
function withWord(event: AgentEvent, word: string): AgentEvent | null {
  const named = event.mcp_context?.server_name ?? '';
  if (named === '' && !event.action.startsWith('mcp:')) return null;
  return { ...event, mcp_context: { ...event.mcp_context, server_name: named === '' ? word : `${named}_${word}` } };
}

const HELD = 61;

/** Known falls: the word names the domain of the request, which relates the act to it (docs/security.md). Base → words. */
const KNOWN: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['mcp:airflow:clear_dag for «Update the README with t» {"dag": "all"}: held', new Set(['github'])],
]);

test('a word in the name of a server lets no held action go', () => {
  let held = 0;
  const falls: string[] = [];
  for (const { name, event, policy = {} } of bases())
    for (const seed of SEEDS) {
      // Drawn by the name of the event: a golden case that is added changes nothing for the others.
      const random = seededNumbers(crc32(`${seed} ${name}`));
      const word = WORDS[Math.floor(random() * WORDS.length)]!;
      const renamed = withWord(event, word);
      const before = renamed === null ? null : scoreOf(event, policy);
      if (renamed === null || before === null || before.score < HELD) continue;
      held += 1;
      const after = scoreOf(renamed, policy);
      if (after.score < HELD && !KNOWN.get(name)?.has(word))
        falls.push(`seed ${seed}, ${name}, ${word}: ${fallOf(before, after)}`);
    }
  assert.ok(held > 100, `only ${held} were held`);
  assert.deepEqual(falls, []);
});
