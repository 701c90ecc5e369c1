/** Recognises a text that reports an order instead of following it: a summary that warns of a mail, the findings of a review. */
import { PathTraits } from '../../../effects/paths.ts';
import type { Ontology } from '../../../ontology/index.ts';
import type { ActionReading } from '../action/action.ts';
import { type Corpus, corpusOf } from '../conversation/corpus.ts';
import type { TextReading } from '../conversation/text.ts';
import type { Argument } from '../values/argument.ts';
import { lex } from '../words/lexer.ts';
import { endingOf } from '../words/normalise.ts';
import { hashedList, wordSet } from '../words/word-lists.ts';

const MAX_READ = 16_384;
/** A name without an ending. */
const BARE_NAME = /(?:^|\/)[\w -]+$/i;
/** Shorter texts are too short to report anything. */
const LEAST_WORDS = 12;

/**
 * Whether the action writes a text that reports others' orders in words of its own. The user must have asked for a text or
 * named the file. A word that the source itself has proves nothing, and the place of the text must not come from the source.
 */
export function tellsOfOrders(
  ontology: Ontology,
  action: ActionReading,
  args: readonly Argument[],
  text: TextReading,
  is_asked: boolean,
): boolean {
  if (!wordSet(ontology, 'writing_groups').has(action.effective_group)) return false;
  if (!is_asked && !args.some(({ role, provenance }) => role === 'path' && provenance === 'user')) return false;
  const corpus = corpusOf(text);
  if (corpus.tool.is_empty || args.some(decidesFromOutside)) return false;
  if (args.some(({ role, value }) => role === 'path' && !isRead(value, ontology))) return false;
  return args.some(({ kind, role, value, path }) => {
    return kind === 'phrase' && role === '' && !path.includes('#') && holdsOwnWarning(value, corpus, ontology);
  });
}

/** A file for readers: no code, and nothing that tells agents what to do. */
function isRead(path: string, ontology: Ontology): boolean {
  const isProse = wordSet(ontology, 'prose_endings').has(endingOf(path)) || BARE_NAME.test(path);
  return isProse && !new PathTraits(path, '', ontology).is_agent;
}

/** Whether a place or recipient came from a tool. Values inside a text decide nothing. */
function decidesFromOutside({ role, provenance, path, is_delegated }: Argument): boolean {
  return role !== '' && !path.includes('#') && !is_delegated && provenance === 'tool';
}

function holdsOwnWarning(value: string, { tool }: Corpus, ontology: Ontology): boolean {
  const words = lex(value.slice(0, MAX_READ));
  if (words.count < LEAST_WORDS) return false;
  const telling = hashedList(ontology, 'reporting_words');
  for (let i = 0; i < words.count; i++) {
    const hash = words.hash[i]!;
    if (telling.has(hash) && !tool.has(hash)) return true;
  }
  return false;
}
