/** Whether an address answers the look-up of a name that the user said: `find_address({"name": "kofi"})` in a directory. */
import { singular, wordsOf } from '../../../lang/names.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { setOf } from '../../../ontology/words.ts';
import { type Corpus, sideOf } from '../conversation/corpus.ts';
import { lex } from '../words/lexer.ts';
import type { Value } from '../words/normalise.ts';
import type { Vocabulary } from '../words/vocabulary.ts';
import type { Place } from './locate.ts';

const directoryWords = perOntology((ontology) => setOf(ontology, 'directory_words'));
const CALL = /^\s{0,8}([\w.-]{1,120})\(/;
const LONGEST_CALL = 2_048;
/** A shorter word of an address is no name. */
const SHORTEST_NAME = 3;

/**
 * True when the value stands in the result of a directory look-up, and shares a word with that look-up which the user
 * said. A directory is kept by the organisation; a search in mail or pages finds what strangers wrote and does not count.
 */
export function answersLookUp(value: Value, outside: readonly Place[], corpus: Corpus, { ontology }: Vocabulary): boolean {
  if (value.kind !== 'email' || outside.length === 0 || corpus.user.is_empty) return false;
  const name = lex(value.normal.slice(0, value.normal.lastIndexOf('@')));
  const names = new Set<number>();
  for (let i = 0; i < name.count; i++)
    if (name.end[i]! - name.start[i]! >= SHORTEST_NAME && corpus.user.has(name.hash[i]!)) names.add(name.hash[i]!);
  if (names.size === 0) return false;
  return outside.some((place) => {
    const at = corpus.stretches.indexOf(corpus.tool.stretchOf(place.word));
    const before = corpus.stretches[at - 1];
    if (before === undefined || sideOf(before.segment.speaker) !== 'agent') return false;
    const call = before.segment.text.slice(0, LONGEST_CALL);
    const tool = CALL.exec(call)?.[1] ?? '';
    if (!wordsOf(tool).some((word) => directoryWords(ontology).has(singular(word)))) return false;
    const { count, hash } = lex(call.slice(tool.length));
    for (let i = 0; i < count; i++) if (names.has(hash[i]!)) return true;
    return false;
  });
}
