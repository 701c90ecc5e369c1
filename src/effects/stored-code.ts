/** Files that hold code: how it is recognised by name, form and first line, and which commands stand in it. */
import type { Ontology } from '../ontology/index.ts';
import { alternatives } from '../ontology/pattern.ts';
import { perOntology } from '../ontology/per-ontology.ts';
import { listOf, patternOf, tableOf } from '../ontology/words.ts';
import { type Data, isKnown } from './data.ts';
import { isRunByPrograms } from './program-variables.ts';
import type { Language } from './world.ts';

/** The commands behind `RUN` in the recipe of a container image, with the lines that go on below them, and the variables that it sets. */
export function imageCommands(text: string, ontology: Ontology): string {
  const found: string[] = [];
  let isOpen = false;
  for (const line of text.split('\n')) {
    const run = /^\s{0,64}(?:ONBUILD\s{1,8})?RUN\s{1,8}(?:--\S{1,200}\s{1,8}){0,8}(.*)$/i.exec(line);
    const set = /^\s{0,64}ENV\s{1,8}(\w{1,64})[= ]\s{0,8}(.{1,2000})$/i.exec(line);
    if (set !== null && !isOpen && isRunByPrograms(set[1]!, ontology))
      found.push(`export ${set[1]}=${/^["']/.test(set[2]!) ? set[2] : `"${set[2]}"`}`);
    if (run === null && !isOpen) continue;
    const command = run?.[1] ?? line;
    isOpen = command.endsWith('\\');
    found.push(command);
  }
  return found.join('\n');
}

/** The code cells of a notebook, in turn; the text itself when it is not a notebook. */
export function notebookCode(text: string): string {
  if (!text.trimStart().startsWith('{')) return text;
  try {
    const { cells } = JSON.parse(text) as { cells?: { cell_type?: string; source?: string | string[] }[] };
    const code = (cells ?? []).filter((cell) => cell.cell_type === 'code').map(({ source = '' }) => source);
    return code.map((source) => (Array.isArray(source) ? source.join('') : String(source))).join('\n');
  } catch {
    return text;
  }
}

/** How code is recognised in a file: by the name, the form and the first line. */
export const storedCode = perOntology((ontology) => {
  const form = (name: string): RegExp => patternOf(ontology, 'start_file_forms', name);
  const endings = tableOf(ontology, 'file_languages');
  const names = tableOf(ontology, 'file_names');
  return {
    noCode: form('no_code'),
    crontab: form('crontab'),
    unit: form('unit'),
    workflow: form('workflow'),
    image: form('image'),
    workflowStep: new RegExp(`^([\\s-]*)${alternatives(listOf(ontology, 'workflow_steps'))}\\s*:\\s*(.*)`),
    languages: LANGUAGES.map((language) => ({
      language,
      endings: new Set(endings.get(language)),
      names: new Set(names.get(language)),
      firstLine: ontology.patterns.get('first_lines')?.get(language) ?? null,
    })),
  };
});

/** In the order in which they are tried. */
const LANGUAGES: readonly Language[] = ['shell', 'powershell', 'cmd', 'python', 'javascript', 'script', 'sql'];

/** The commands in a start file: without the times and users of a crontab, of the `Exec` keys of a unit, of a workflow. */
export function commandsOf(path: string, text: string, ontology: Ontology): string {
  const { crontab, unit, workflow, workflowStep } = storedCode(ontology);
  if (crontab.test(path))
    return text
      .replace(
        /^[ \t\uf8ff]{0,64}(?:@\w{1,32}|(?:[\d*/,-]{1,64}[ \t]{1,64}){5})[ \t]{0,64}(?:[a-z_][\w-]{0,64}[ \t]{1,64}(?=\/))?/gm,
        '',
      )
      .replace(/^[^\n#]{0,2000}?[^\\\n#]%[^\n]{1,4000}$/gm, withInput);
  if (unit.test(path))
    return [...text.matchAll(/^[ \t]{0,64}Exec\w{0,32}[ \t]{0,64}=[ \t]{0,64}-?([^\n]{0,4000})/gm)]
      .map((m) => m[1])
      .join('\n');
  return workflow.test(path) ? workflowCode(text, workflowStep) : text;
}

/** In a crontab, what follows the first `%` is the input of the command, and each further one ends a line of it. */
function withInput(line: string): string {
  const at = line.search(/(?<!\\)%/);
  const input = line.slice(at + 1).replace(/(?<!\\)%/g, '\n');
  return `${line.slice(0, at)} <<'${END_OF_INPUT}'\n${input}\n${END_OF_INPUT}`;
}

/**
 * Whether a file at a place of start files holds nothing but settings: its text is known, and no line of it has one of the keys by
 * which such files run, load or open something.
 */
export function startsNothing(path: string, content: Data, ontology: Ontology): boolean {
  if (content.taint !== 0 || !isKnown(content)) return false;
  return idleForms(ontology).some(({ places, acts }) => places.test(path) && !acts.test(content.text));
}

/** Whether every setting that is written to a guard's file says no: `PasswordAuthentication no`. Its text must be known. */
export function onlyTightens(content: Data, ontology: Ontology): boolean {
  if (content.taint !== 0 || !isKnown(content)) return false;
  const { tight, comment } = tightening(ontology);
  const all = content.text.split('\n', MAX_LINES + 1);
  const lines = all.filter((line) => line.trim() !== '' && !comment.test(line));
  return all.length <= MAX_LINES && lines.length > 0 && lines.every((line) => tight.test(line.trim()));
}

const MAX_LINES = 200;

const tightening = perOntology((ontology) => ({
  tight: patternOf(ontology, 'tight_settings', 'line'),
  comment: patternOf(ontology, 'tight_settings', 'comment'),
}));

const idleForms = perOntology((ontology) =>
  [...(ontology.patterns.get('settings_places') ?? [])].map(([name, places]) => ({
    places,
    acts: patternOf(ontology, 'settings_that_act', name),
  })),
);

const END_OF_INPUT = 'END_OF_CRON_INPUT';

/** The commands of a workflow: behind `run:`, in the deeper lines below it, or in the list below it. */
function workflowCode(text: string, stepPattern: RegExp): string {
  const code: string[] = [];
  let depth = -1;
  let isList = false;
  for (const line of text.split('\n')) {
    const step = stepPattern.exec(line);
    const indent = line.length - line.trimStart().length;
    if (step !== null) {
      isList = step[2]!.trim() === '';
      const isBlock = isList || /^[|>][-+\d]*\s*$/.test(step[2]!);
      depth = isBlock ? step[1]!.length : -1;
      if (!isBlock) code.push(step[2]!);
    } else if (line.trim() !== '' && depth >= 0) {
      const isBelow = indent > depth || (isList && indent === depth && line.startsWith('- ', indent));
      if (isBelow) code.push(isList ? line.trim().replace(/^- /, '') : line.trim());
      else depth = -1;
    }
  }
  return code.join('\n');
}

/** Language of a file by its name, the ending of its name or its first line, `null` when neither tells. */
export function languageOfPath(path: string, content: string, ontology: Ontology): Language | null {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  const ending = dot < 0 ? '' : name.slice(dot + 1).toLowerCase();
  const fitting = storedCode(ontology).languages.find(
    ({ endings, names, firstLine }) =>
      endings.has(ending) || (dot < 0 && names.has(name.toLowerCase())) || firstLine?.test(content) === true,
  );
  return fitting?.language ?? null;
}
