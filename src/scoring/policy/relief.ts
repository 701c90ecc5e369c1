/**
 * Whether the judged party could make a condition true by adding something to an event. A condition that lowers a score (an
 * exception, a custom rule with a negative impact, a reducer) may read only what it cannot bring about that way.
 */
import type { Condition, Use } from '../../lang/conditions/conditions.ts';
import { EVENT_VOCABULARY } from '../../lang/conditions/event-vocabulary.ts';
import { FACT_BY_NAME, FACTS_BY_SUBJECT, type Relief } from '../facts/index.ts';

/**
 * Fields of an event that say what is carried out, through which server, and for whom. The program that carries the action out
 * writes them, and a token replaces the ids. Every other field is a claim or is chosen by the agent.
 */
const FIXED_FIELDS: ReadonlySet<string> = new Set([
  'action',
  'domain',
  'scope',
  'verb',
  'tool_name',
  'mcp_context.server_name',
  'mcp_context.server_id',
  'mcp_context.tool_name',
  'agent.agent_id',
  'session.session_id',
  'session.user_id',
]);

/** Subject of a fact → the fact of structure to read instead. */
const INSTEAD: ReadonlyMap<string, string> = new Map([
  ['Data and destination', 'recipient_domains'],
  ['Target, volume and time', 'path_classes'],
]);

/** The facts that have no value where the event was not understood. */
const MAY_BE_MISSING: ReadonlySet<string> = new Set(FACTS_BY_SUBJECT.get('Structure')?.map(({ name }) => name));

/** How a condition of a policy may read this name. The fields of an event come first, as they do when it is evaluated. */
export function reliefOf({ name, path }: Pick<Use, 'name' | 'path'>): Relief {
  if (EVENT_VOCABULARY.names.has(name)) return FIXED_FIELDS.has(path) ? 'fixed' : 'no';
  const relief = FACT_BY_NAME.get(name)?.relief ?? 'no';
  return relief === 'reducers' ? 'no' : relief;
}

/** Why the judged party could make the condition true, a sentence for each name that lets it; empty if it could not. */
export function forgeries(condition: Condition): readonly string[] {
  const found = condition.uses.flatMap((use) => {
    const relief = reliefOf(use);
    if (relief === 'grows' && use.is_alternative && MAY_BE_MISSING.has(use.name)) return [splitInTwo(use)];
    if (relief === 'fixed' || (relief === 'grows' && use.holds_when === 'low')) return [];
    return [relief === 'grows' ? askedWrongly(use) : notFixed(use)];
  });
  return [...new Set(found)];
}

/** The same for a reducer, whose condition reads facts alone. */
export function forgeriesOfReducer(condition: Condition): readonly string[] {
  return condition.uses.flatMap((use) => {
    const relief = FACT_BY_NAME.get(use.name)?.relief ?? 'no';
    if (relief === 'fixed' || relief === 'reducers') return [];
    if (relief === 'grows') return use.holds_when === 'low' ? [] : [askedWrongly(use)];
    return [`\`${use.name}\` may not be read by a reducer: the judged agent can bring its value about`];
  });
}

/**
 * A condition with a missing value does not hold. Where another part would be enough, an addition that makes the value known
 * would make the whole condition hold.
 */
function splitInTwo({ path }: Use): string {
  return `\`${path}\` may be unknown, and a condition of which one part is unknown does not hold; write the parts of \`OR\` as conditions of their own`;
}

function askedWrongly({ path, name }: Use): string {
  const type = FACT_BY_NAME.get(name)?.type ?? '';
  const instead = type.startsWith('list')
    ? `ask about all of its elements: \`${path}.all(x, x in ["…"])\``
    : type === 'bool'
      ? `write \`NOT ${path}\``
      : `ask for at most: \`${path} <= …\``;
  return `the judged agent could make this true by adding something to the event, because that can only raise \`${path}\`; ${instead}`;
}

function notFixed({ path, name }: Use): string {
  const is_field = EVENT_VOCABULARY.names.has(name);
  const reason = is_field
    ? 'it is a claim or the judged agent chooses it'
    : 'the judged agent can bring its value about by what it adds to the event';
  return `\`${path}\` may not be read by a condition that lowers a score: ${reason}; read \`${insteadOf(name)}\`, or another fact of structure in docs/facts.md, instead`;
}

function insteadOf(name: string): string {
  for (const [subject, facts] of FACTS_BY_SUBJECT)
    if (facts.some((fact) => fact.name === name)) return INSTEAD.get(subject) ?? 'subcommands';
  return 'subcommands';
}

/** What an accepted condition that lowers a score reads, and how far it can be relied on, for a person. */
export interface ReliefReview {
  reads: readonly string[];
  can_be_forged: boolean;
  /** What would make it narrower or firmer; '' if there is nothing to say. */
  suggestion: string;
}

/** Names whose value a token proves; without one the caller writes them. */
const FROM_TOKEN = /^(?:agent|session)\./;

export function reviewRelief(condition: Condition): ReliefReview {
  const reads = [...new Set(condition.uses.map(({ path }) => path))].sort();
  const has_structure = condition.uses.some((use) => reliefOf(use) === 'grows');
  const suggestion = !has_structure
    ? 'it holds for every call of this kind; add a fact of structure, such as `subcommands.all(…)`, to narrow it'
    : reads.some((path) => FROM_TOKEN.test(path))
      ? 'require tokens: without one the calling program writes the id'
      : '';
  return { reads, can_be_forged: forgeries(condition).length > 0, suggestion };
}
