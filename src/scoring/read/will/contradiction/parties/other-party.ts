/** Another party of a matter than the one that the user speaks of: the opposing counsel's address where the user said «our client». */
import type { AgentEvent } from '../../../../../events/event.ts';
import { parametersOf, walkOf } from '../../../../../events/parameters.ts';
import { isObject, parseJson } from '../../../../../lang/json.ts';
import { singular, wordsOf } from '../../../../../lang/names.ts';
import type { Ontology } from '../../../../../ontology/index.ts';
import { perOntology } from '../../../../../ontology/per-ontology.ts';
import { setOf } from '../../../../../ontology/words.ts';
import type { TextReading } from '../../../conversation/text.ts';
import { foldedUserWords, singularsOfUser } from '../../../conversation/user-words.ts';
import { foldText } from '../../../words/fold.ts';
import type { Contradiction } from '../contradicted.ts';

const words = perOntology((ontology) => ({ parties: setOf(ontology, 'party_words') }));

const ADDRESS = /^[^\s@]{1,64}@[^\s@]{1,190}$/;
const MAX_PASSAGES = 8;
const MAX_PASSAGE = 16_384;
const MAX_LEAVES = 200;

interface Party {
  address: string;
  /** Words of the path to it that name a party. */
  roles: readonly string[];
}

export function otherParties(event: AgentEvent, ontology: Ontology, text: TextReading): readonly Contradiction[] {
  if (text.untrusted.length === 0) return [];
  const used = parametersOf(event)
    .leaves.slice(0, MAX_LEAVES)
    .filter(({ value }) => typeof value === 'string' && ADDRESS.test(value));
  if (used.length === 0) return [];
  const own = singularsOfUser(text);
  const isAsked = ({ roles }: Party): boolean => roles.some((role) => own.has(role));
  for (const { text: passage } of text.untrusted.slice(-MAX_PASSAGES)) {
    const parties = partiesIn(passage, ontology);
    const asked = parties.find(isAsked);
    if (asked === undefined || used.some(({ value }) => value === asked.address)) continue;
    const other = used.find(({ value }) =>
      parties.some((party) => party.address === value && party.roles.length > 0 && !isAsked(party)),
    );
    if (other !== undefined && !foldedUserWords(text).includes(foldText(String(other.value))))
      return [
        {
          parameter: other.path,
          asked: asked.address,
          used: String(other.value),
          kind: 'address',
          factor: 1,
          is_less: false,
        },
      ];
  }
  return [];
}

/** The addresses of a result that is one JSON value, with what their fields call the party. */
function partiesIn(passage: string, ontology: Ontology): readonly Party[] {
  if (passage.length > MAX_PASSAGE || !passage.trimStart().startsWith('{')) return [];
  const parsed = parseJson(passage);
  if (!isObject(parsed)) return [];
  return walkOf(parsed)
    .leaves.slice(0, MAX_LEAVES)
    .filter(({ value }) => typeof value === 'string' && ADDRESS.test(value))
    .map(({ path, value }) => ({
      address: String(value),
      roles: wordsOf(path)
        .map((word) => singular(word))
        .filter((word) => words(ontology).parties.has(word)),
    }));
}
