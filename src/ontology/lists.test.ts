/** What lists, markers and the words of tool names must not be. */
import { at, set, testBroken } from '../../test/support/smallest-ontology.ts';

testBroken([
  [
    'marker that misses its example',
    set('lists/injection-markers.yaml', 'markers 0 examples', 'matches', ['obey']),
    /`m`: misses its example `obey`/,
  ],
  [
    'marker that finds too much',
    set('lists/injection-markers.yaml', 'markers 0 examples', 'misses', ['ignore']),
    /`m`: finds `ignore`/,
  ],
  [
    'missing list',
    (d) => delete at(d, 'lists/words.yaml', 'lists')['credential_paths'],
    /^lists: the list `credential_paths` is missing/,
  ],
  [
    'missing table',
    (d) => delete at(d, 'lists/words.yaml', 'tables')['intent_words'],
    /^lists: the table `intent_words` is missing/,
  ],
  [
    'missing patterns',
    (d) => delete at(d, 'lists/words.yaml', 'patterns')['shell_shapes'],
    /^lists: the group of patterns `shell_shapes` is missing/,
  ],
  [
    'table with an unknown verb group',
    set('lists/words.yaml', 'tables', 'sql_words', { burn: ['x'] }),
    /`sql_words`: has the unknown verb group `burn`/,
  ],
  [
    'word twice in a list',
    set('lists/words.yaml', 'lists', 'production_words', ['prod', 'prod']),
    /^lists\/words\.yaml: `lists\.production_words` has `prod` twice/,
  ],
  [
    'word in two rows of a table',
    set('lists/words.yaml', 'tables', 'name_keys', { label: ['name'], owner: ['name'] }),
    /^lists\/words\.yaml: `name_keys`: `name` stands in `label` and in `owner`; keep one home/,
  ],
  [
    'word in two lists of one kind',
    (d) => {
      set('lists/words.yaml', '', 'one_home', { environments: ['production_words', 'non_production_words'] })(d);
      set('lists/words.yaml', 'lists', 'non_production_words', ['test', 'x'])(d);
    },
    /^lists\/words\.yaml: `x` stands in `production_words` and in `non_production_words`; keep one home/,
  ],
  [
    'kind with an unknown list',
    set('lists/words.yaml', '', 'one_home', { moons: ['moon_words'] }),
    /`one_home\.moons` has the unknown list `moon_words`/,
  ],
  [
    'overlapping table that does not exist',
    set('lists/words.yaml', '', 'overlapping_tables', ['moons']),
    /`overlapping_tables` has `moons`, which is no table of this file/,
  ],
  [
    'pattern with words that stand nowhere',
    set('lists/words.yaml', 'patterns shell_shapes', 'a', { pattern: 'a', words: ['b'] }),
    /`a`: write `{words}` in the pattern/,
  ],
  [
    'slow pattern in a list',
    set('lists/words.yaml', 'patterns shell_shapes', 'a', { pattern: 'a+' }),
    /`shell_shapes`: `a`: the pattern repeats without/,
  ],
  [
    'tool word for an unknown verb',
    set('lists/tool-names.yaml', 'verb_words', 'get', 'burn'),
    /`get`: means the unknown verb `burn`/,
  ],
]);
