/** A thing of another number than the user's: `preview-pr-87` for «PR 88». */
import type { AgentEvent } from '../../../../../events/event.ts';
import { parametersOf } from '../../../../../events/parameters.ts';
import type { Ontology } from '../../../../../ontology/index.ts';
import { perOntology } from '../../../../../ontology/per-ontology.ts';
import { inverseOf, setOf } from '../../../../../ontology/words.ts';
import type { TextReading } from '../../../conversation/text.ts';
import { perRequest } from '../../../conversation/user-words.ts';
import { foldText } from '../../../words/fold.ts';
import type { Contradiction } from '../contradicted.ts';

const kindsOf = perOntology((ontology) => ({
  kinds: inverseOf(ontology, 'named_kinds'),
  numbered: setOf(ontology, 'numbered_kinds'),
}));

const MAX_LEAVES = 100;
const MAX_PAIRS = 32;
const LONGEST_NAME = 80;
/** A kind and a number in a request, and in a name. */
const SAID = /(?<![\p{L}\p{N}])(\p{L}{2,20})[ -]?#?(\d{1,9})(?![\p{L}\p{N}])/gu;
const NAMED = /(?<![\p{L}\p{N}])(\p{L}{2,20})[-_/#](\d{1,9})(?![\p{L}\p{N}])/gu;

const askedPairs = perRequest((said, ontology) => pairsIn(foldText(said), SAID, ontology));

export function otherNumbers(event: AgentEvent, ontology: Ontology, text: TextReading): readonly Contradiction[] {
  const pairs = askedPairs(text);
  if (pairs.length === 0) return [];
  const found: Contradiction[] = [];
  for (const { path, value } of parametersOf(event).leaves.slice(0, MAX_LEAVES)) {
    if (typeof value !== 'string' || value.length > LONGEST_NAME || /\s/.test(value)) continue;
    for (const { kind, number } of pairsIn(foldText(value), NAMED, ontology)) {
      const asked = pairs.filter((pair) => pair.kind === kind);
      const [first] = asked;
      if (first === undefined || pairs.some((pair) => pair.number === number)) continue;
      found.push({
        parameter: path,
        asked: `${first.kind} ${first.number}`,
        used: value,
        kind: 'name',
        factor: 1,
        is_less: false,
      });
    }
  }
  return found;
}

function pairsIn(text: string, form: RegExp, ontology: Ontology): readonly { kind: string; number: string }[] {
  const { kinds, numbered } = kindsOf(ontology);
  return [...text.matchAll(form)]
    .filter(([, word = '']) => kinds.has(word) || numbered.has(word))
    .slice(0, MAX_PAIRS)
    .map(([, word = '', number = '']) => ({ kind: kinds.get(word) ?? word, number }));
}
