/** The smallest ontology there is, for tests that break one thing in it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildOntology, OntologyError } from '../../src/ontology/index.ts';

export type Fields = Record<string, unknown>;
export type Documents = Record<string, Fields>;

const GROUP_TABLE = { read: ['read'] };
const LISTS = [
  'agent_self_files',
  'approval_no',
  'approval_no_exceptions',
  'approval_yes',
  'credential_paths',
  'denial_phrases',
  'eea_countries',
  'executable_config_files',
  'exfiltration_hosts',
  'free_mail_domains',
  'known_test_values',
  'non_production_words',
  'production_words',
  'prohibition_markers',
  'reporting_limits',
  'sensitive_search_words',
  'sql_system_schemas',
  'standing_words',
  'weak_top_level_domains',
];
export const article = {
  id: 'LAW:1',
  article: 'Article 1',
  title: 'Care',
  bound: 'Everyone',
  obligation: 'Take care.',
  applies_when: 'Always.',
  consequence_tier: 'FINE',
  enforceable_from: '2020-01-01',
  themes: ['care'],
  source: 'https://law.example/1',
  opened: ['book'],
  verification_level: 'text',
  verification: 'read',
};

/** A fresh copy of a valid ontology: one of everything. */
export function smallest(): Documents {
  return {
    'actions/verbs.yaml': {
      groups: [{ group: 'read', description: 'looks' }],
      verbs: [{ verb: 'read', group: 'read', reversibility: 0, blast_radius: 1, base_risk: 8, reason: 'one object' }],
    },
    'actions/domains.yaml': {
      domains: [
        {
          domain: 'db',
          description: 'databases',
          default_sensitivity: 3,
          implied_class: 'PII',
          aliases: ['sql'],
          usual_companions: ['db'],
          scopes: { table: { sensitivity: 3, implied_class: 'PII' } },
        },
      ],
    },
    'actions/resources.yaml': { resource_types: { table: 3 } },
    'actions/agent-types.yaml': { agent_types: { analyst: ['db'] } },
    'actions/tools/pg.yaml': {
      server: 'pg',
      title: 'Postgres',
      server_names: ['PG'],
      confirmed: true,
      source: 'https://pg.example',
      tools: { Query: 'db:table:read' },
    },
    'data/classes.yaml': { classes: [{ class: 'PII', severity: 3, meaning: 'persons', labels: ['pii'] }] },
    'data/fields.yaml': {
      matching: {
        whole: 0.9,
        at_border: 0.8,
        inside: 0.6,
        inside_min_length: 6,
        negative_penalty: 0.4,
        negative_parts: ['masked'],
        ambiguous: ['pin'],
      },
      kinds: [{ kind: 'contact', class: 'PII', severity: 2, names: ['email'] }],
    },
    'data/detectors.yaml': {
      detectors: [
        {
          id: 'card',
          class: 'PII',
          subclass: 'contact',
          severity: 2,
          confidence: 0.9,
          pattern: '\\d{16}',
          validator: 'luhn',
          false_positives: 'none',
          examples: { matches: ['4111111111111111'], misses: ['4111111111111112'] },
        },
      ],
    },
    'frameworks/_consequences.yaml': { tiers: [{ tier: 'FINE', text: 'A fine.', basis: ['LAW:1'] }] },
    'frameworks/law.yaml': {
      framework: 'LAW',
      name: 'Law',
      edition: '1',
      issuer: 'State',
      kind: 'law',
      jurisdiction: 'Here',
      aliases: [],
      id_form: 'LAW:<n>',
      status_note: 'in force',
      sources: { book: { what: 'the book', how: 'read' } },
      defaults: { conditional: true },
      articles: [{ ...article }],
    },
    'playbooks.yaml': { playbooks: { care: ['Take care.'] } },
    'phrasing.yaml': {
      condition: 'If {bound}:',
      kinds: [
        {
          kind: 'law',
          rank: 0,
          in_force: '{article} {violation}',
          not_yet: '{article} {violation}',
          states_consequence: true,
          never_says: [],
          counts_as_impacted: true,
        },
      ],
    },
    'profiles/default.yaml': {
      profile: 'default',
      sectors: { finance: 'banks' },
      frameworks: [{ framework: 'LAW', binds: 'always', why: 'all' }],
    },
    'lists/words.yaml': {
      lists: Object.fromEntries(LISTS.map((name) => [name, ['x']])),
      tables: {
        argument_roles: { path: ['file'] },
        subject_words: { thing: ['thing'] },
        name_keys: { label: ['name'] },
        intent_words: GROUP_TABLE,
        sql_words: GROUP_TABLE,
        shell_programs: GROUP_TABLE,
      },
      patterns: {
        host_shapes: { a: { pattern: 'a' } },
        metacharacters: { a: { pattern: 'a' } },
        shell_shapes: { a: { pattern: 'a' } },
        sql_signals: { a: { pattern: 'a' } },
        test_values: { a: { pattern: 'a' } },
      },
    },
    'libraries/python.yaml': { calls: [{ reader: 'removes_file', names: ['os.remove'] }] },
    'programs/files.yaml': { programs: [{ reader: 'remove', names: ['rm'], recursive: ['r'] }] },
    'lists/injection-markers.yaml': {
      combination: { echo_bonus: 0.3, hidden_bonus: 0.5 },
      markers: [
        { marker: 'm', strength: 0.5, pattern: 'ignore', flags: 'i', examples: { matches: ['IGNORE'], misses: ['x'] } },
      ],
    },
    'lists/tool-names.yaml': {
      bulk: { words: ['batch'], base_risk_bonus: 10 },
      unknown_verb: { base_risk: 40, confidence_penalty: 0.3 },
      verb_words: { get: 'read' },
    },
  };
}

export const build = (documents: Documents) =>
  buildOntology(Object.entries(documents).map(([path, content]) => ({ path, content })));

export function problemsOf(documents: Documents): readonly string[] {
  try {
    build(documents);
  } catch (error) {
    assert.ok(error instanceof OntologyError, String(error));
    return error.problems;
  }
  return [];
}

/** The mapping at the end of a path such as `verbs 0`. */
export function at(documents: Documents, file: string, path = ''): Fields {
  let value: unknown = documents[file];
  for (const step of path.split(' ').filter((one) => one !== '')) value = (value as Fields)[step];
  return value as Fields;
}

/** What is broken, how, and the problem that must be reported. */
export type Broken = readonly [what: string, breakIt: (d: Documents) => unknown, problem: RegExp];

export const push = (list: unknown, ...more: unknown[]) => (list as unknown[]).push(...more);
/** Breaks one field. */
export const set = (file: string, path: string, field: string, value: unknown) => (d: Documents) => {
  at(d, file, path)[field] = value;
};

/** One test for each broken ontology: it is refused, and for this reason. */
export function testBroken(broken: readonly Broken[]): void {
  for (const [what, breakIt, problem] of broken) {
    test(`refused: ${what}`, () => {
      const documents = smallest();
      breakIt(documents);
      const problems = problemsOf(documents);
      assert.ok(
        problems.some((line) => problem.test(line)),
        `expected ${problem}, got:\n${problems.join('\n')}`,
      );
    });
  }
}
