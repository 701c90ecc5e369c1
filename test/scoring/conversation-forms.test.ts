/** The form in which a host writes the agent's calls and their results says nothing about the action: golden cases score the same in each. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import type { AgentEvent, Message } from '../../src/events/event.ts';
import type { JsonObject } from '../../src/lang/json.ts';
import { scoreOf } from '../support/knowledge.ts';

const FOLDER = resolve(import.meta.dirname, '../../corpus/scoring');
const CALL = /^\s*([A-Za-z_][\w.-]*)\((\{.*\})\)\s*$/;

interface Case {
  name: string;
  event: AgentEvent;
}

type Write = (name: string, given: JsonObject) => string;

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const parameters = (given: JsonObject, open: (key: string) => string, close: (key: string) => string): string =>
  Object.entries(given)
    .map(([key, value]) => `${open(key)}${asText(value)}${close(key)}`)
    .join('\n');

const FORMS: Readonly<Record<string, Write>> = {
  'an agent framework': (name, given) => `Action: ${name}\nAction Input: ${JSON.stringify(given)}`,
  'JSON in a tag': (name, given) => `<tool_call>\n${JSON.stringify({ name, arguments: given })}\n</tool_call>`,
  'elements with a name': (name, given) =>
    `<function_calls>\n<invoke name="${name}">\n${parameters(
      given,
      (key) => `<parameter name="${key}">`,
      () => '</parameter>',
    )}\n</invoke>\n</function_calls>`,
  'content blocks as JSON': (name, given) => JSON.stringify([{ type: 'tool_use', id: 'toolu_1', name, input: given }]),
  'calls of a message as JSON': (name, given) =>
    JSON.stringify({
      tool_calls: [{ id: 'call_1', type: 'function', function: { name, arguments: JSON.stringify(given) } }],
    }),
};

/** What reads as a number, a flag or a list between tags is one, and a text with tags of its own cannot stand there as it is. */
const isPlain = (given: JsonObject): boolean =>
  Object.values(given).every(
    (value) => typeof value === 'string' && !/[<>]|^\s*(?:[[{\d-]|true|false)|^\s|\s$/.test(value),
  );

function inForm(event: AgentEvent, write: Write): AgentEvent | null {
  let found = 0;
  const conversation_history = event.conversation_history?.map((message): Message => {
    const [, name, json] = (message.role === 'assistant' && CALL.exec(String(message.content))) || [];
    if (name === undefined) return message;
    const given = JSON.parse(json!) as JsonObject;
    if (Object.keys(given).length === 0 || !isPlain(given)) return message;
    found += 1;
    return { ...message, content: write(name, given) };
  });
  return found === 0 ? null : { ...event, conversation_history: conversation_history! };
}

const cases = readdirSync(FOLDER)
  .flatMap((file) => (JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as { cases: Case[] }).cases)
  .filter(({ event }) => inForm(event, () => '') !== null);

for (const [form, write] of Object.entries(FORMS))
  test(`golden cases score the same where the host writes calls as ${form}`, () => {
    assert.ok(cases.length > 50, String(cases.length));
    for (const { name, event } of cases) assert.equal(scoreOf(inForm(event, write)!).score, scoreOf(event).score, name);
  });

test('golden cases score the same where the host sends results in the place of the user', () => {
  for (const { name, event } of cases) {
    const history = event.conversation_history!.map((message, i, all): Message => {
      const isAnswer =
        message.role === 'tool' && typeof message.content === 'string' && CALL.test(String(all[i - 1]?.content));
      return isAnswer && all[i - 1]!.role === 'assistant' && Object.keys(message).length === 2
        ? { role: 'user', content: `Observation: ${String(message.content)}` }
        : message;
    });
    assert.equal(scoreOf({ ...event, conversation_history: history }).score, scoreOf(event).score, name);
  }
});
