/**
 * Answers of the service that is carrying out what the user asked: «You should verify your account first» after the call that changes the
 * password. What such a service asks for before it goes on comes from no outsider, as long as it names no value for the step.
 */
import type { AgentEvent } from '../../../events/event.ts';
import { singularsOf } from '../../../lang/names.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { callsIn, unaskedResults } from '../conversation/calls.ts';
import { corpusOf, sideOf } from '../conversation/corpus.ts';
import type { Request } from '../conversation/request.ts';
import type { TextReading } from '../conversation/text.ts';
import { verbLookup, verbOfName } from '../words/verb-lookup.ts';
import { vocabularyOf } from '../words/vocabulary.ts';
import { wordSet } from '../words/word-lists.ts';

/** Shorter words of names, such as `get`, tell no service. */
const SHORTEST_NOUN = 4;

/**
 * Indices of the messages that hold such answers: each call before them does what the user asked, more than to look, and its name shares
 * a noun with the tool that is called now.
 */
export function serviceAnswers(
  event: AgentEvent,
  tool_name: string,
  text: TextReading,
  { groups }: Request,
  ontology: Ontology,
): ReadonlySet<number> {
  const found = new Set<number>();
  const nouns = nounsOf(tool_name, ontology);
  if (nouns.size === 0 || groups === 0) return found;
  const unasked = unaskedResults(event, ontology);
  const history = event.conversation_history ?? [];
  let isOfService = false;
  for (const { segment } of corpusOf(text).stretches) {
    const side = sideOf(segment.speaker);
    if (side === 'tool' && isOfService && !unasked.has(segment.index)) found.add(segment.index);
    else if (side !== 'tool') {
      const message = side === 'agent' ? history[segment.index] : undefined;
      const calls = message === undefined ? [] : callsIn(message, segment.index);
      isOfService =
        calls.length > 0 && calls.every(({ name }) => isAsked(name, groups, ontology) && shares(name, nouns));
    }
  }
  return found;
}

function isAsked(name: string, asked: number, ontology: Ontology): boolean {
  const group = verbOfName(name, verbLookup(ontology))?.group ?? '';
  return !wordSet(ontology, 'preparing_groups').has(group) && (vocabularyOf(ontology).bitOf(group) & asked) !== 0;
}

function nounsOf(name: string, ontology: Ontology): ReadonlySet<string> {
  const { words } = verbLookup(ontology);
  return new Set(singularsOf(name).filter((word) => word.length >= SHORTEST_NOUN && !words.has(word)));
}

const shares = (name: string, nouns: ReadonlySet<string>): boolean => singularsOf(name).some((word) => nouns.has(word));
