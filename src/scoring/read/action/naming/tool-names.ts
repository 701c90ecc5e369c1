/** The tool at hand as a text may name it: by what it works on, by the product it belongs to. */

import type { AgentEvent } from '../../../../events/event.ts';
import { singular, wordsOf } from '../../../../lang/names.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { setOf } from '../../../../ontology/words.ts';
import { hashWord, type Words } from '../../words/lexer.ts';
import type { ActionReading } from '../action.ts';
import { withoutServer } from './tools.ts';

export interface Names {
  /** What the tool works on: words of its name that are neither verb nor product. */
  objects: Set<number>;
  object_count: number;
  /** The product, `github` for `git_hub`. */
  product: Set<number>;
}

const fillerWords = perOntology((ontology) => setOf(ontology, 'tool_filler_words'));

export function namesOf(event: AgentEvent, action: ActionReading, ontology: Ontology): Names {
  const filler = fillerWords(ontology);
  const server = wordsOf(event.mcp_context?.server_name ?? '');
  const joined = [server.join(''), ...server].filter((word) => word.length >= 4);
  const words = wordsOf(action.tool_name === '' ? action.scope : withoutServer(action.tool_name));
  const own = [...new Set(words)].filter(
    (w) => w !== action.verb && !filler.has(w) && !server.includes(w) && w.length > 2,
  );
  return {
    objects: new Set(own.flatMap((w) => [w, singular(w), `${singular(w)}s`].map(hashWord))),
    object_count: own.length,
    product: new Set(joined.filter((w) => !filler.has(w) && w !== action.domain).map(hashWord)),
  };
}

/** The part of the tool's objects that a run of words says; the product counts for one of two. */
export function shareSaid(words: Words, from: number, to: number, names: Names): number {
  const objects = new Set<number>();
  let hasProduct = false;
  for (let i = from; i < to; i++) {
    const hash = words.hash[i]!;
    if (names.product.has(hash) && isNamed(words, i, from)) hasProduct = true;
    if (names.objects.has(hash)) objects.add(hash);
  }
  const share = names.object_count === 0 ? 0 : Math.min(1, objects.size / names.object_count);
  return Math.max(share, hasProduct ? 0.5 : 0);
}

/** With a capital inside a sentence, or with one in the middle: «my Bank account» is not a product, «GitHub» is. */
function isNamed(words: Words, i: number, from: number): boolean {
  const word = words.text.slice(words.start[i]!, words.end[i]!);
  return /^.[a-z]*[A-Z]/.test(word) || (i > from && /^[A-Z]/.test(word));
}
