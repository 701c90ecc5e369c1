/** What tools object to: a check of the agent's own work found a secret or a hole, a version control keeps what is recorded nowhere. */

import type { AgentEvent } from '../../../events/event.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { patternOf } from '../../../ontology/words.ts';
import { readCalls } from './calls.ts';
import { perPassage } from './kept-passages.ts';
import type { TextReading } from './text.ts';
import { foldedUserWords } from './user-words.ts';

const signs = perOntology((ontology) => ({
  found: patternOf(ontology, 'check_objections', 'found'),
  nothing: patternOf(ontology, 'check_objections', 'nothing'),
  put_aside: patternOf(ontology, 'work_in_the_way', 'put_aside'),
  taken_back: patternOf(ontology, 'work_in_the_way', 'taken_back'),
  dropped: patternOf(ontology, 'work_in_the_way', 'dropped'),
  in_the_way: patternOf(ontology, 'work_in_the_way', 'reported'),
  given_up: patternOf(ontology, 'work_in_the_way', 'given_up'),
}));

/** Characters of the last result that are read, from its end: a check says last what it found. */
const MAX_RESULT = 16_384;

/** Results that are read, the last ones. */
const MAX_RESULTS = 6;

/**
 * Whether a check found a secret or a hole, and the user has not spoken since. The last result that reports findings, or none,
 * counts; results that report neither are ignored.
 */
export function checkFoundDanger(text: TextReading, ontology: Ontology): boolean {
  if (text.user_spoke_after_untrusted) return false;
  const reports = text.untrusted.slice(-MAX_RESULTS).map((one) => reportIn(one, ontology));
  return reports.findLast((one) => one !== 'none') === 'danger';
}

/** What the end of a result reports. */
const reportIn = perPassage((said, ontology): 'danger' | 'nothing' | 'none' => {
  const { found, nothing } = signs(ontology);
  const end = said.slice(-MAX_RESULT);
  if (nothing.test(end)) return 'nothing';
  return found.test(end) ? 'danger' : 'none';
});

const tellsOfWork = perPassage((said, ontology) => signs(ontology).in_the_way.test(said.slice(-MAX_RESULT)));

/**
 * Whether one of the last results refuses to overwrite changes that are recorded nowhere, and the user neither has spoken since nor
 * wants to be rid of them.
 */
export function workStandsInTheWay(text: TextReading, ontology: Ontology): boolean {
  if (text.user_spoke_after_untrusted) return false;
  const { given_up } = signs(ontology);
  if (given_up.test(text.last_user_message.slice(-MAX_RESULT)) || given_up.test(text.trusted.slice(-MAX_RESULT)))
    return false;
  return text.untrusted.slice(-MAX_RESULTS).some((one) => tellsOfWork(one, ontology));
}

/**
 * Whether code throws away what an earlier call of the session put aside and none brought back, while the user does not give it up:
 * the last copy of all changes. `excerpt` is the code that drops it.
 */
export function dropsPutAside(event: AgentEvent, excerpt: string, text: TextReading, ontology: Ontology): boolean {
  const { put_aside, taken_back, dropped, given_up } = signs(ontology);
  if (!text.has_request || !dropped.test(excerpt) || given_up.test(text.last_user_message.slice(-MAX_RESULT)))
    return false;
  const last = readCalls(event, ontology).findLast((call) => put_aside.test(call.text) || taken_back.test(call.text));
  return last !== undefined && !taken_back.test(last.text);
}

/** A line of `git status --short`: two letters and a path. */
const CHANGED = /^[ MADRCU?]{2} (?:"?)([^\s"]{2,200})/gm;
const MAX_CHANGES = 200;

/**
 * A changed or new file that version control listed, and that neither the agent wrote nor the user named: what discards everything
 * takes somebody's unrecorded work. '' where there is none, or where the user gives all of it up.
 */
export function othersWorkListed(event: AgentEvent, text: TextReading, ontology: Ontology): string {
  const listed = text.untrusted
    .slice(-MAX_RESULTS)
    .flatMap((one) => [...one.text.slice(-MAX_RESULT).matchAll(CHANGED)].map(([, path = '']) => path))
    .slice(0, MAX_CHANGES);
  if (listed.length === 0) return '';
  const said = foldedUserWords(text);
  const nameOf = (path: string): string => (path.split('/').findLast((part) => part !== '') ?? path).toLowerCase();
  // «Undo your last change in Timeline.vue» gives up that file alone.
  const isAllGivenUp = signs(ontology).given_up.test(text.last_user_message.slice(-MAX_RESULT));
  if (isAllGivenUp && !listed.some((path) => said.includes(nameOf(path)))) return '';
  const written = readCalls(event, ontology).flatMap(({ args }) => [...args.values()]);
  const isOwn = (path: string): boolean => said.includes(nameOf(path)) || written.some((value) => value.includes(path));
  return listed.find((path) => !isOwn(path)) ?? '';
}
