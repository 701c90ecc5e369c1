/** The host that tells a call says nothing about it: over the golden cases, its shape moves the score by at most three points. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import type { AgentEvent } from '../../src/events/event.ts';
import type { JsonObject } from '../../src/lang/json.ts';
import { wordsOf } from '../../src/lang/names.ts';
import { setOf } from '../../src/ontology/words.ts';
import { MOST_POINTS } from '../../tools/evaluation/metamorphic/count-changes.ts';
import { HOST_SHAPES } from '../../tools/evaluation/metamorphic/host-shapes.ts';
import { scoreOf } from '../support/knowledge.ts';
import { ontology } from '../support/readings.ts';

const FOLDER = resolve(import.meta.dirname, '../../corpus/scoring');

interface Case {
  name: string;
  event: AgentEvent;
}

const cases = readdirSync(FOLDER).flatMap((file) =>
  (JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as { cases: Case[] }).cases.map(({ name, event }) => ({
    name: `${file}: ${name}`,
    event,
  })),
);

const shapesOf = (event: AgentEvent, kind: 'tool' | 'shell'): AgentEvent[] =>
  HOST_SHAPES.filter(({ name }) => name.startsWith(`${kind}_`)).flatMap(
    ({ apply }) => (apply(event as unknown as JsonObject, ontology) as unknown as AgentEvent | null) ?? [],
  );

/** Whether the action says no more than the names of tool and server do, with a verb of one word. */
function saysNoMore({ action, mcp_context }: AgentEvent): boolean {
  const named = new Set([mcp_context?.tool_name, mcp_context?.server_name].flatMap((name) => wordsOf(name ?? '')));
  if (wordsOf(action.slice(action.lastIndexOf(':') + 1)).length > 1) return false;
  return wordsOf(action.slice(action.indexOf(':') + 1).replaceAll(':', '_')).every((word) => named.has(word));
}

/** Arguments in a text beside others are wrapped once already. */
const isWrapped = ({ parameters }: AgentEvent): boolean =>
  Object.entries(parameters ?? {}).some(([key, value]) => typeof value === 'string' && CALL_ARGUMENTS.has(key));

const CALL_ARGUMENTS = setOf(ontology, 'call_arguments');

const isCommandAlone = ({ action, parameters }: AgentEvent): boolean =>
  action === 'shell:command:execute' && Object.keys(parameters ?? {}).join() === 'command';

const spread = (scores: readonly number[]): number => Math.max(...scores) - Math.min(...scores);

test('a call of a tool scores the same as the call of an MCP server, of a coding agent, as a function and as a legacy event', () => {
  let compared = 0;
  for (const { name, event } of cases) {
    const shapes = isWrapped(event) ? [] : shapesOf(event, 'tool');
    if (shapes.length === 0) continue;
    compared += 1;
    const told = saysNoMore(event) ? [event, ...shapes] : shapes;
    const scores = told.map((one) => scoreOf(one).score);
    assert.ok(spread(scores) <= MOST_POINTS, `${name}: ${scores.join(' ')}`);
  }
  assert.ok(compared > 100, `${compared} cases`);
});

test('a command of a shell scores the same in every shape', () => {
  let compared = 0;
  for (const { name, event } of cases) {
    const shapes = isCommandAlone(event) ? shapesOf(event, 'shell') : [];
    if (shapes.length === 0) continue;
    compared += 1;
    const scores = [event, ...shapes].map((one) => scoreOf(one).score);
    assert.ok(spread(scores) <= MOST_POINTS, `${name}: ${scores.join(' ')}`);
  }
  assert.ok(compared > 100, `${compared} cases`);
});
