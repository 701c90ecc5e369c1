/** /graph/…: what agents reached, who touched a target, and how data could have moved. */
import type { FindPath } from '../../engine/activity/path.ts';
import { WeirError } from '../../platform/errors.ts';
import { endpoint } from '../../platform/http/endpoint.ts';
import { requiredText, wholeNumber } from '../../platform/http/parameters.ts';
import { levelOf } from '../../scoring/level.ts';
import type { NodeRef } from '../../storage/ports/activity.ts';
import type { Graphs, Sourced } from '../../storage/ports/graphs.ts';
import { actorsSchema, pathSchema, reachSchema } from './graph-schemas.ts';

export interface GraphParts {
  graphs: Graphs;
  find_path: FindPath;
}

const MAX_HOURS = 744;
const MAX_DEPTH = 8;
const MAX_PER_PAGE = 200;
/** An external graph that takes longer is not waited for; PostgreSQL answers. */
const PATIENCE_MS = 1_500;
const MAX_NODE = 4_608;

const hours = wholeNumber(1, MAX_HOURS, 24, 'window of time, from now back');
const pages = {
  page: wholeNumber(1, 10_000, 1, 'starts at 1'),
  per_page: wholeNumber(1, MAX_PER_PAGE, 50, 'rows on one page'),
};
const DELAY =
  'The graph is a few seconds behind the scores, and empty where no process has the role `worker`. `source` says which graph answered.';

/** The answer of a question that always has one. */
const answered = <T>({ source, answer }: Sourced<T | null>): Sourced<T> => ({ source, answer: answer! });

export function agentReach({ graphs }: GraphParts) {
  return endpoint({
    method: 'GET',
    path: '/graph/agents/{agent_id}/reach',
    operation: 'agent_reach',
    summary: 'What an agent and its descendants touched',
    description: `Targets, destinations and, for events without either, actions, with the highest score of each and the delegation that leads there. ${DELAY}`,
    tag: 'graph',
    access: 'api_key',
    scope: 'scores:read',
    query: { hours, depth: wholeNumber(0, MAX_DEPTH, 3, 'delegations below the agent'), ...pages },
    answers: { 200: { description: 'one page of what was touched, and all agents', schema: reachSchema } },
    handle: async ({ caller, path: { agent_id }, query: { depth, ...bounds } }) => {
      const { source, answer } = answered(
        await graphs.ask(({ activity }) => activity.reach(caller.customer_id, agent_id, depth, bounds), PATIENCE_MS),
      );
      const { agents, touched, total, is_cut } = answer;
      const rows = touched.map(({ thing, agents: agent_ids, ...one }) => ({
        ...thing,
        ...one,
        risk_level: levelOf(one.highest_score),
        agent_ids,
      }));
      return { body: { agent_id, depth, ...bounds, source, agents, touched: rows, total, is_cut } };
    },
  });
}

export function targetActors({ graphs }: GraphParts) {
  return endpoint({
    method: 'GET',
    path: '/graph/targets/{type}/{id}/actors',
    operation: 'target_actors',
    summary: 'Who touched a target',
    description: `\`type\` and \`id\` as in \`target\` of events, percent-encoded; the type \`destination\` means a place that data went to, as a reach names it. ${DELAY}`,
    tag: 'graph',
    access: 'api_key',
    scope: 'scores:read',
    query: { hours, ...pages },
    answers: { 200: { description: 'one page, one row for each agent', schema: actorsSchema } },
    handle: async ({ caller, path: { type, id }, query: bounds }) => {
      const thing =
        type === 'destination'
          ? ({ kind: 'destination', type: '', name: id } as const)
          : ({ kind: 'target', type, name: id } as const);
      const { source, answer } = answered(
        await graphs.ask(({ activity }) => activity.actors(caller.customer_id, thing, bounds), PATIENCE_MS),
      );
      const actors = answer.actors.map((one) => ({ ...one, risk_level: levelOf(one.highest_score) }));
      return { body: { type, id, ...bounds, source, actors, total: answer.total } };
    },
  });
}

export function dataPath({ find_path }: GraphParts) {
  const node = (which: string) =>
    requiredText(MAX_NODE, `${which}: \`target:TYPE:ID\`, \`destination:PLACE\`, \`agent:ID\` or \`session:ID\``);
  return endpoint({
    method: 'GET',
    path: '/graph/path',
    operation: 'data_path',
    summary: 'How data could have come from here to there',
    description: `The way of fewest steps, each later than the one before: read here, sent there, across sessions, agents and delegations. It says what was possible, and not that it were the same data. ${DELAY}`,
    tag: 'graph',
    access: 'api_key',
    scope: 'scores:read',
    query: {
      from: node('where data were'),
      to: node('where they came to'),
      hours,
      depth: wholeNumber(1, MAX_DEPTH, 6, 'steps at most'),
    },
    answers: { 200: { description: 'the way, if there is one', schema: pathSchema } },
    handle: async ({ caller, query: { from, to, ...bounds } }) => {
      const ends = [nodeOf(from, 'from'), nodeOf(to, 'to')] as const;
      const { source, answer } = await find_path(caller.customer_id, ...ends, bounds);
      const { steps, is_found, is_cut } = answer;
      return { body: { from, to, ...bounds, source, is_found, is_cut, steps } };
    },
  });
}

function nodeOf(text: string, parameter: string): NodeRef {
  const target = /^target:([^:]*):(.+)$/s.exec(text);
  if (target !== null) return { kind: 'target', type: target[1]!, name: target[2]! };
  const other = /^(agent|session|destination):(.+)$/s.exec(text);
  if (other !== null) return { kind: other[1] as NodeRef['kind'], type: '', name: other[2]! };
  const message = `\`${text.slice(0, 64)}\` is no node; write target:TYPE:ID, destination:PLACE, agent:ID or session:ID`;
  throw new WeirError('invalid', {
    detail: `query parameter \`${parameter}\`: ${message}`,
    errors: [{ path: parameter, message }],
  });
}
