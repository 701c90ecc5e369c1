/** Files of settings that let others do more than before: agents without asking, packages while they are installed. */
import type { Ontology } from '../ontology/index.ts';
import { alternatives } from '../ontology/pattern.ts';
import { perOntology } from '../ontology/per-ontology.ts';
import { listOf, patternOf } from '../ontology/words.ts';

export const settingWords = perOntology((ontology) => {
  const words = (list: string): string => alternatives(listOf(ontology, list));
  // A hyphen, an underscore or nothing between the words: `autoApprove`, `auto-approve`.
  const names = (list: string): string => words(list).replaceAll(' ', '[-_]?');
  const sets = '\\s{0,4}[:=]\\s{0,4}';
  const switchedOn = `${names('asking_settings')}[\\w.]{0,20}["']?${sets}["']?${words('switched_on')}(?!\\w)`;
  const policyOff = `${names('asking_policies')}["']?${sets}["']${words('asking_policy_off')}["']`;
  return {
    file: patternOf(ontology, 'settings_files', 'any'),
    asksNoMore: new RegExp(`${switchedOn}|["']${words('permission_modes')}["']|${policyOff}`, 'i'),
    command: new RegExp(`(?:^|[{,\\s])["']?${words('setting_commands')}["']?\\s{0,8}:\\s{0,8}(["'[\\w].{2,2000})`, 'g'),
    makefile: patternOf(ontology, 'start_file_forms', 'makefile'),
    installHook: new RegExp(`"${words('install_hooks')}"\\s{0,8}:\\s{0,8}"((?:[^"\\\\]|\\\\.){1,1000})"`, 'g'),
  };
});

/**
 * Whether this file of settings lets an agent act without asking: `"chat.tools.autoApprove": true`,
 * `approval_policy = "never"`.
 */
export function asksNoMore(path: string, text: string, ontology: Ontology): boolean {
  const words = settingWords(ontology);
  return words.file.test(path) && words.asksNoMore.test(text);
}

/** Lines of one file that are looked at, and characters of a command. */
const MAX_LINES = 2_000;

/**
 * The commands in a file of settings or a build file, one a line: `"postCreateCommand": "…"`, `command: [sh, -c, …]`, the recipes
 * of a makefile. '' when there are none.
 */
export function commandsInSettings(path: string, text: string, ontology: Ontology): string {
  const { command, file, makefile } = settingWords(ontology);
  if (makefile.test(path)) return recipesOf(text);
  if (!file.test(path)) return '';
  return text
    .split('\n', MAX_LINES)
    .flatMap((line) => [...line.matchAll(command)].map(([, value = '']) => plainCommand(value)))
    .filter((line) => line !== '')
    .join('\n');
}

/** The lines behind tabs, and what `$(shell …)` runs while the file is read. */
function recipesOf(text: string): string {
  const recipes = text
    .split('\n', MAX_LINES)
    .filter((line) => line.startsWith('\t'))
    .map((line) => line.trim().replace(/^[@+-]{1,3}/, ''));
  const shells = [...text.matchAll(/\$\(shell\s{1,8}([^\n]{1,1000})\)/g)].map(([, code = '']) => code);
  return [...shells, ...recipes.map((line) => line.replaceAll('$$', '$'))].join('\n');
}

/** `"sh -c x"` and `["sh", "-c", "x"]` as a command line. */
function plainCommand(value: string): string {
  const text = value.trim().replace(/,$/, '');
  const list = /^\[(.{1,2000})\]/.exec(text)?.[1];
  if (list !== undefined)
    return [...list.matchAll(/"((?:[^"\\]|\\.){0,1000})"|'([^']{0,1000})'|([^\s,"'[\]]{1,200})/g)]
      .map(([, double, single, bare]) => double?.replaceAll('\\"', '"') ?? single ?? bare ?? '')
      .map((word) => (/[\s|;&]/.test(word) ? `'${word.replaceAll("'", "'\\''")}'` : word))
      .join(' ');
  const quoted = /^"((?:[^"\\]|\\.){1,2000})"|^'([^']{1,2000})'/.exec(text);
  return quoted === null ? text : (quoted[1]?.replaceAll('\\"', '"') ?? quoted[2] ?? '');
}

/** Commands that a package manager runs by itself when the package is installed. */
export function installHooks(path: string, text: string, ontology: Ontology): string[] {
  if (!/(?:^|\/)package\.json$/.test(path)) return [];
  return [...text.matchAll(settingWords(ontology).installHook)].map((m) => m[1]!.replaceAll('\\"', '"'));
}
