/**
 * Command lines in files whose form is not read: a playbook, a plan of infrastructure, a manifest, settings of a tool that nobody
 * listed. Such a line begins with a program, in a text of its own or behind a name.
 */
import type { Ontology } from '../ontology/index.ts';
import { perOntology } from '../ontology/per-ontology.ts';
import { anyOf, patternOf } from '../ontology/words.ts';
import { looksLikeShell } from './parameters/shapes.ts';

export const embeddedWords = perOntology((ontology) => ({
  /** What a command line that takes code or data over a network has. */
  sign: anyOf(ontology, 'embedded_command_signs'),
  prose: patternOf(ontology, 'written_documents', 'prose'),
  shell: patternOf(ontology, 'written_documents', 'interpreter'),
}));

const MAX_TEXT = 1_048_576;
const MAX_COMMANDS = 64;
/** Lines of a text that are tried as a script. */
const MAX_SCRIPT = 24;
const MAX_LINE = 4_000;
/** A program with operands of a form of its own: `dd if=…`, `socat tcp:…`. */
const OPERAND = /^[\w.-]{2,16} {1,4}[\w-]{1,32}[=:]\S/;

/** A text in quotes on one line. */
const QUOTED = /"((?:[^"\\\n]|\\.){0,2000})"|'([^'\n]{0,2000})'/g;
/** What may stand before a command on its line: the sign of a list, a name with a colon or an equals sign, the name of a module. */
const LEAD =
  /^[ \t]{0,64}(?:-[ \t]{1,8})?(?:["']?[\w.-]{1,64}["']?[ \t]{0,8}(?::|\+?=|=>)[ \t]{1,8}|!|RUN[ \t]{1,8}){0,2}/;

/** Whether a document holds nothing but commands: it may be meant as a script, whatever the ending of its name. */
export function isScriptInDocument(path: string, text: string, ontology: Ontology): boolean {
  return embeddedWords(ontology).prose.test(path) && isScript(text, ontology);
}

function isScript(text: string, ontology: Ontology): boolean {
  const lines = text
    .split('\n', MAX_SCRIPT + 1)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  return lines.length > 0 && lines.length <= MAX_SCRIPT && lines.every((line) => looksLikeShell(line, ontology));
}

/** The command lines in a file that have one of the signs, at most 64. None in prose, which quotes commands. */
export function commandsEmbedded(path: string, text: string, ontology: Ontology): string[] {
  const { sign, prose, shell } = embeddedWords(ontology);
  if (prose.test(path)) return [];
  const found: string[] = [];
  for (const line of text.slice(0, MAX_TEXT).split('\n')) {
    if (line.length > MAX_LINE || !sign.test(line) || /^[ \t]{0,64}(?:#|\/\/|--|;)/.test(line)) continue;
    const quoted = [...line.matchAll(QUOTED)].map(([, double, single]) =>
      double === undefined ? (single ?? '') : double.replaceAll('\\"', '"'),
    );
    const inner = quoted.filter((one) => sign.test(one));
    // `["sh", "-c", "…"]` and `sh -c "…"`: the last text is the command.
    const rest = line.slice(LEAD.exec(line)?.[0].length ?? 0);
    const candidates = inner.length > 0 ? (shell.test(rest) ? [...inner, rest] : inner) : [rest];
    for (const one of candidates) {
      if (!looksLikeShell(one, ontology) && !(OPERAND.test(one) && sign.exec(one)?.index === 0)) continue;
      found.push(one);
      if (found.length >= MAX_COMMANDS) return found;
    }
  }
  return found;
}
