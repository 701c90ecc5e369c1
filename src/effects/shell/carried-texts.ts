/** The text of a command line by what it is to the shell: what is run, and what is only carried as a file or as an argument. */
import type { Ontology } from '../../ontology/index.ts';
import { perOntology } from '../../ontology/per-ontology.ts';
import { setOf } from '../../ontology/words.ts';

const WRITES_FILE =
  /^[^\n]{0,400}\b(?:cat|tee)\b[^\n]{0,200}<<-?\s{0,4}(?:"(\w{1,32})"|'(\w{1,32})'|(\w{1,32}))[^\n]{0,200}$/;

/** The command without the files that it writes down: `cat > a.go <<'EOF'` … `EOF`. What follows a pipe or a shell reads stays. */
export function withoutWrittenFiles(command: string): string {
  if (!command.includes('<<')) return command;
  const kept: string[] = [];
  let end = '';
  for (const line of command.split('\n')) {
    if (end !== '') {
      if (line.trim() === end) end = '';
      continue;
    }
    kept.push(line);
    const [, one, two, three] = WRITES_FILE.exec(line) ?? [];
    if (line.includes('>') && !line.includes('|')) end = one ?? two ?? three ?? '';
  }
  return kept.join('\n');
}

/** Programs that run what they are handed as commands of a shell. */
const handedOn = perOntology((ontology) => {
  const readers = setOf(ontology, 'command_readers');
  return new Set(ontology.programs.flatMap(({ reader, names }) => (readers.has(reader) ? names : [])));
});

const STARTS_TEXT = /<<-?\s{0,4}(?:"(\w{1,32})"|'(\w{1,32})'|\\?(\w{1,32}))/;

/**
 * The command without the texts of several lines that it only carries: files that it writes down, code of another language, the
 * message of a commit. What a shell or a remote shell is handed stays.
 */
export function withoutCarriedTexts(command: string, ontology: Ontology): string {
  if (!command.includes('\n')) return command;
  const kept: string[] = [];
  /** What ends the text of several lines: a word on a line of its own, or a quotation mark. */
  let word = '';
  let mark = '';
  /** A shell is handed the text: it stays. */
  let isKept = false;
  for (const line of command.split('\n')) {
    if (word !== '') {
      if (isKept) kept.push(line);
      if (line.trim() === word) word = '';
      continue;
    }
    let rest = line;
    if (mark !== '') {
      const at = closingOf(line, mark, 0);
      if (isKept) kept.push(at < 0 ? line : line.slice(0, at + 1));
      if (at < 0) continue;
      rest = line.slice(at + 1);
      mark = '';
    }
    const open = openMark(rest);
    const said = open === null ? rest : rest.slice(0, open.at);
    isKept = (said.match(/[\w.-]+/g) ?? []).some((name) => handedOn(ontology).has(name));
    kept.push(isKept ? rest : said);
    if (open !== null) mark = open.mark;
    else {
      const [, one, two, three] = STARTS_TEXT.exec(rest) ?? [];
      word = one ?? two ?? three ?? '';
    }
  }
  return kept.join('\n');
}

/** The quotation mark that the line opens and does not close. */
function openMark(line: string): { mark: string; at: number } | null {
  for (let i = 0; i < line.length; i++) {
    const mark = line[i]!;
    if (mark === '\\') i++;
    else if (mark === '"' || mark === "'") {
      const end = closingOf(line, mark, i + 1);
      if (end < 0) return { mark, at: i };
      i = end;
    }
  }
  return null;
}

/** Where the quotation ends; -1 if the line does not end it. */
function closingOf(line: string, mark: string, from: number): number {
  for (let i = from; i < line.length; i++) {
    if (line[i] === '\\' && mark === '"') i++;
    else if (line[i] === mark) return i;
  }
  return -1;
}
