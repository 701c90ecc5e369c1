/** Sentences with placeholders: «moves money to `{argument.value}`». Names are checked when the rule is compiled. */
import type { Vocabulary } from '../../lang/conditions/conditions.ts';

const PLACEHOLDER = /\{([a-z_]+(?:\.[a-z_]+)*)\}/g;

export interface Template {
  /** Root names of the placeholders. */
  reads: readonly string[];
  /** Fills the placeholders; `read` gets the path of each, for instance `['argument', 'value']`, and returns what to show. */
  fill(read: (path: readonly string[]) => string): string;
}

export function compileTemplate(text: string, vocabulary: Vocabulary): Template {
  const paths = new Map<string, readonly string[]>();
  for (const [, path] of text.matchAll(PLACEHOLDER)) {
    const [root, field] = path!.split('.');
    const name = vocabulary.names.get(root!);
    if (name === undefined) throw new Error(`the placeholder {${path}} names no fact`);
    if (field !== undefined && name.fields?.[field] === undefined)
      throw new Error(`the placeholder {${path}} names no field of \`${root}\``);
    paths.set(path!, path!.split('.'));
  }
  // Split by a pattern with a group: texts are at even indices, paths at odd ones.
  const pieces = text.split(PLACEHOLDER);
  if (pieces.length === 1) return { reads: [], fill: () => text };
  return {
    reads: [...paths.values()].map(([root]) => root!),
    fill(read) {
      let filled = pieces[0]!;
      for (let i = 1; i < pieces.length; i += 2) filled += read(paths.get(pieces[i]!)!) + pieces[i + 1]!;
      return filled;
    },
  };
}
