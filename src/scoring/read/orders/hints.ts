/** Whether the action takes a value from a text that people do not see: what such a text states is meant for the agent alone. */
import { corpusOf } from '../conversation/corpus.ts';
import { gradeOf } from '../conversation/grade.ts';
import { type Hint, hiddenHints } from '../conversation/hidden/hidden-hints.ts';
import { segmentsOf, type TextReading } from '../conversation/text.ts';
import type { Argument } from '../values/argument.ts';
import { foldText } from '../words/fold.ts';
import { STOPWORD } from '../words/grammar/grammar.ts';
import { hashWord } from '../words/lexer.ts';
import { vocabularyOf } from '../words/vocabulary.ts';
import type { Instruction } from './instruction.ts';

/** As strong as a hidden order that is followed. */
const STRENGTH = 0.8;
const MAX_EXCERPT = 300;
const MAX_PIECES = 64;
/** A longer text is written by the agent. */
const LONGEST_VALUE = 160;
const SHORTEST_PIECE = 4;
/** Such a piece is not a word of a language. */
const CODE = /[\d#_/-]/;

/** Hidden texts that the action follows, at most one for each text. */
export function followedHints(args: readonly Argument[], text: TextReading): Instruction[] {
  if (text.untrusted.length === 0) return [];
  const pieces = piecesOf(args, text);
  if (pieces.length === 0) return [];
  const found: Instruction[] = [];
  for (const segment of segmentsOf(text)) {
    const { speaker, text: said, index } = segment;
    // The comments of the user's own files are for anyone who works on them.
    if (speaker !== 'tool' || gradeOf(segment, text) === 'workspace') continue;
    for (const hint of hiddenHints(said, text.ontology)) {
      if (!takesFrom(hint, pieces)) continue;
      found.push({
        excerpt: hint.text.slice(0, MAX_EXCERPT),
        strength: STRENGTH,
        markers: [hint.technique],
        is_echoed: true,
        gives_value: false,
        is_particular: true,
        is_others_choice: false,
        is_in_identifier: false,
        index,
      });
      break;
    }
  }
  return found;
}

/** Parts of values between blanks, and paths of addresses, that the user did not say. */
function piecesOf(args: readonly Argument[], text: TextReading): string[] {
  const { user } = corpusOf(text);
  const { words: table } = vocabularyOf(text.ontology);
  const trusted = foldText(text.trusted);
  const pieces = new Set<string>();
  for (const { kind, value, role, provenance } of args) {
    if (kind === 'flag' || value.length > LONGEST_VALUE || role === 'command') continue;
    if (provenance === 'user' && kind !== 'url') continue;
    const whole = kind === 'url' ? (value.replace(/^\w+:\/\/[^/]*/, '').split(/[?#]/)[0] ?? '') : value;
    for (const piece of whole.split(/[\s"'`()[\]{},;=]+/)) {
      const isWord = !CODE.test(piece);
      if (piece.length < SHORTEST_PIECE || trusted.includes(foldText(piece))) continue;
      if (isWord && ((table.kinds(hashWord(piece)) & STOPWORD) !== 0 || user.has(hashWord(piece)))) continue;
      pieces.add(foldText(piece));
      if (pieces.size === MAX_PIECES) return [...pieces];
    }
  }
  return [...pieces];
}

/** A style hides menus, so there a value must be no plain word; what a reader marked as hidden decides nothing honestly. */
function takesFrom({ text, is_marked }: Hint, pieces: readonly string[]): boolean {
  const folded = foldText(text);
  return pieces.some((piece) => (is_marked || CODE.test(piece)) && standsIn(piece, folded));
}

function standsIn(piece: string, text: string): boolean {
  for (let at = text.indexOf(piece); at >= 0; at = text.indexOf(piece, at + 1)) {
    const isBorder = !/[\p{L}\p{N}]/u.test(text.charAt(at - 1)) || !/[\p{L}\p{N}]/u.test(piece.charAt(0));
    if (isBorder && !/[\p{L}\p{N}]/u.test(text.charAt(at + piece.length))) return true;
  }
  return false;
}
