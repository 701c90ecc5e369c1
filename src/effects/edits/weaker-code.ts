/** What an edit puts in the place of something stronger: a condition that always holds, a weaker hash, a secret in the code, a lower bound. */
import type { Ontology } from '../../ontology/index.ts';
import { perOntology } from '../../ontology/per-ontology.ts';
import { patternOf } from '../../ontology/words.ts';
import type { Edit } from './edits.ts';

export interface Weaker {
  kind: 'check_always_passes' | 'protection_off' | 'second_way_in' | 'failure_ignored' | 'input_becomes_code';
  line: string;
}

const MAX_LINES = 2_000;

const signsOf = perOntology((ontology) => {
  const sign = (name: string): RegExp => patternOf(ontology, 'weaker_code', name);
  return {
    always_true: sign('always_true'),
    script: sign('script'),
    default_secret: sign('default_secret'),
    strong: sign('strong'),
    weak: sign('weak'),
    bounds: sign('bounds'),
    strength: sign('strength'),
    secrets: sign('secrets'),
    raw_filter: sign('raw_filter'),
    absent_passes: sign('absent_passes'),
    fixed_word: sign('fixed_word'),
    lets_pass: sign('lets_pass'),
    check_names: patternOf(ontology, 'weakened_checks', 'check_names'),
    verifying: patternOf(ontology, 'weakened_checks', 'verifying_calls'),
  };
});

/** The lines of an edit that are weaker than what they replace. */
export function weakerCode(edit: Edit, ontology: Ontology): Weaker[] {
  const signs = signsOf(ontology);
  const before = edit.before.split('\n', MAX_LINES).map((line) => line.trim());
  const stood = new Set(before);
  const after = edit.after.split('\n', MAX_LINES).map((line) => line.trim());
  const stands = new Set(after);
  const added = after.filter((line) => line !== '' && !stood.has(line));
  const gone = before.filter((line) => line !== '' && !stands.has(line));
  const found: Weaker[] = [];
  const note = (kind: Weaker['kind'], line: string | undefined): void => {
    if (line !== undefined) found.push({ kind, line });
  };
  if (!signs.script.test(edit.path))
    note(
      'check_always_passes',
      added.find((line) => signs.always_true.test(line)),
    );
  // `refuse unless given.blank? || compare(expected, given)`: who sends nothing passes.
  note(
    'check_always_passes',
    added.find((line) => {
      const at = signs.verifying.exec(line)?.index ?? -1;
      // Where the check is denied, its line says who is refused, and one more reason to refuse weakens nothing.
      if (at < 0 || !signs.absent_passes.test(line) || DENIED.test(line.slice(0, at))) return false;
      const rest = line.replace(signs.absent_passes, '').replace(/\s/g, '');
      return gone.some((was) => signs.verifying.test(was) && was.replace(/\s/g, '') === rest);
    }),
  );
  if (!signs.default_secret.test(edit.before))
    note(
      'second_way_in',
      added.find((line) => signs.default_secret.test(line) && gone.some((was) => sharesName(was, line))),
    );
  note('second_way_in', wordThatPasses(edit, after, stood, signs));
  if (gone.some((was) => signs.strong.test(was)) && !added.some((line) => signs.strong.test(line)))
    note(
      'protection_off',
      added.find((line) => signs.weak.test(line)),
    );
  const keepsSecrets = signs.secrets.test(`${edit.path}\n${edit.before}`);
  for (const line of added) {
    if (signs.raw_filter.test(line) && stood.has(line.replace(signs.raw_filter, ''))) note('input_becomes_code', line);
    const stem = withoutNumbers(line);
    const isStrength = keepsSecrets && signs.strength.test(line);
    if (!isStrength && !signs.bounds.test(line)) continue;
    const was = gone.find((one) => withoutNumbers(one) === stem);
    if (was !== undefined && numberIn(line) < numberIn(was) * MUCH_LESS)
      note(isStrength ? 'protection_off' : 'failure_ignored', line);
  }
  return found;
}

/**
 * «if (password === "x7") return true» before a check: who knows a word that stands in the code passes. Roles and kinds of values are
 * compared that way in honest checks and are no such words.
 */
function wordThatPasses(
  edit: Edit,
  after: readonly string[],
  stood: ReadonlySet<string>,
  signs: ReturnType<typeof signsOf>,
): string | undefined {
  if (edit.is_whole || edit.before === '' || !signs.check_names.test(`${edit.path} ${edit.before}`)) return undefined;
  return after.find((line, i) => {
    if (line === '' || stood.has(line) || !signs.fixed_word.test(line)) return false;
    return signs.lets_pass.test(line) || signs.lets_pass.test(after[i + 1] ?? '');
  });
}

/** What precedes a call that is denied: `!`, `not auth.`. */
const DENIED = /(?:!|\bnot\s{1,4})\s{0,2}[\w.:>-]{0,60}$/;

/** A bound that shrinks below this part demands something else. */
const MUCH_LESS = 0.7;
const NAME = /\w{5,60}/g;

/** Whether the new line says where the value of the old one comes from. */
function sharesName(was: string, line: string): boolean {
  const names = new Set(was.match(NAME) ?? []);
  return (line.match(NAME) ?? []).some((name) => names.has(name));
}

const NUMBER = /\d[\d_]{0,15}(?:\.\d{1,9})?/;
const NUMBERS = new RegExp(NUMBER, 'g');
const withoutNumbers = (line: string): string => line.replace(NUMBERS, '0');
const numberIn = (line: string): number => Number((NUMBER.exec(line)?.[0] ?? '0').replaceAll('_', ''));

/** A file of results that says that all tests passed, written by hand: the runner of the tests writes such files. */
export function forgedReport({ path, after, is_whole }: Edit, ontology: Ontology): string | undefined {
  const files = patternOf(ontology, 'weaker_code', 'report_files');
  const passed = patternOf(ontology, 'weaker_code', 'report_passed');
  return is_whole && files.test(path) ? after.split('\n', MAX_LINES).find((line) => passed.test(line)) : undefined;
}
