/** `lists/`: named word lists, tables of words, named patterns, injection markers. */
import type { Files } from './files.ts';
import { readExamples, readPattern } from './pattern.ts';
import type { Problems } from './problems.ts';
import { putOnce, type Row } from './row.ts';
import type { InjectionMarker, Ontology } from './terms.ts';

/** What scoring looks up by name; without one of them a layer would fall silent. */
const NEEDED_LISTS = [
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
const NEEDED_PATTERNS = ['host_shapes', 'metacharacters', 'shell_shapes', 'sql_signals', 'test_values'];
/** Tables whose keys are verb groups. */
const BY_GROUP = ['intent_words', 'sql_words', 'shell_programs'] as const;

type Words = ReadonlyMap<string, readonly string[]>;
type Lists = Pick<
  Ontology,
  'lists' | 'tables' | 'patterns' | 'argument_roles' | 'subject_words' | 'name_keys' | (typeof BY_GROUP)[number]
>;

/** Files in `lists/` with a shape of their own, read elsewhere. */
const OWN_SHAPE = new Set(['lists/injection-markers.yaml', 'lists/tool-names.yaml']);

/**
 * Every other file of `lists/` may hold `lists`, `tables` and `patterns`, in whichever file a reader expects them.
 *
 * A word has one home. Within a list it is there once; within a table it stands in one row, unless the file names the
 * table in `overlapping_tables`; and of the lists that the file names together in `one_home` it stands in one.
 */
export function readLists(files: Files, groups: readonly string[]): Lists {
  const lists = new Map<string, readonly string[]>();
  const tables = new Map<string, Words>();
  const patterns = new Map<string, ReadonlyMap<string, RegExp>>();
  const shared = files.folder('lists').filter((file) => !OWN_SHAPE.has(file.where));
  for (const file of shared) {
    if (file.has('lists')) for (const [name, words] of file.textsMap('lists')) putOnce(lists, name, words, file);
    if (file.has('tables')) for (const [name, row] of file.rowMap('tables')) putOnce(tables, name, row.ownTexts(), row);
    if (file.has('patterns'))
      for (const [name, row] of file.rowMap('patterns')) putOnce(patterns, name, readGroup(row), row);
    checkTables(file, tables);
  }
  for (const file of shared) {
    checkOneHome(file, lists);
    file.done();
  }
  checkNeeded('list', NEEDED_LISTS, lists, files.problems);
  checkNeeded('table', ['argument_roles', 'subject_words', 'name_keys', ...BY_GROUP], tables, files.problems);
  checkNeeded('group of patterns', NEEDED_PATTERNS, patterns, files.problems);
  for (const name of BY_GROUP) checkGroups(name, tables.get(name), groups, files.problems);
  const table = (name: string): Words => tables.get(name) ?? new Map();
  return {
    lists,
    tables,
    patterns,
    argument_roles: table('argument_roles'),
    subject_words: table('subject_words'),
    name_keys: table('name_keys'),
    intent_words: table('intent_words'),
    sql_words: table('sql_words'),
    shell_programs: table('shell_programs'),
  };
}

/** A word in two rows of a table that does not allow it. */
function checkTables(file: Row, tables: ReadonlyMap<string, Words>): void {
  const overlapping = file.textsOr('overlapping_tables', []);
  const own = file.has('tables') ? [...file.rowMap('tables')] : [];
  for (const name of overlapping)
    if (!own.some(([known]) => known === name))
      file.problems.add(file.where, `\`overlapping_tables\` has \`${name}\`, which is no table of this file`);
  for (const [name, row] of own) {
    if (overlapping.includes(name)) continue;
    checkHomes(row, tables.get(name) ?? new Map());
  }
}

/** A word in two of the lists that share one kind. */
function checkOneHome(file: Row, lists: ReadonlyMap<string, readonly string[]>): void {
  if (!file.has('one_home')) return;
  for (const [kind, names] of file.textsMap('one_home')) {
    const group = new Map<string, readonly string[]>();
    for (const name of names) {
      const words = lists.get(name);
      if (words === undefined) file.problems.add(file.where, `\`one_home.${kind}\` has the unknown list \`${name}\``);
      else group.set(name, words);
    }
    checkHomes(file, group);
  }
}

function checkHomes(row: Row, lists: Words): void {
  const homes = new Map<string, string>();
  for (const [name, words] of lists) {
    for (const word of new Set(words)) {
      const home = homes.get(word);
      if (home === undefined) homes.set(word, name);
      else row.problems.add(row.where, `\`${word}\` stands in \`${home}\` and in \`${name}\`; keep one home`);
    }
  }
}

function readGroup(group: Row): ReadonlyMap<string, RegExp> {
  const patterns = new Map<string, RegExp>();
  for (const [name, row] of group.ownRows()) {
    patterns.set(name, readPattern(row, ''));
    row.done();
  }
  return patterns;
}

function checkNeeded(
  kind: string,
  names: readonly string[],
  found: ReadonlyMap<string, unknown>,
  problems: Problems,
): void {
  for (const name of names) if (!found.has(name)) problems.add('lists', `the ${kind} \`${name}\` is missing`);
}

function checkGroups(name: string, table: Words | undefined, groups: readonly string[], problems: Problems): void {
  for (const group of table?.keys() ?? []) {
    if (groups.includes(group)) continue;
    problems.add(`lists: \`${name}\``, `has the unknown verb group \`${group}\`; see actions/verbs.yaml`);
  }
}

type Markers = Pick<Ontology, 'injection_markers' | 'injection_combination'>;

export function readMarkers(files: Files): Markers {
  const file = files.one('lists/injection-markers.yaml');
  const combination = file.row('combination');
  const markers = new Map<string, InjectionMarker>();
  for (const row of file.rows('markers', 'marker')) {
    const marker: InjectionMarker = {
      marker: row.text('marker'),
      pattern: readPattern(row, ''),
      strength: row.number('strength', 0, 1),
      examples: readExamples(row),
    };
    row.done();
    for (const text of marker.examples.matches)
      if (!marker.pattern.test(text)) row.problems.add(row.where, `misses its example \`${text}\``);
    for (const text of marker.examples.misses)
      if (marker.pattern.test(text)) row.problems.add(row.where, `finds \`${text}\`, which it should miss`);
    putOnce(markers, marker.marker, marker, row);
  }
  const injection_combination = {
    echo_bonus: combination.number('echo_bonus', 0, 1),
    hidden_bonus: combination.number('hidden_bonus', 0, 1),
  };
  combination.done();
  file.done();
  return { injection_markers: [...markers.values()], injection_combination };
}
