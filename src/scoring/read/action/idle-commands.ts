/** What a command holds beside its deed: comments, and commands that only show or wait. */
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { listOf } from '../../../ontology/words.ts';

/** Words of a command that holds nothing which a shell expands, redirects or runs. */
const PLAIN = String.raw`(?:[ \t]+(?:'[^'\n]*'|[\w./:=+-]+))*`;

const patternsOf = perOntology((ontology) => {
  const names = listOf(ontology, 'idle_commands').map((name) =>
    name.replace(/[.*+?]/g, '\\$&').replace(' ', '[ \\t]+'),
  );
  const idle = String.raw`[ \t]*(?:${names.join('|')})${PLAIN}[ \t]*`;
  return {
    first: new RegExp(String.raw`^\s*(?:${idle}(?:;|\n|&&)|#(?!!)[^\n]*\n)`),
    last: new RegExp(String.raw`(?:;|\n|&&)${idle}$`),
  };
});

/** A comment behind a command; with quotes it may be part of a text. */
const COMMENT = /[ \t]#(?![!{])[^'"`\n]*$/;
const MOST = 16;
/** Characters of a command that is looked at. */
const LONGEST = 16_384;

/**
 * The command without the idle ones and the comments at its beginning and its end; the command itself where nothing else is left. A
 * text that runs over several lines is left as it is.
 */
export function withoutIdle(command: string, ontology: Ontology): string {
  if (command.length > LONGEST || command.includes('<<')) return command;
  const { first, last } = patternsOf(ontology);
  let left = command;
  for (let i = 0; i < MOST; i++) {
    const next = left.replace(first, '').trimEnd().replace(COMMENT, '').replace(last, '');
    if (next === left.trimEnd()) break;
    left = next;
  }
  left = left.trimStart();
  return left === '' || left === command.trim() ? command : left;
}
