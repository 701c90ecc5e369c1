/** Whether the action switches off what the user asks for by name: «take a final snapshot», and `SkipFinalSnapshot: true`. */
import type { AgentEvent } from '../../../../../events/event.ts';
import { parametersOf } from '../../../../../events/parameters.ts';
import { asciiLower, singular, splitWords } from '../../../../../lang/names.ts';
import type { Ontology } from '../../../../../ontology/index.ts';
import { perOntology } from '../../../../../ontology/per-ontology.ts';
import { setOf } from '../../../../../ontology/words.ts';
import type { ContentReading } from '../../../action/content/content.ts';
import type { TextReading } from '../../../conversation/text.ts';
import { perRequest } from '../../../conversation/user-words.ts';
import { foldText } from '../../../words/fold.ts';
import type { Opposite } from './opposite.ts';

const words = perOntology((ontology) => ({
  on: setOf(ontology, 'on_words'),
  off: setOf(ontology, 'off_words'),
  /** `skip`, `no`, `without`: what follows is left out. */
  leaving: setOf(ontology, 'leaving_out_words'),
  keeping: setOf(ontology, 'keeping_words'),
  wishes: setOf(ontology, 'wishing_words'),
  denying: setOf(ontology, 'denying_words'),
}));

const LONGEST_NAME = 48;
const MAX_NAMES = 200;
const LONGEST_TEXT = 8_192;
/** Words between the wish and the thing: «take a last, final snapshot». */
const REACH = 5;
/** Words of a thing: `automated backups`. */
const MAX_THING = 3;
const OUT = 'out';

const NONE: Opposite = { asked: '', done: '' };

/** The words of each sentence of the user that holds a wish. */
const sentencesWithWish = perRequest((said, ontology) => {
  const { wishes } = words(ontology);
  return foldText(said)
    .slice(0, LONGEST_TEXT)
    .split(/[.;!?\n]+/)
    .map((sentence) => (sentence.match(/\p{L}+/gu) ?? []).map(singular))
    .filter((sentence) => sentence.some((word) => wishes.has(word)));
});

export function deniedWish(
  event: AgentEvent,
  ontology: Ontology,
  content: ContentReading,
  text: TextReading,
): Opposite {
  if (!text.has_request) return NONE;
  const left = leftOut(event, ontology, content);
  if (left.length === 0) return NONE;
  const said = sentencesWithWish(text);
  for (const { thing, used } of left)
    if (said.some((sentence) => wishesFor(sentence, thing, ontology))) return { asked: thing.join(' '), done: used };
  return NONE;
}

/** What parameters and options leave out: `skip_final_snapshot: true`, `--no-backup`, `keep_copies: false`. */
function leftOut(event: AgentEvent, ontology: Ontology, content: ContentReading): { thing: string[]; used: string }[] {
  const { on, off, leaving, keeping } = words(ontology);
  const found: { thing: string[]; used: string }[] = [];
  const note = (name: string, isOn: boolean): void => {
    if (name.length > LONGEST_NAME || found.length >= MAX_NAMES) return;
    const [first = '', ...rest] = splitWords(name);
    const thing = rest.slice(0, MAX_THING).map(singular);
    if (thing.length > 0 && (isOn ? leaving : keeping).has(first)) found.push({ thing, used: name });
  };
  for (const { key, value } of parametersOf(event).leaves.slice(0, MAX_NAMES)) {
    const word = asciiLower(String(value).trim());
    if (on.has(word)) note(key, true);
    else if (off.has(word)) note(key, false);
  }
  for (const { words: options } of content.calls)
    for (const { text } of options.slice(0, MAX_NAMES))
      if (/^--[a-z]/.test(text)) note(text.replace(/=.*$/s, ''), true);
  return found;
}

/** «Take a final snapshot», «keep the backups»: a wish, and the thing close behind it, without a «not» before it. */
function wishesFor(said: readonly string[], thing: readonly string[], ontology: Ontology): boolean {
  const { wishes, denying, leaving } = words(ontology);
  return said.some((_, at) => {
    if (!thing.every((word, i) => said[at + i] === word)) return false;
    const before = said.slice(Math.max(0, at - REACH), at);
    // «Leave out the cancelled ones», «skip the final snapshot»: the user wants to do without it.
    const isLeftOut = before.some((word, i) => leaving.has(word) || (wishes.has(word) && before[i + 1] === OUT));
    return !isLeftOut && before.some((word) => wishes.has(word)) && !before.some((word) => denying.has(word));
  });
}
