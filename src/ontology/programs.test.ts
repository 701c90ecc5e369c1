/** What entries of programs must not be. */
import { at, push, set, testBroken } from '../../test/support/smallest-ontology.ts';

const FILE = 'programs/files.yaml';

testBroken([
  [
    'program in two entries',
    (d) => push(at(d, FILE)['programs'], { reader: 'list', names: ['rm'] }),
    /^programs\/files\.yaml: `list`: the program `rm` stands in programs\/files\.yaml: `remove` already/,
  ],
  [
    'program in two files',
    (d) => (d['programs/more.yaml'] = { programs: [{ reader: 'list', names: ['rm'] }] }),
    /^programs\/more\.yaml: `list`: the program `rm` stands in programs\/files\.yaml: `remove` already/,
  ],
  ['program twice in an entry', set(FILE, 'programs 0', 'names', ['rm', 'rm']), /`names` has `rm` twice/],
  ['program with capitals', set(FILE, 'programs 0', 'names', ['Rm']), /the program `Rm` has capitals/],
  ['entry without a program', set(FILE, 'programs 0', 'names', []), /`names` is empty/],
  ['entry without a reader', (d) => delete at(d, FILE, 'programs 0')['reader'], /`reader` is nothing; write a text/],
  ['option twice', set(FILE, 'programs 0', 'recursive', ['r', 'r']), /`remove`: `recursive` has `r` twice/],
  [
    'slow pattern of a program',
    set(FILE, 'programs 0', 'deep', { pattern: '-r+' }),
    /`remove`: `deep`: the pattern repeats without an upper bound/,
  ],
  [
    'misspelt field of a pattern',
    set(FILE, 'programs 0', 'deep', { pattern: '-r', flag: 'i' }),
    /`deep`: has the unknown field `flag`/,
  ],
]);
