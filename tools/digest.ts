/**
 * Prints one hash over every assessment that this version makes of the corpus, of the rules' own examples and, where
 * `../shared` (or SHARED_DIR) is there, of the labelled actions: `npm run digest [-- --out FILE]`.
 *
 * A change that must not change behaviour leaves `decisions` as it was: scores, components, findings with their premises,
 * flags, articles, confidence. `sentences` covers what people read in addition: reasoning, violations, mitigations.
 * `with past` is the same of every reading, scored once more with a past.
 * `--out` writes one JSON line per assessment, so that `diff` shows which event changed and how.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { loadKnowledge } from '../src/engine/knowledge/knowledge.ts';
import { readEvent } from '../src/events/read-event.ts';
import type { Json, JsonObject } from '../src/lang/json.ts';
import type { Clock } from '../src/platform/clock.ts';
import { openInput } from '../src/platform/terminal/input.ts';
import { MAX_LINE_BYTES, parseLine } from '../src/platform/terminal/read-record.ts';
import { compilePolicy } from '../src/scoring/policy/policy.ts';
import { read } from '../src/scoring/score.ts';
import type { Assessment, History } from '../src/scoring/types.ts';
import { readLabelled } from './evaluation/labelled.ts';

interface Sample {
  id: string;
  event: Json;
  policy?: JsonObject;
  is_outline?: boolean;
}

const ROOT = resolve(import.meta.dirname, '..');
const SHARED = process.env['SHARED_DIR'] ?? join(ROOT, '../shared');
/** An event without a timestamp takes place on a working day at noon: a run tomorrow must equal a run today. */
const NOON: Clock = { now: () => Date.UTC(2026, 0, 14, 12), ticks: () => 0 };

const knowledge = await loadKnowledge();

const readCorpus = <T>(path: string): T => JSON.parse(readFileSync(join(ROOT, 'corpus', path), 'utf8')) as T;

function* scoringCorpus(): Generator<Sample> {
  for (const file of readdirSync(join(ROOT, 'corpus/scoring')).sort()) {
    const { cases } = readCorpus<{ cases: { name: string; event: Json; policy?: JsonObject }[] }>(`scoring/${file}`);
    for (const { name, ...sample } of cases) yield { id: `${file}: ${name}`, ...sample };
  }
}

/** Pieces of code become the parameter of an action that runs them. */
function* contentCorpus(): Generator<Sample> {
  for (const language of ['javascript', 'python', 'shell', 'sql']) {
    type File = { groups: { about: string; cases: { code: string }[] }[] };
    for (const { about, cases } of readCorpus<File>(`content/${language}.json`).groups) {
      for (const [index, { code }] of cases.entries()) {
        const parameters = language === 'shell' ? { command: code } : { code, language };
        yield { id: `${language}: ${about} ${index}`, event: { action: `system:${language}:execute`, parameters } };
      }
    }
  }
  const { cases } = readCorpus<{ cases: { about: string; event: Json }[] }>('content/events.json');
  for (const { about, event } of cases) yield { id: `events: ${about}`, event };
}

function* ruleExamples(): Generator<Sample> {
  for (const { id, document } of knowledge.rules) {
    for (const example of [...document.examples.fires, ...document.examples.quiet]) {
      const { name, event, policy, is_outline } = example;
      const rest = { ...(policy && { policy: policy as JsonObject }), ...(is_outline && { is_outline }) };
      yield { id: `${id}: ${name}`, event: event as Json, ...rest };
    }
  }
}

async function* labelled(path: string): AsyncGenerator<Sample> {
  const { lines } = await openInput(path, MAX_LINE_BYTES);
  for await (const line of lines) {
    const { id, event } = readLabelled(parseLine(line).value, line.number);
    yield { id, event };
  }
}

