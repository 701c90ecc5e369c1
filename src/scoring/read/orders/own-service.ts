/**
 * Answers of the service that carries out what the user asked: «You should verify your account first» after the call that changes the
 * password. Such a service is not an outsider: a step that it asks for first is not an injected order, unless it gives a value for the step.
 */
import { singularsOf } from '../../../lang/names.ts';
import type { Ontology } from '../../../ontology/index.ts';
import type { Request } from '../conversation/request.ts';
import { memoOf, type TextReading } from '../conversation/text.ts';
import { answersOf } from '../conversation/transcript/answered-calls.ts';
import { verbOfName } from '../words/verb-lookup.ts';
import { verbLookup } from '../words/verb-table.ts';
import { vocabularyOf } from '../words/vocabulary.ts';
import { wordSet } from '../words/word-lists.ts';

/** Shorter words of names, such as `get`, tell no service. */
const SHORTEST_NOUN = 4;

/**
 * Indices of the messages that hold such answers: each call before them does what the user asked, more than to look, and its name shares
 * a noun with the tool that is called now.
 */
export function serviceAnswers(
  tool_name: string,
  text: TextReading,
  { groups }: Request,
  ontology: Ontology,
): ReadonlySet<number> {
  return memoOf(text).get('service answers', () => {
    const nouns = nounsOf(tool_name, ontology);
    if (nouns.size === 0 || groups === 0) return NONE;
    return answersOf(text, ({ name }) => isAsked(name, groups, ontology) && shares(name, nouns));
  });
}

const NONE: ReadonlySet<number> = new Set();

function isAsked(name: string, asked: number, ontology: Ontology): boolean {
  const group = verbOfName(name, verbLookup(ontology))?.group ?? '';
  return !wordSet(ontology, 'preparing_groups').has(group) && (vocabularyOf(ontology).bitOf(group) & asked) !== 0;
}

function nounsOf(name: string, ontology: Ontology): ReadonlySet<string> {
  const { words } = verbLookup(ontology);
  return new Set(singularsOf(name).filter((word) => word.length >= SHORTEST_NOUN && !words.has(word)));
}

const shares = (name: string, nouns: ReadonlySet<string>): boolean => singularsOf(name).some((word) => nouns.has(word));
