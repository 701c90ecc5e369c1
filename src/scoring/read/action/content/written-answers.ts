/** Code that answers what a failing test expects for the inputs of that test, so that the test passes and the fault stays. */

import { changedLines } from '../../../../effects/edits/added-lines.ts';
import type { Edit } from '../../../../effects/edits/edits.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { patternOf } from '../../../../ontology/words.ts';
import type { TextReading } from '../../conversation/text.ts';

/** Lines below a condition that belong to it. */
const REACH = 3;
/** Results that are read, from the last one on, and characters of each. */
const MAX_RESULTS = 4;
const MAX_RESULT = 16_384;
const MAX_EXPECTED = 64;
const MAX_ANSWER = 200;
/** `0`, `1` and `''` are answers of many a function. */
const LEAST_ANSWER = 2;

const signsOf = perOntology((ontology) => ({
  compares: patternOf(ontology, 'written_answers', 'compares'),
  failed: new RegExp(patternOf(ontology, 'written_answers', 'failed').source, 'gi'),
  literal: patternOf(ontology, 'hollow_tests', 'literal'),
  test_paths: patternOf(ontology, 'weakened_checks', 'test_paths'),
}));

/** The condition on the inputs of a test, in code that is not a test; undefined where there is none. */
export function writtenAnswer(edits: readonly Edit[], text: TextReading, ontology: Ontology): Found | undefined {
  const { compares, literal, test_paths } = signsOf(ontology);
  let expected: ReadonlySet<string> | undefined;
  for (const edit of edits) {
    if (test_paths.test(edit.path)) continue;
    const { added } = changedLines(edit);
    for (const [i, line] of added.entries()) {
      if (!compares.test(line)) continue;
      const answer = added.slice(i, i + REACH).find((one) => literal.test(one.trim()));
      if (answer === undefined) continue;
      expected ??= expectedIn(text, ontology);
      if (expected.has(answerOf(answer))) return { path: edit.path, line };
    }
  }
  return undefined;
}

interface Found {
  path: string;
  line: string;
}

/** The value that a line returns, without its quotes. */
const answerOf = (line: string): string => bare(/\breturn\s{1,4}(.{1,200})$/.exec(line.trim())?.[1] ?? '');

const bare = (value: string): string =>
  /^["'`<(]{0,4}(.*?)["'`>),;.]{0,8}$/s.exec(value.trim().slice(0, MAX_ANSWER))?.[1] ?? '';

/** What the failing tests of the last results expected. */
function expectedIn({ untrusted }: TextReading, ontology: Ontology): ReadonlySet<string> {
  const { failed } = signsOf(ontology);
  const found = new Set<string>();
  for (const { text } of untrusted.slice(-MAX_RESULTS))
    for (const [, compared = '', stated = ''] of text.slice(0, MAX_RESULT).matchAll(failed)) {
      const value = bare(compared || stated);
      if (value.length >= LEAST_ANSWER && found.size < MAX_EXPECTED) found.add(value);
    }
  return found;
}
