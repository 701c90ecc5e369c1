/** docs/worked-examples.md: events of many kinds with everything that the service says about each. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { AgentEvent } from '../../src/events/event.ts';
import type { JsonObject } from '../../src/lang/json.ts';
import { MOST_ARTICLES } from '../../src/scoring/explanation/articles.ts';
import type { Knowledge } from '../../src/scoring/knowledge.ts';
import { HIGH, levelOf } from '../../src/scoring/level.ts';
import { compilePolicy } from '../../src/scoring/policy/policy.ts';
import { score } from '../../src/scoring/score.ts';
import type { Assessment, RiskLevel } from '../../src/scoring/types.ts';

const FILE = resolve(import.meta.dirname, '../../', join('corpus', 'worked', 'examples.json'));

export interface WorkedExample {
  policy?: JsonObject;
  name: string;
  /** One of these. */
  levels: RiskLevel[];
  /** Stands in the first sentence. */
  names: string;
  event: Pick<AgentEvent, 'action' | 'parameters' | 'user_context' | 'conversation_history'>;
}

export const readWorkedExamples = (): WorkedExample[] =>
  (JSON.parse(readFileSync(FILE, 'utf8')) as { cases: WorkedExample[] }).cases;

/** The answer under the example's policy, of an agent without a past. */
export function assessExample({ event, policy: policies = {} }: WorkedExample, knowledge: Knowledge): Assessment {
  const policy = compilePolicy(policies, 0, () => false, knowledge);
  return score({ event_id: 'example', timestamp: '2026-01-15T10:00:00Z', ...event }, null, policy, knowledge);
}

export function workedPage(knowledge: Knowledge): string {
  const examples = readWorkedExamples();
  const parts = [
    '<!-- Made by `npm run pages` from corpus/worked/examples.json; do not edit. -->',
    '# Worked examples',
    `${examples.length} actions and what the service says about each, for a customer without a profile and an agent without a past; no policy is set but where the example names it. «Held» is the default: high and critical wait for a person. Articles are the at most ${MOST_ARTICLES} that an answer names; the justification has all of them, with the reason for each. The examples are golden cases: the tests compare this page with the product.`,
    ...examples.map((example, i) => section(example, i + 1, knowledge)),
  ];
  return `${parts.join('\n\n')}\n`;
}

function section(example: WorkedExample, number: number, knowledge: Knowledge): string {
  const assessment = assessExample(example, knowledge);
  const { score: points, reasoning, mitigations, compliance_refs, confidence } = assessment;
  const held = points >= HIGH ? 'held' : 'not held';
  const articles = compliance_refs.slice(0, MOST_ARTICLES);
  return [
    `## ${number}. ${example.name}`,
    eventLines(example),
    `**${points}, ${levelOf(points)}, ${held}** · confidence ${confidence}`,
    `> ${reasoning}`,
    ...(mitigations.length === 0 ? [] : [mitigations.map((text, i) => `${i + 1}. ${text}`).join('\n')]),
    ...(articles.length === 0 ? [] : [`Articles: ${articles.map((id) => named(id, knowledge)).join('; ')}.`]),
  ].join('\n\n');
}

function eventLines({ event, policy }: WorkedExample): string {
  const read = (event.conversation_history ?? []).filter(({ role }) => role === 'tool');
  return [
    `- The user: «${event.user_context ?? ''}»`,
    ...read.map(({ content }) => `- A tool returned: «${String(content).replaceAll('\n', ' ')}»`),
    ...(policy === undefined ? [] : [`- The policy: \`${JSON.stringify(policy)}\``]),
    `- The agent: \`${event.action}\` with \`${JSON.stringify(event.parameters ?? {}).replaceAll('`', "'")}\``,
  ].join('\n');
}

const named = (id: string, { ontology }: Knowledge): string => `\`${id}\` (${ontology.articles.get(id)?.title ?? ''})`;
