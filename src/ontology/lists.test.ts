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
