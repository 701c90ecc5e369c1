/** A whole channel or mailing list instead of the one person whom the user named: `#general` for «send it to Petra Wimmer». */
import type { AgentEvent } from '../../../../../events/event.ts';
import { singular, wordsOf } from '../../../../../lang/names.ts';
import type { Ontology } from '../../../../../ontology/index.ts';
import { perOntology } from '../../../../../ontology/per-ontology.ts';
import { patternOf, setOf } from '../../../../../ontology/words.ts';
import { calledName } from '../../../action/content/call-names.ts';
import type { TextReading } from '../../../conversation/text.ts';
import { userWords } from '../../../conversation/user-words.ts';
import type { Argument } from '../../../values/argument.ts';
import { letterWordsIn } from '../../../words/fold.ts';
import type { Contradiction } from '../contradicted.ts';

const words = perOntology((ontology) => ({
  wide: patternOf(ontology, 'wide_audiences', 'name'),
  person: patternOf(ontology, 'wide_audiences', 'person'),
  places: setOf(ontology, 'audience_places'),
  told: patternOf(ontology, 'wide_audiences', 'told'),
  pronouns: setOf(ontology, 'pronouns_of_one'),
  announcing: setOf(ontology, 'announcing_words'),
}));

/** «Tell Ben he has to see me», and the call by its own name tells everybody. */
function announcedInstead(event: AgentEvent, ontology: Ontology, text: TextReading): Contradiction | null {
  const { told, pronouns, places, announcing } = words(ontology);
  const call = calledName(event);
  if (!wordsOf(call).some((word) => announcing.has(singular(word)))) return null;
  const request = userWords(text).slice(0, MAX_WORDS);
  const [, name] = told.exec(request) ?? [];
  const own = letterWordsIn(request);
  if (name === undefined || !own.some((word) => pronouns.has(word)) || own.some((word) => places.has(word)))
    return null;
  return { parameter: 'action', asked: name, used: call, kind: 'address', factor: 1, is_less: false };
}

const MAX_WORDS = 8_192;
const LONGEST = 80;

export function wideAudiences(
  event: AgentEvent,
  ontology: Ontology,
  args: readonly Argument[],
  text: TextReading,
): readonly Contradiction[] {
  const { wide, person, places } = words(ontology);
  const announced = announcedInstead(event, ontology, text);
  if (announced !== null) return [announced];
  const used = args.find(
    ({ role, value, provenance }) =>
      role === 'recipient' && provenance !== 'user' && value.length <= LONGEST && wide.test(value),
  );
  if (used === undefined) return [];
  const request = userWords(text).slice(0, MAX_WORDS);
  const [, name] = person.exec(request) ?? [];
  const own = letterWordsIn(request);
  if (name === undefined || own.some((word) => places.has(word))) return [];
  return [{ parameter: used.path, asked: name, used: used.value, kind: 'address', factor: 1, is_less: false }];
}
