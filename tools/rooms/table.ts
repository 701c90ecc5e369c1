/**
 * The rooms of the house and which of them each may import: everything that is not allowed here is an error of
 * `npm run check:arrows`. The column «may import» in ARCHITECTURE.md is written from this table by `npm run pages`.
 *
 * A file belongs to the room with the longest path that it starts with. No two rooms import each other.
 */
export interface Room {
  /** A folder, or one file. */
  path: string;
  /** What is in it, for ARCHITECTURE.md. Empty: the room stands in the table of another (`scoring/read/*`). */
  what: string;
  /** Paths of rooms. Its own files are always allowed. */
  may_import: readonly string[];
  /** Compiled without host types: no I/O, no clock, no dice. */
  is_pure?: true;
}

const READ = 'src/scoring/read';
/** What every reading of an event may use. */
const BELOW_READ = [
  'src/ontology',
  'src/events/event.ts',
  'src/events/parameters.ts',
  'src/events/working-copy.ts',
  'src/lang',
  'src/scoring/types.ts',
];

const reading = (name: string, what: string, ...rooms: string[]): Room => ({
  path: `${READ}/${name}`,
  what,
  may_import: [...BELOW_READ, 'src/effects', ...rooms.map((room) => `${READ}/${room}`)],
  is_pure: true,
});

