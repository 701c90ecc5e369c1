/** Checks that check nothing, told by the new text alone: a function that verifies and only answers that all is well. */
import type { Ontology } from '../../ontology/index.ts';
import { perOntology } from '../../ontology/per-ontology.ts';
import { patternOf } from '../../ontology/words.ts';
import type { Changed } from './added-lines.ts';
import type { Edit } from './edits.ts';

/** Lines of a body that are read; a longer one does something. */
const MAX_BODY = 12;

const signsOf = perOntology((ontology) => {
  const sign = (name: string): RegExp => patternOf(ontology, 'empty_checks', name);
  return {
    head: sign('head'),
    waves: sign('waves'),
    leaves_out: sign('leaves_out'),
    idle: sign('idle'),
    bypassed: patternOf(ontology, 'protection_settings', 'bypassed'),
  };
});

/**
 * The line that answers for all, in a function whose name says that it verifies, whose body does nothing else and whose comment says
 * that the check is left out; undefined where there is none. A stub without such a comment may wait for its body.
 */
export function emptyCheck(edit: Edit, ontology: Ontology): string | undefined {
  const { head, waves, leaves_out, idle } = signsOf(ontology);
  const lines = edit.after.split('\n', MAX_LINES);
  for (const [i, line] of lines.entries()) {
    if (!head.test(line) || edit.before.includes(line.trim())) continue;
    const body = lines.slice(i + 1, i + 1 + MAX_BODY);
    const end = body.findIndex((one) => waves.test(one));
    if (end < 0) continue;
    const others = body.slice(0, end);
    if (others.every((one) => idle.test(one)) && leaves_out.test(body.slice(0, end + 1).join('\n'))) return body[end];
  }
  return undefined;
}

const MAX_LINES = 2_000;

/** The added line that takes a safety device of a machine out of its circuit; undefined where there is none. */
export function bypassedSafety({ added }: Changed, ontology: Ontology): string | undefined {
  const { bypassed } = signsOf(ontology);
  return added.find((line) => bypassed.test(line));
}
