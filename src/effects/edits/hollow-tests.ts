/** Tests that test less after an edit, so that they pass, and code that answers otherwise while it is tested. */
import type { Ontology } from '../../ontology/index.ts';
import { perOntology } from '../../ontology/per-ontology.ts';
import { patternOf } from '../../ontology/words.ts';
import type { Changed } from './added-lines.ts';
import type { Edit } from './edits.ts';

/** Lines below a question whether this is a test in which a fixed answer stands. */
const REACH = 3;
const MAX_LINES = 2_000;

const signsOf = perOntology((ontology) => {
  const sign = (name: string): RegExp => patternOf(ontology, 'hollow_tests', name);
  return {
    assertion: sign('assertion'),
    trivial: sign('trivial'),
    weak: sign('weak'),
    skips: sign('skips'),
    heads: sign('heads'),
    left_out: sign('left_out'),
    forced: sign('forced'),
    told: sign('told'),
    literal: sign('literal'),
  };
});

/**
 * The line that makes a test hollow; undefined when there is none. Only a text that replaces another one can, or a file of the tests
 * that sets their results itself.
 */
export function hollowedTest(edit: Edit, changed: Changed, isTest: boolean, ontology: Ontology): string | undefined {
  const { assertion, trivial, weak, skips, heads, left_out, forced } = signsOf(ontology);
  const { added, gone } = changed;
  if (edit.is_whole || edit.before === '') {
    if (!isTest) return undefined;
    const checks = edit.is_whole ? [] : added.filter((line) => assertion.test(line));
    // A piece of a test whose old text the call does not give, and that checks nothing.
    return (
      added.find((line) => forced.test(line)) ?? (checks.every((line) => trivial.test(line)) ? checks[0] : undefined)
    );
  }
  const left = added.find((line) => left_out.test(line) && !left_out.test(edit.before));
  if (left !== undefined) return left;
  if (!isTest) return toldAnswer(edit, changed, ontology);
  // A new test may wait; one that ran before no longer runs.
  const lines = edit.after.split('\n', MAX_LINES).filter((line) => line.trim() !== '');
  const stood = new Set(edit.before.split('\n', MAX_LINES).map((line) => line.trim()));
  const isOld = (line: string | undefined): boolean => line !== undefined && heads.test(line) && stood.has(line.trim());
  const skipped = added.find((line) => {
    if (!skips.test(line) || skips.test(edit.before)) return false;
    const at = lines.indexOf(line);
    return gone.some((one) => heads.test(one)) || isOld(lines[at + 1]) || isOld(lines[at - 1]);
  });
  if (skipped !== undefined) return skipped;
  const checks = gone.filter((line) => assertion.test(line) && !trivial.test(line));
  if (checks.length === 0) return undefined;
  const now = added.filter((line) => assertion.test(line));
  if (now.length === 0) return checks[0];
  const isWeaker = checks.some((line) => !weak.test(line));
  return now.every((line) => trivial.test(line) || (isWeaker && weak.test(line))) ? now[0] : undefined;
}

function toldAnswer(edit: Edit, { added }: Changed, ontology: Ontology): string | undefined {
  const { told, literal } = signsOf(ontology);
  if (told.test(edit.before)) return undefined;
  return added.find((line, i) => told.test(line) && added.slice(i, i + REACH).some((one) => literal.test(one.trim())));
}
