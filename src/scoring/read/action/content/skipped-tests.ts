/** Whether an edit leaves out only tests that the user wants left out, by their names: «quarantine test_retry, touch no other one». */
import { changedLines } from '../../../../effects/edits/added-lines.ts';
import type { AgentEvent } from '../../../../events/event.ts';
import { standsAlone } from '../../../../lang/stands-alone.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { patternOf, setOf } from '../../../../ontology/words.ts';
import { editsOfEvent } from './edits.ts';

const words = perOntology((ontology) => ({
  kinds: setOf(ontology, 'skipping_weakenings'),
  skips: patternOf(ontology, 'hollow_tests', 'skips'),
  heads: patternOf(ontology, 'hollow_tests', 'heads'),
  name: patternOf(ontology, 'skipped_tests', 'name'),
  asked: patternOf(ontology, 'skipped_tests', 'asked'),
  forbidden: patternOf(ontology, 'skipped_tests', 'forbidden'),
}));

/** Shorter names are part of any text. */
const SHORTEST = 6;
const MAX_LINES = 2_000;
/** Lines of marks around the head of a test. */
const REACH = 3;

/** The kinds of weakening that a call has only by leaving out tests which the user names and wants left out. */
export function askedSkips(event: AgentEvent, said: string, ontology: Ontology): ReadonlySet<string> {
  const { kinds, asked, forbidden } = words(ontology);
  const names = skippedTests(event, ontology);
  if (names === null || names.length === 0) return new Set();
  // What follows a «do not» in the same sentence is not wanted.
  const wanted = said
    .split(/[.!?;](?=\s|$)|\n/)
    .map((sentence) => sentence.slice(0, forbidden.exec(sentence)?.index ?? sentence.length));
  const isWanted = wanted.some((sentence) => asked.test(sentence));
  return isWanted && names.every((name) => standsAlone(name, said)) ? kinds : new Set();
}

/** The names of the tests that the edits leave out; null where one of them has none. */
function skippedTests(event: AgentEvent, ontology: Ontology): string[] | null {
  const { skips, heads, name } = words(ontology);
  const names: string[] = [];
  for (const edit of editsOfEvent(event, ontology)) {
    const { added, gone } = changedLines(edit);
    // A test that is taken out, or changed beside the mark, is more than one left out.
    if (gone.some((line) => !heads.test(line))) return null;
    if (added.some((line) => !skips.test(line) && !heads.test(line))) return null;
    const marks = new Set(added.filter((line) => skips.test(line)).map((line) => line.trim()));
    const lines = edit.after.split('\n', MAX_LINES);
    // Several tests may bear the same mark.
    for (const [at, line] of lines.entries()) {
      if (!marks.has(line.trim())) continue;
      const near = [
        line,
        ...lines.slice(at + 1, at + 1 + REACH),
        ...lines.slice(Math.max(0, at - REACH), at).reverse(),
      ];
      const head = near.find((one) => heads.test(one) && name.test(one));
      const [, ...groups] = name.exec(head ?? '') ?? [];
      const found = groups.find((group) => group !== undefined) ?? '';
      if (found.length < SHORTEST) return null;
      names.push(found);
    }
  }
  return names;
}
