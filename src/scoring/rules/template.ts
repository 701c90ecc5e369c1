/**
 * Sentences with placeholders: «moves money to `{argument.value}`». Names are checked when the rule is compiled.
 *
 * A part in square brackets that holds a placeholder is left out where one of its values is empty: «reads credentials[ in
 * `{effect_on.reads_credentials}`]». `effect_on` names what effects of one kind reach.
 */
import type { Vocabulary } from '../../lang/conditions/conditions.ts';

const PLACEHOLDER = /\{([a-z_]+(?:\.[a-z_]+)*)\}/g;
const OPTIONAL = /\[([^[\]{}]{0,200}\{[^[\]]{1,200})\]/;

/** The root of placeholders for what effects of one kind reach, and the fact behind it. */
export const EFFECT_ON = 'effect_on';
const EFFECTS = 'effects';

/** Gets the path of a placeholder, for instance `['argument', 'value']`, and returns what to show; '' for what is not there. */
type Read = (path: readonly string[]) => string;

export interface Template {
  /** Facts that the placeholders need. */
  reads: readonly string[];
  /** Without a placeholder it is the same for every event. */
  is_fixed: boolean;
  fill(read: Read): string;
  /** The same; null where a value outside square brackets is empty, so that the sentence would speak of nothing. */
  fillWhole(read: Read): string | null;
}

/** Texts at even places, paths at odd ones. */
interface Part {
  pieces: readonly string[];
  is_optional: boolean;
}

export function compileTemplate(text: string, vocabulary: Vocabulary): Template {
  const paths = new Map<string, readonly string[]>();
  for (const [, path] of text.matchAll(PLACEHOLDER)) paths.set(path!, checkedPath(path!, vocabulary));
  if (paths.size === 0) return { reads: [], is_fixed: true, fill: () => text, fillWhole: () => text };
  // Split by a pattern with a group: texts outside brackets are at even indices, those inside at odd ones.
  const parts = text
    .split(OPTIONAL)
    .map((part, i): Part => ({ pieces: part.split(PLACEHOLDER), is_optional: i % 2 === 1 }));
  const fillPart = ({ pieces }: Part, read: Read): { filled: string; is_whole: boolean } => {
    let filled = pieces[0]!;
    let is_whole = true;
    for (let i = 1; i < pieces.length; i += 2) {
      const value = read(paths.get(pieces[i]!)!);
      if (value === '') is_whole = false;
      filled += value + pieces[i + 1]!;
    }
    return { filled, is_whole };
  };
  const fillAll = (read: Read): { filled: string; is_whole: boolean } => {
    let filled = '';
    let is_whole = true;
    for (const part of parts) {
      const own = fillPart(part, read);
      if (own.is_whole || !part.is_optional) filled += own.filled;
      if (!own.is_whole && !part.is_optional) is_whole = false;
    }
    return { filled, is_whole };
  };
  return {
    reads: [...new Set([...paths.values()].map(([root]) => (root === EFFECT_ON ? EFFECTS : root!)))],
    is_fixed: false,
    fill: (read) => fillAll(read).filled,
    fillWhole: (read) => {
      const { filled, is_whole } = fillAll(read);
      return is_whole ? filled : null;
    },
  };
}

function checkedPath(path: string, vocabulary: Vocabulary): readonly string[] {
  const [root, field] = path.split('.');
  if (root === EFFECT_ON) {
    if (field === undefined) throw new Error(`the placeholder {${path}} names no kind of effect`);
    return path.split('.');
  }
  const name = vocabulary.names.get(root!);
  if (name === undefined) throw new Error(`the placeholder {${path}} names no fact`);
  if (field !== undefined && name.fields?.[field] === undefined)
    throw new Error(`the placeholder {${path}} names no field of \`${root}\``);
  return path.split('.');
}