export const rooms: readonly Room[] = [
  {
    path: 'src/lang',
    what: 'small languages: action patterns, conditions, names; JSON types',
    may_import: [],
    is_pure: true,
  },
  {
    path: 'src/events',
    what: 'what an event is: its nouns, schema, size, reading, content hash',
    may_import: [
      'src/events/event.ts',
      'src/events/parameters.ts',
      'src/events/working-copy.ts',
      'src/lang',
      'src/platform',
    ],
  },
  {
    path: 'src/events/event.ts',
    what: '',
    may_import: ['src/lang'],
    is_pure: true,
  },
  {
    path: 'src/events/parameters.ts',
    what: '',
    may_import: ['src/lang', 'src/events/event.ts', 'src/events/working-copy.ts'],
    is_pure: true,
  },
  { path: 'src/events/working-copy.ts', what: '', may_import: ['src/events/event.ts'], is_pure: true },
  { path: 'src/events/legacy.ts', what: '', may_import: ['src/lang', 'src/events/event.ts'], is_pure: true },
  {
    path: 'src/ontology',
    what: 'what words of actions, data and law mean: `ontology/` as a checked graph in memory',
    may_import: ['src/lang'],
    is_pure: true,
  },
  {
    path: 'src/effects',
    what: 'what code inside parameters would do: shells of Unix and Windows, Python, JavaScript, other script languages, SQL, edits of files, calls of cloud platforms, settings of services that many share, values that attack their receiver',
    may_import: [
      'src/ontology',
      'src/events/event.ts',
      'src/events/parameters.ts',
      'src/events/working-copy.ts',
      'src/lang',
    ],
    is_pure: true,
  },
  {
    path: 'src/scoring',
    what: 'the score: rules, layers, the graph of an event and its network, policy, history, counterfactuals; `score.ts` is the one entry',
    may_import: [
      READ,
      `${READ}/words`,
      `${READ}/conversation`,
      `${READ}/action`,
      `${READ}/values`,
      `${READ}/orders`,
      `${READ}/will`,
      `${READ}/past`,
      `${READ}/data`,
      'src/scoring/types.ts',
      'src/ontology',
      'src/events/event.ts',
      'src/events/parameters.ts',
      'src/events/working-copy.ts',
      'src/events/legacy.ts',
      'src/lang',
    ],
    is_pure: true,
  },
  {
    path: 'src/scoring/types.ts',
    what: '',
    may_import: ['src/events/event.ts', 'src/lang'],
    is_pure: true,
  },
  {
    path: READ,
    what: '',
    may_import: [
      ...BELOW_READ,
      ...['words', 'conversation', 'action', 'values', 'orders', 'will', 'past', 'data'].map(
        (room) => `${READ}/${room}`,
      ),
    ],
    is_pure: true,
  },
  reading('words', 'words of a text, names, kinds and normal forms of values'),
  reading('conversation', 'who said what: requests of the user, orders in text from outside', 'words'),
  reading('action', 'what is done, with which tool, to which target', 'conversation', 'words'),
  reading('values', 'each argument with its role and where its value comes from', 'action', 'conversation', 'words'),
  reading('orders', 'whether this action does what outside text orders', 'values', 'action', 'conversation', 'words'),
  reading(
    'will',
    'whether this action fits what the user asked for',
    'orders',
    'values',
    'action',
    'conversation',
    'words',
  ),
  reading('past', 'what came before in the session', 'values', 'action', 'conversation', 'words'),
  reading('data', 'which data are touched, and where they go', 'past', 'values', 'action', 'conversation', 'words'),
  {
    path: 'src/platform',
    what: 'HTTP, errors, settings, log, metrics, terminal; knows nothing of the product',
    may_import: ['src/lang'],
  },
  {
    path: 'src/llm',
    what: 'calls of a language model: providers, one deadline, breakers; knows nothing of the product',
    may_import: ['src/lang', 'src/platform'],
  },
  {
    path: 'src/records',
    what: 'one kept row: types, format, texts, views',
    may_import: ['src/scoring', 'src/scoring/types.ts', 'src/events/event.ts', 'src/lang'],
  },
  {
    path: 'src/storage/ports',
    what: 'what Weir needs from its stores, as types',
    may_import: ['src/records', 'src/scoring', 'src/scoring/types.ts', 'src/events/event.ts', 'src/lang'],
  },
  {
    path: 'src/storage',
    what: 'the backends behind the ports: PostgreSQL, embedded, FalkorDB, Redis, NATS, memory',
    may_import: [
      'src/storage/ports',
      'src/records',
      'src/scoring',
      'src/scoring/types.ts',
      'src/events/event.ts',
      'src/platform',
      'src/lang',
    ],
  },
  {
    path: 'src/tokens',
    what: 'the token tree, rights, signing and API keys, revocation, verification',
    may_import: [
      'src/storage/ports',
      'src/records',
      'src/events',
      'src/events/event.ts',
      'src/events/legacy.ts',
      'src/tokens/rbac',
      'src/platform',
      'src/lang',
    ],
  },
  { path: 'src/tokens/rbac', what: '', may_import: ['src/lang'], is_pure: true },
  {
    path: 'src/people',
    what: 'named people: roles, sessions, passwords, OpenID, delegations',
    may_import: ['src/tokens', 'src/storage/ports', 'src/records', 'src/platform', 'src/lang'],
  },
  {
    path: 'src/holds',
    what: 'held events: who may decide, deciding once, the cosignature, waiting, expiry',
    may_import: [
      'src/tokens',
      'src/storage/ports',
      'src/records',
      'src/scoring/types.ts',
      'src/events/event.ts',
      'src/platform',
      'src/lang',
    ],
  },
  {
    path: 'src/webhooks',
    what: 'endpoints, event types, the delivery worker',
    may_import: ['src/tokens', 'src/storage/ports', 'src/platform', 'src/lang'],
  },
  {
    path: 'src/engine',
    what: 'evaluate, accept, justify, turns, the batch worker, memories; loads ontology and rules',
    may_import: [
      'src/llm',
      'src/holds',
      'src/tokens',
      'src/storage/ports',
      'src/records',
      'src/scoring',
      'src/scoring/types.ts',
      READ,
      `${READ}/action`,
      'src/effects',
      'src/ontology',
      'src/events',
      'src/events/event.ts',
      'src/platform',
      'src/lang',
    ],
  },
  {
    path: 'clients/typescript/src',
    what: 'the client for programs that guard agents, published as `weir-client`; no dependency, no host',
    may_import: [],
  },
  {
    path: 'src/guards',
    what: 'guards over the client: hooks of coding agents, the proxy for MCP servers; know nothing of the service',
    may_import: ['clients/typescript/src'],
  },
  {
    path: 'src/doors',
    what: 'REST, gRPC, the auth port; nothing imports a door but the roles',
    may_import: [
      'src/engine',
      'src/llm',
      'src/webhooks',
      'src/holds',
      'src/people',
      'src/tokens',
      'src/tokens/rbac',
      'src/storage/ports',
      'src/records',
      'src/scoring',
      'src/scoring/types.ts',
      'src/events',
      'src/events/event.ts',
      'src/events/legacy.ts',
      'src/platform',
      'src/lang',
    ],
  },
];
