/** Runs texts and files as code. */
import { bounded, type Data, FOREIGN, FROM, HOLE } from '../data.ts';
import { KEPT_TEXT, REMOTE_COMMANDS, UNKNOWN_CODE } from '../effects.ts';
import { hostOfShare, hostOfUrl, isLoopback, isUrl } from '../hosts.ts';
import { withKeyNames } from '../key-variables.ts';
import { languageOfPath } from '../stored-code.ts';
import type { Language, World } from '../world.ts';
import { keepShown } from './network.ts';

/** What is not known stands where a statement begins, so that it says what runs and is no argument. */
const OPENS = new RegExp(`(?:^|[\\n;&|({\`])\\s{0,16}${HOLE}`);

/** Whether text that a service keeps is the code that runs: in `kubectl logs ⟨name⟩` it is only the name. */
export const isKeptCode = ({ text, taint }: Data): boolean => (taint & FROM.service) !== 0 && OPENS.test(text);

/** Runs text as code: adds effects for where the text comes from, and reads the text when it is known. */
export function runText(w: World, language: Language, code: Data, excerpt: string): void {
  keepShown(w, code);
  if (code.taint & FROM.socket) w.add('opens_channel', 'one', REMOTE_COMMANDS, excerpt);
  if (code.taint & FROM.network) w.add('downloads_and_runs', 'one', 'downloaded code', excerpt);
  else if (isKeptCode(code)) w.add('downloads_and_runs', 'one', KEPT_TEXT, excerpt);
  else if (code.taint & FROM.decoded) {
    w.add('obfuscates', 'one', 'decoded code', excerpt);
    if (code.text === HOLE) w.unresolved ||= excerpt;
  } else if (code.text === HOLE) w.add('runs_code', 'one', UNKNOWN_CODE, excerpt);
  if (code.text !== HOLE) w.run(language, bounded(language === 'shell' ? withKeyNames(w, code) : code.text));
}

/** Runs a file: reads its text when this code wrote it; otherwise only notes that the file is run. */
export function runFile(w: World, path: string, language: Language | null, excerpt: string): void {
  const host = hostOfShare(path) || (isUrl(path) ? hostOfUrl(path) : '');
  if (host !== '' && isLoopback(host)) {
    w.add('runs_code', 'one', path, excerpt);
    return;
  }
  const traits = w.describe(path);
  const content = w.files.get(traits.path);
  w.notePath(path);
  if (host !== '') {
    w.noteHost(host);
    w.add('downloads_and_runs', 'one', path, excerpt);
    return;
  }
  if (content === undefined) {
    w.add(w.isFetched(traits.path) ? 'downloads_and_runs' : 'runs_code', 'one', traits.path, excerpt);
    return;
  }
  if (w.made_before.has(traits.path)) w.add('runs_code', 'one', traits.path, excerpt);
  const spoken = language ?? languageOfPath(traits.path, content.text, w.ontology) ?? 'shell';
  runText(w, spoken, content, excerpt);
}

/**
 * Runs a module that is loaded by its name or path, where this code fetched the file: `import m` behind a download of `m.py`.
 *
 * @param endings what the name of the file may have behind that of the module
 */
export function runLoaded(
  w: World,
  module: string,
  endings: readonly string[],
  language: Language,
  excerpt: string,
): void {
  for (const [path, { taint }] of w.files) {
    if ((taint & FOREIGN) === 0) continue;
    if (endings.some((ending) => `/${path}`.endsWith(`/${module}${ending}`))) runFile(w, path, language, excerpt);
  }
}
