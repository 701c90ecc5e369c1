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
  const idle = String.raw`(?:${names.join('|')})${PLAIN}[ \t]*`;
  return {
    first: new RegExp(String.raw`^\s*(?:${idle}(?:;|\n|&&)|#(?!!)[^\n]*\n)`),
    last: new RegExp(String.raw`(?:;|\n|&&)[ \t]*${idle}$`),
  };
});

const MOST = 16;
/** Characters of a command that is looked at. */
const LONGEST = 8_192;

/**
 * The command without the idle ones and the comments at its beginning and its end; the command itself where nothing else is left. A
 * text that runs over several lines is left as it is.
 */
export function withoutIdle(command: string, ontology: Ontology): string {
  if (command.length > LONGEST || command.includes('<<')) return command;
  const { first, last } = patternsOf(ontology);
  let left = command;
  for (let i = 0; i < MOST; i++) {
    const next = withoutComment(left.replace(first, '').trimEnd()).replace(last, '');
    if (next === left.trimEnd()) break;
    left = next;
  }
  left = left.trimStart();
  return left === '' || left === command.trim() ? command : left;
}

/** Without the comment at its end; with quotes it may be part of a text. */
function withoutComment(command: string): string {
  const at = Math.max(
    command.lastIndexOf("'"),
    command.lastIndexOf('"'),
    command.lastIndexOf('`'),
    command.lastIndexOf('\n'),
  );
  const from = command.slice(at + 1).search(/[ \t]#[^!{]/);
  return from < 0 ? command : command.slice(0, at + 1 + from);
}
