/**
 * The names that a customer's condition may read besides facts: structured fields of an event by their path, values derived
 * from them, and functions of time and of the action. Free text is excluded, because the judged party can write it;
 * metadata never changes a score.
 */
import {
  formatActionPattern,
  matchesAction,
  normaliseActionPattern,
  parseAction,
  parseActionPattern,
  STAR,
} from '../patterns.ts';
import { parseTimestamp } from '../timestamp.ts';
import { shorten } from './tokens.ts';
import {
  type Environment,
  type FunctionDef,
  type Key,
  makeVocabulary,
  type NameDef,
  type Vocabulary,
} from './vocabulary.ts';

const NAMES: Readonly<Record<string, NameDef>> = {
  action: { type: 'string', about: 'the whole action, `domain:scope:verb`, in lower case' },
  domain: { type: 'string', about: 'first segment of the action' },
  scope: { type: 'string', about: 'second segment of the action' },
  verb: { type: 'string', about: 'third segment of the action' },
  tool_name: { type: 'string', about: 'name of the tool that is called' },
  batch_size: {
    type: 'int',
    about: 'largest count in the parameters: batch_size, count, limit, rows, or the longest array',
  },
  event_id: { type: 'string', about: 'id of the event' },
  timestamp: { type: 'string', about: 'when the event took place, ISO 8601; use it in hour(timestamp)' },
  agent: {
    type: 'object',
    about: 'the agent as it describes itself',
    fields: { agent_id: 'string', agent_type: 'string', framework: 'string', model: 'string' },
  },
  session: {
    type: 'object',
    about: 'the session the event belongs to',
    fields: { session_id: 'string', user_id: 'string', started_at: 'string' },
  },
  target: {
    type: 'object',
    about: 'what is acted on; sensitivity_level is 0 public to 4 restricted, as declared',
    fields: { resource_type: 'string', resource_id: 'string', sensitivity_level: 'int' },
  },
  mcp_context: {
    type: 'object',
    about: 'the MCP server the call goes through',
    fields: {
      server_name: 'string',
      server_id: 'string',
      transport: 'string',
      is_verified: 'bool',
      tool_name: 'string',
    },
  },
  parameters: { type: 'object', is_open: true, about: 'parameters of the action, by any path: parameters.amount' },
  preceding_actions: { type: 'list<string>', about: 'earlier actions of the session, oldest first' },
  data_fields_accessed: { type: 'list<string>', about: 'names of the data fields accessed' },
};

const FREE_TEXT = 'it is free text that the judged agent can write; use the structured fields';

const REFUSED: Readonly<Record<string, string>> = {
  user_context: FREE_TEXT,
  conversation_history: FREE_TEXT,
  metadata: 'metadata is stored with the event and never changes a score',
};

const FUNCTIONS: readonly FunctionDef[] = [
  {
    name: 'hour',
    args: ['string'],
    returns: 'int',
    about: 'hour of a timestamp, 0-23, in the timestamp’s own offset',
    call: (_env, text) => parseTimestamp(text as string)?.hour,
  },
  {
    name: 'day_of_week',
    args: ['string'],
    returns: 'int',
    about: 'day of a timestamp, 1 Monday to 7 Sunday, in the timestamp’s own offset',
    call: (_env, text) => parseTimestamp(text as string)?.day_of_week,
  },
  {
    name: 'matches_action',
    args: ['string'],
    returns: 'bool',
    about: 'whether the action matches a pattern such as "github:*:delete"',
    reads: ['action'],
    checkLiteral: (text) =>
      normaliseActionPattern(text) === null
        ? `\`${shorten(text)}\` is not an action pattern; write three segments, each a name or *: "github:*:delete"`
        : null,
    prepareLiteral: patternOf,
    call: (env, pattern) => matchesEnvironment(env, pattern as ReturnType<typeof patternOf>),
    keysOfLiteral: patternKeys,
  },
];

/** Names and functions of customers' conditions. */
export const EVENT_VOCABULARY: Vocabulary = makeVocabulary(NAMES, FUNCTIONS, REFUSED);

function patternOf(text: string) {
  return parseActionPattern(normaliseActionPattern(text) ?? '');
}

function matchesEnvironment(env: Environment, pattern: ReturnType<typeof patternOf>): boolean | undefined {
  const text = env.get('action');
  const action = typeof text === 'string' ? parseAction(text) : null;
  return pattern === null || action === null ? undefined : matchesAction(pattern, action);
}

/** Keys of an action pattern: the whole action if it has no star, otherwise its first literal segment. */
function patternKeys(text: string): readonly Key[] | null {
  const pattern = patternOf(text);
  if (pattern === null) return null;
  const whole = formatActionPattern(pattern);
  if (!whole.includes(STAR)) return [{ name: 'action', value: whole }];
  const name = (['domain', 'scope', 'verb'] as const).find((segment) => pattern[segment] !== STAR);
  return name === undefined ? null : [{ name, value: pattern[name] }];
}
