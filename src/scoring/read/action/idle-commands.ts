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

/** Without the comment at its end, which begins outside of quotes. */
function withoutComment(command: string): string {
  let quote = '';
  for (let at = 0; at < command.length; at++) {
    const sign = command.charAt(at);
    if (sign === '\\' && quote !== "'") at++;
    else if (quote !== '') quote = sign === quote ? '' : quote;
    else if (sign === "'" || sign === '"' || sign === '`') quote = sign;
    else if (sign === '#' && /\s/.test(command.charAt(at - 1)) && !/[!{]/.test(command.charAt(at + 1))) {
      const end = command.indexOf('\n', at);
      if (end < 0) return command.slice(0, at).trimEnd();
      at = end;
    }
  }
  return command;
}
