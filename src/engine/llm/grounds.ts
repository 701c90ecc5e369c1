/**
 * What a model may rest a justification on, each with an id: the rules that fired, the articles that bind, the customer's own
 * controls. And the check of what it wrote: a sentence that rests on anything else is dropped.
 */
import type { Ontology } from '../../ontology/index.ts';
import type { Justification } from '../justify.ts';
import { plainSentence } from './sentences.ts';

/** A sentence of the model, with the ids that it rests on. */
export interface Cited {
  text: string;
  cites: string[];
}

export interface Ground {
  id: string;
  text: string;
}

const LONGEST_SENTENCE = 400;

/** `rule:ID`, `FRAMEWORK:ARTICLE` as in `compliance_refs`, `control:ID`. */
export function groundsOf(justification: Justification): Ground[] {
  const grounds = new Map<string, string>();
  for (const { violation, framework, article, explanation, consequence } of justification.violation_details) {
    const id = `${framework}:${articleName(article)}`;
    if (!grounds.has(id)) grounds.set(id, `${article}. ${explanation} ${consequence}`);
    if (!grounds.has(`rule:${violation}`)) grounds.set(`rule:${violation}`, '');
  }
  for (const rule of justification.violations) grounds.set(`rule:${rule}`, 'a rule that fired; see the account');
  for (const { control_id, name, description } of justification.compliance_context.controls)
    grounds.set(`control:${control_id}`, `${name}: ${description}`);
  return [...grounds].map(([id, text]) => ({ id, text }));
}

/** Before its title: `Article_14` of `Article_14: Human oversight`. */
const articleName = (article: string): string => article.split(': ', 1)[0]!;

export interface Grounding {
  /** The sentence, clean; null when it rests on anything that was not handed over. */
  accept(text: unknown, cites: unknown): Cited | null;
}

const words = (text: string): string[] => text.toLowerCase().match(/\p{L}+|\p{N}+/gu) ?? [];
const NUMBER = /\d+(?:[.,]\d+)*/g;

/**
 * A sentence is accepted when it cites at least one id and no invented one, names no framework that it does not cite, and
 * states no number that is not in the document: no article, date, amount or share can be made up.
 *
 * @param document everything that the model was given
 */
export function createGrounding(grounds: readonly Ground[], document: string, ontology: Ontology): Grounding {
  const ids = new Set(grounds.map(({ id }) => id));
  const numbers = new Set(document.match(NUMBER) ?? []);
  const frameworks = [...new Set([...ontology.articles.values()].map(({ framework }) => framework))];
  const named = frameworks.map((framework) => ({ framework, sequence: words(framework.replaceAll('_', ' ')) }));

  function namesForeign(text: string, cites: readonly string[]): boolean {
    const said = words(text.replaceAll('_', ' '));
    return named.some(
      ({ framework, sequence }) =>
        !cites.some((id) => id.startsWith(`${framework}:`)) &&
        said.some((_, i) => sequence.every((word, k) => said[i + k] === word)),
    );
  }

  return {
    accept(text, cites) {
      if (typeof text !== 'string' || !Array.isArray(cites) || cites.length === 0) return null;
      if (!cites.every((id): id is string => typeof id === 'string' && ids.has(id))) return null;
      const plain = plainSentence(text, LONGEST_SENTENCE);
      if (plain === '' || namesForeign(plain, cites)) return null;
      if ((plain.match(NUMBER) ?? []).some((number) => !numbers.has(number))) return null;
      return { text: plain, cites: [...new Set(cites)] };
    },
  };
}
