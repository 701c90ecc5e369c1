/**
 * Files that a tool which no list knows is handed under two names of any kind: `{ slug: ".husky/pre-push", markdown: "…" }`. What the
 * tool does with them is not known; where the text is an attack as that file, it counts as written.
 */
import type { Leaf } from '../../events/parameters.ts';
import { PROTECTION } from '../administered/weaker-guards.ts';
import type { World } from '../world.ts';

export interface HandedText {
  path: string;
  text: string;
}

/** A name of a file: with an ending or a dot at its beginning, or as build files are called (`Makefile`, `justfile`), or below two folders. */
const FILE_NAME =
  /^(?:file:\/{2})?(?:[A-Za-z]:)?(?:(?:[\w.@~ -]{0,80}[\\/]){0,16}(?:\.?[\w@-]{1,80}(?:\.[\w-]{1,24}){1,4}|\.[\w-]{1,40}|[A-Z][\w-]{2,40}|[\w-]{1,36}file)|(?:[\w.@~ -]{0,80}[\\/]){2,16}[\w-]{1,40})$/;
const MIN_TEXT = 24;
const MAX_FILES = 4;
const MAX_TEXTS = 4;

/** Every name of a file among the parameters, with every text beside it. */
export function handedTexts(leaves: readonly Leaf[]): HandedText[] {
  const texts: string[] = [];
  const paths: string[] = [];
  for (const { value } of leaves) {
    if (typeof value !== 'string') continue;
    if (value.length >= MIN_TEXT && /[\n|(]/.test(value)) {
      if (texts.length < MAX_TEXTS) texts.push(value);
    } else if (paths.length < MAX_FILES && value.length <= 300 && FILE_NAME.test(value)) paths.push(value);
  }
  return texts.flatMap((text) => paths.map((path) => ({ path, text })));
}

/** Whether a file would attack, or holds a setting by which a guard looks away, by what is known of it in a world of its own. */
export function attacks(world: World, kinds: ReadonlySet<string>): boolean {
  return [...world.dormant.items, ...world.effects.items].some(
    ({ kind, object }) => kinds.has(kind) || (kind === 'tampers_with_guards' && object.startsWith(PROTECTION)),
  );
}