/** A session that has read a secret, was refused before, and acts fast at night: most of what a past can say. */
const PAST: History = {
  first_seen: ['action', 'destination'],
  changes_per_minute: 30,
  actions_per_minute: 120,
  burst: 5,
  is_unusual_hour: true,
  off_hours: 'local',
  clock: '',
  drift: 1,
  refused: 2,
  high: 3,
  earlier_actions: ['github:pulls:list', 'hr:employee:read', 'vault:secret:read', 'web:page:read'],
  seen_classes: ['secret'],
  runs_written: [],
  repeats: 5,
  is_steady: false,
  refused_elsewhere: '',
  is_refused_by_person: false,
  troubled_place: '',
  classes_of_others: [],
  inherited: [],
};

/** The assessment without a past, and that of the same reading with one. */
function assess({ event, policy, is_outline }: Sample): [without_past: Assessment, with_past: Assessment] {
  const { event: sent } = readEvent({ value: event, has_odd_characters: null }, NOON);
  // An id that was filled in differs from run to run; scoring does not read it.
  const compiled = compilePolicy(policy ?? {}, 0, () => false, knowledge);
  const reading = read({ ...sent, event_id: 'e-1' }, compiled, knowledge, is_outline === true ? 'outline' : 'whole');
  return [reading.score(null), reading.score(PAST)];
}

/** What is decided, and the sentences about it. */
function parts({
  reasoning,
  mitigations,
  compliance_refs,
  rule_set_version: _version,
  findings,
  // No model takes part here, and doubts are words for what confidence holds as a number.
  llm: _llm,
  doubts: _doubts,
  ...rest
}: Assessment) {
  const sentences = findings.map(({ violation, mitigations: advice }) => ({ violation, advice }));
  const findings_alone = findings.map(({ violation: _sentence, mitigations: _advice, ...finding }) => finding);
  // Which articles are touched is decided; which of them a reader sees first is a matter of words.
  const decided = { ...rest, compliance_refs: compliance_refs.toSorted(), findings: findings_alone };
  const said = { reasoning, sentences, mitigations, compliance_refs };
  return { decided: JSON.stringify(decided), said: JSON.stringify(said) };
}

const { values } = parseArgs({ options: { out: { type: 'string' } } });
const out = values.out === undefined ? null : createWriteStream(values.out);
const decisions = createHash('sha256');
const past_decisions = createHash('sha256');
const sentences = createHash('sha256');

async function digest(name: string, samples: Iterable<Sample> | AsyncIterable<Sample>): Promise<void> {
  const own = createHash('sha256');
  let count = 0;
  for await (const sample of samples) {
    const [without_past, with_past] = assess(sample);
    const { decided, said } = parts(without_past);
    decisions.update(decided).update('\n');
    own.update(decided).update('\n');
    sentences.update(said).update('\n');
    past_decisions.update(parts(with_past).decided).update('\n');
    const line = `{"id":${JSON.stringify(sample.id)},"decisions":${decided},"sentences":${said}}\n`;
    if (out !== null && !out.write(line)) await once(out, 'drain');
    count += 1;
  }
  console.log(`${name.padEnd(30)} ${String(count).padStart(6)} assessments  ${own.digest('hex').slice(0, 16)}`);
}

await digest('corpus/scoring', scoringCorpus());
await digest('corpus/content', contentCorpus());
await digest('rule examples', ruleExamples());
for (const collection of ['agent-actions', 'agent-actions-2']) {
  for (const part of ['train', 'dev']) {
    const path = join(SHARED, 'data', collection, `${part}.jsonl.gz`);
    if (existsSync(path)) await digest(`${collection} ${part}`, labelled(path));
    else console.log(`${`${collection} ${part}`.padEnd(30)} skipped: not there (set SHARED_DIR)`);
  }
}
out?.end();
console.log(`sentences  ${sentences.digest('hex')}`);
console.log(`with past  ${past_decisions.digest('hex')}`);
console.log(`decisions  ${decisions.digest('hex')}`);
