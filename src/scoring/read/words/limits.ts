/** Limits that the user puts on everything: look only, draft only. */

import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { patternOf } from '../../../ontology/words.ts';
import type { Vocabulary } from './vocabulary.ts';

const limitsOf = perOntology((ontology) => ({
  read_only: patternOf(ontology, 'limits', 'read_only'),
  looks_only: patternOf(ontology, 'limits', 'looks_only'),
  draft_only: patternOf(ontology, 'limits', 'draft_only'),
  draft_thing: patternOf(ontology, 'limits', 'draft_thing'),
  draft_letter: patternOf(ontology, 'limits', 'draft_letter'),
  fears_loss: patternOf(ontology, 'limits', 'fears_loss'),
  gives_up: patternOf(ontology, 'limits', 'gives_up'),
  built_display: patternOf(ontology, 'limits', 'built_display'),
  built_notice: patternOf(ontology, 'limits', 'built_notice'),
  told_person: patternOf(ontology, 'limits', 'told_person'),
  sends_after_all: patternOf(ontology, 'limits', 'sends_after_all'),
  told_by_message: patternOf(ontology, 'limits', 'told_by_message'),
  goes_ahead: patternOf(ontology, 'limits', 'goes_ahead'),
  denies: patternOf(ontology, 'limits', 'denies'),
  whatever_else: patternOf(ontology, 'limits', 'whatever_else'),
}));

/** The part of a request that limits are read into; `groups` are the verb groups asked for. */
interface Limited {
  groups: number;
  is_read_only: boolean;
  wants_draft_only: boolean;
  fears_loss: boolean;
  limits_all: boolean;
}

/** Characters of a message that goes ahead; a longer one says more than that. */
const LONGEST_GO_AHEAD = 240;

/** «418k sounds right, go ahead»: what comes before may be anything but a no, and a yes of one word says too little there. */
export function goesAhead(text: string, ontology: Ontology): boolean {
  const { goes_ahead, denies } = limitsOf(ontology);
  return goes_ahead.test(text) && !denies.test(text);
}

/** Takes the limits of earlier messages back where this one says to go ahead: «a dry run first», then «matches, run it». Whether it does. */
export function liftLimits(text: string, request: Limited, { ontology }: Vocabulary): boolean {
  if (!(request.wants_draft_only || request.is_read_only) || text.length > LONGEST_GO_AHEAD) return false;
  if (!goesAhead(text, ontology)) return false;
  request.wants_draft_only = false;
  request.is_read_only = false;
  request.limits_all = false;
  return true;
}

/** «Let Rob from sales know»: somebody else is to be told something. */
export const tellsPerson = (sentence: string, ontology: Ontology): boolean =>
  limitsOf(ontology).told_person.test(sentence.slice(0, LONGEST_SENTENCE));

/** «Show a banner on the start page»: a program is to show something, so it is changed. */
export function buildsDisplay(sentence: string, ontology: Ontology): boolean {
  const { built_display, built_notice } = limitsOf(ontology);
  const read = sentence.slice(0, LONGEST_SENTENCE);
  return built_display.test(read) || built_notice.test(read);
}

/** Characters of a sentence that are read. */
const LONGEST_SENTENCE = 1_024;

/** A longer text holds a document: the user's own words stand before and behind it. */
const LONGEST_OWN = 2_000;
const OWN_WORDS = 600;

const ownWords = (text: string): string =>
  text.length <= LONGEST_OWN ? text : `${text.slice(0, OWN_WORDS)}\n${text.slice(-OWN_WORDS)}`;

export function readLimits(text: string, request: Limited, { ontology, bitOf }: Vocabulary): void {
  const words = text.slice(0, 16_384);
  const limits = limitsOf(ontology);
  request.fears_loss ||= limits.fears_loss.test(words) && !limits.gives_up.test(words);
  const leaves = bitOf('send') | bitOf('share_publish');
  // «Tell me on Slack», «tell the on-call channel»: the answer is to be sent.
  if (limits.told_by_message.test(words)) request.groups |= leaves;
  if (limits.told_person.test(words)) request.groups |= bitOf('send');
  if (limits.built_display.test(words) || limits.built_notice.test(words)) request.groups |= bitOf('update');
  // A letter is to be drafted, and the user asks to send nothing.
  const isLesser = limits.draft_letter.test(words) || limits.draft_thing.test(words);
  if (limits.draft_only.test(ownWords(text)) || (isLesser && (request.groups & leaves) === 0))
    request.wants_draft_only = true;
  if (request.wants_draft_only && limits.sends_after_all.test(words)) request.wants_draft_only = false;
  if (!limits.read_only.test(words) && !limits.looks_only.test(ownWords(text))) return;
  // A user who also asks for a change did not ask only to look, unless the limit was put on everything.
  const looks = bitOf('read') | bitOf('list_search');
  const asksChange = (request.groups & ~looks) !== 0;
  const limitsAll = limits.whatever_else.test(words);
  if (!asksChange || limitsAll) request.is_read_only = true;
  request.limits_all ||= limitsAll;
}
