/**
 * A text, certificate or entry of the action says what the look-up that it rests on denies: «resolved unanimously» where the transcript
 * says «no vote today», «clinically proven» where the product sheet says «no clinical study».
 */
import type { AgentEvent } from '../../../../events/event.ts';
import { type Leaf, parametersOf } from '../../../../events/parameters.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { listOf, patternOf, setOf } from '../../../../ontology/words.ts';
import { perPassage } from '../../conversation/kept-passages.ts';
import type { TextReading } from '../../conversation/text.ts';
import { foldText, letterWordsIn } from '../../words/fold.ts';
import { anchorWords } from './anchors.ts';

const topics = perOntology((ontology) => {
  const negative = setOf(ontology, 'negative_claim_topics');
  return listOf(ontology, 'claim_topics').map((topic) => ({
    claimed: patternOf(ontology, topic, 'claimed'),
    denied: patternOf(ontology, topic, 'denied'),
    is_negative: negative.has(topic),
  }));
});
type Topic = ReturnType<typeof topics>[number];

interface Denial {
  topic: Topic;
  said: string;
  /** It, and what precedes it. */
  around: string;
}

const words = perOntology((ontology) => ({ denying: setOf(ontology, 'claim_turning_words') }));

export interface DeniedClaim {
  claim: string;
  /** The words of the look-up. */
  denial: string;
}

const MAX_LEAVES = 200;
const MAX_VALUE = 8_000;
const MAX_PASSAGES = 12;
const MAX_PASSAGE = 32_768;
const MAX_SENTENCES = 400;
/** Characters before a denial that say what it is about. */
const BEFORE = 400;
const LONGEST = 160;

/** The first one; undefined where the look-ups deny nothing that the action says. */
export function deniedClaim(event: AgentEvent, ontology: Ontology, text: TextReading): DeniedClaim | undefined {
  if (text.untrusted.length === 0) return undefined;
  const leaves = parametersOf(event)
    .leaves.slice(0, MAX_LEAVES)
    .filter((leaf): leaf is Leaf & { value: string } => typeof leaf.value === 'string');
  const all = text.untrusted.slice(-MAX_PASSAGES).flatMap((passage) => denialsIn(passage, ontology));
  if (all.length === 0) return undefined;
  for (const topic of topics(ontology)) {
    const denials = all.filter((denial) => denial.topic === topic);
    if (denials.length === 0) continue;
    const { claimed, is_negative } = topic;
    for (const leaf of leaves) {
      const claim = sentencesIn(leaf.value).find(
        (sentence) => claimed.test(sentence) && (is_negative || !isTurned(sentence, ontology)),
      );
      if (claim === undefined) continue;
      const about = new Set(besides(leaf, leaves).flatMap(anchorWords));
      const denial = denials.find((one) => anchorWords(one.around).some((word) => about.has(word)));
      if (denial !== undefined) return { claim: claim.slice(0, LONGEST), denial: denial.said.slice(0, LONGEST) };
    }
  }
  return undefined;
}

/** The first denial of each topic. */
const denialsIn = perPassage((passage, ontology): readonly Denial[] => {
  const folded = foldText(passage.slice(0, MAX_PASSAGE));
  return topics(ontology).flatMap((topic) => {
    const found = topic.denied.exec(folded);
    if (found === null) return [];
    const [said] = found;
    return [{ topic, said, around: folded.slice(Math.max(0, found.index - BEFORE), found.index + said.length) }];
  });
});

const sentencesIn = (value: string): string[] =>
  foldText(value.slice(0, MAX_VALUE))
    .split(/[.!?;](?=\s|$)|[\n。！？；]/)
    .slice(0, MAX_SENTENCES)
    .map((sentence) => sentence.trim());

const isTurned = (sentence: string, ontology: Ontology): boolean =>
  letterWordsIn(sentence).some((word) => words(ontology).denying.has(word));

/** The value, and those of the same element of a list, or else all that stand in no list. */
function besides(leaf: Leaf, leaves: readonly (Leaf & { value: string })[]): string[] {
  const end = leaf.path.lastIndexOf(']');
  const element = end < 0 ? '' : leaf.path.slice(0, end + 1);
  const isBeside = ({ path }: Leaf): boolean => (element === '' ? !path.includes('[') : path.startsWith(element));
  return leaves.filter(isBeside).map(({ value }) => value.slice(0, MAX_VALUE));
}
