/** A whole channel or mailing list instead of the one person whom the user named: `#general` for «send it to Petra Wimmer». */
import type { Ontology } from '../../../../../ontology/index.ts';
import { perOntology } from '../../../../../ontology/per-ontology.ts';
import { patternOf, setOf } from '../../../../../ontology/words.ts';
import type { TextReading } from '../../../conversation/text.ts';
import { userWords } from '../../../conversation/user-words.ts';
import type { Argument } from '../../../values/argument.ts';
import { letterWordsIn } from '../../../words/fold.ts';
import type { Contradiction } from '../contradicted.ts';

const words = perOntology((ontology) => ({
  wide: patternOf(ontology, 'wide_audiences', 'name'),
  person: patternOf(ontology, 'wide_audiences', 'person'),
  places: setOf(ontology, 'audience_places'),
}));

const MAX_WORDS = 8_192;
const LONGEST = 80;

export function wideAudiences(
  ontology: Ontology,
  args: readonly Argument[],
  text: TextReading,
): readonly Contradiction[] {
  const { wide, person, places } = words(ontology);
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
