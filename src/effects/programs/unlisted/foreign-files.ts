/**
 * Files in code of languages that are read by their words: what a function of writing puts into a file, and credentials that
 * are named beside an address to which something is sent.
 */
import { alternatives } from '../../../ontology/pattern.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { listOf, patternOf } from '../../../ontology/words.ts';
import { isPrivateAddress } from '../../code/code-signs.ts';
import { FROM, HOLE } from '../../data.ts';
import { sendTo } from '../../deeds/network.ts';
import { readFile } from '../../deeds/read-file.ts';
import { writeFile } from '../../deeds/write-file.ts';
import { hostOfUrl, isLoopback } from '../../hosts.ts';
import { environmentVariable, taintSentTo } from '../../key-variables.ts';
import type { World } from '../../world.ts';

const MAX_CODE = 24_000;
/** Files that are followed in one piece of code. */
const MAX_FILES = 12;
/** A text between quotes of either kind. */
const TEXT = /"((?:[^"\\\n]|\\.){1,2000})"|'((?:[^'\\\n]|\\.){1,2000})'/g;
/** A file by its place: from the root, from the home folder, or in a hidden folder. */
const FILE = /^(?:~?\/|[A-Za-z]:[\\/]|\.[\w-]{1,64}\/)[^\s*?"'<>|]{2,300}$/;
const ADDRESS = /\bhttps?:\/\/[^\s"'`<>\\)]{3,300}/i;
const ADDRESSES = new RegExp(ADDRESS, 'gi');

export const foreignFileWords = perOntology((ontology) => ({
  writes: new RegExp(`(?<![\\w-])${alternatives(listOf(ontology, 'foreign_writers'))}(?![\\w-])[^\\n]{0,2000}`, 'gi'),
  half_secret: listOf(ontology, 'half_secret_files'),
  sends: patternOf(ontology, 'foreign_senders', 'any'),
  environment: new RegExp(patternOf(ontology, 'foreign_environment', 'any').source, 'g'),
}));

function textsIn(code: string): string[] {
  return [...code.matchAll(TEXT)].map(([, double, single]) => double ?? single ?? '');
}

/** Notes files that functions of writing name, with the other texts of the call as their content. Says whether there was one. */
export function noteForeignWrites(w: World, code: string, excerpt: string): boolean {
  const { writes } = foreignFileWords(w.ontology);
  let found = 0;
  for (const [call] of code.slice(0, MAX_CODE).matchAll(writes)) {
    if (found >= MAX_FILES || !w.step(8)) break;
    const texts = textsIn(call);
    const place = texts.find((text) => FILE.test(text));
    if (place === undefined) continue;
    found++;
    const content = texts.filter((text) => text !== place).join('\n');
    writeFile(w, place, { text: content === '' ? HOLE : content, taint: 0 }, excerpt);
  }
  return found > 0;
}

/** Notes credentials that the code names where it also sends something to a host outside. */
export function noteTakenAway(w: World, code: string): void {
  const text = code.slice(0, MAX_CODE);
  noteTakenKeys(w, text);
  const { sends, half_secret } = foreignFileWords(w.ontology);
  const url = ADDRESS.exec(text)?.[0] ?? '';
  const host = hostOfUrl(url);
  if (host === '' || isLoopback(host) || isPrivateAddress(host) || !sends.test(text)) return;
  const places = textsIn(text).filter((one) => FILE.test(one));
  for (const place of places.slice(0, MAX_FILES)) {
    // A hidden folder is one of the home folder: `home.resolve(".m2/settings.xml")`.
    const path = place.startsWith('.') ? `~/${place}` : place;
    if (!w.step(4)) return;
    if (!w.describe(path).is_credential && !half_secret.some((name) => path.endsWith(`/${name}`))) continue;
    readFile(w, path, place);
    sendTo(w, url, { text: HOLE, taint: FROM.file | FROM.secret }, place);
  }
}

/** Notes secrets of the environment that the code reads beside addresses for none of which they are meant. */
function noteTakenKeys(w: World, code: string): void {
  const urls = [...code.matchAll(ADDRESSES)].slice(0, MAX_FILES).map(([url]) => url);
  if (urls.length === 0) return;
  for (const [read, name = ''] of code.matchAll(foreignFileWords(w.ontology).environment)) {
    if (!w.step(4)) return;
    const { taint } = environmentVariable(w, name);
    const isLeaked = (url: string): boolean => (taintSentTo(w, { text: url, taint: 0 }, taint) & FROM.secret) !== 0;
    if (taint !== 0 && urls.every(isLeaked)) sendTo(w, urls[0]!, { text: HOLE, taint }, read);
  }
}
