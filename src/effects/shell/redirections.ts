/** Redirections of a shell command: where its input comes from, and where its output goes. */
import type { Command, ParsedScript, Redirection, Word } from 'unbash';
import type { Ontology } from '../../ontology/index.ts';
import { perOntology } from '../../ontology/per-ontology.ts';
import { setOf } from '../../ontology/words.ts';
import { concat, type Data, FROM } from '../data.ts';
import { emptyPath } from '../deeds/delete-file.ts';
import { readFile } from '../deeds/read-file.ts';
import { writeFile } from '../deeds/write-file.ts';
import { isLoopback } from '../hosts.ts';
import type { World } from '../world.ts';
import { field } from './call.ts';
import { type Expander, expandText, expandWord, joinText } from './shell-words.ts';

const SILENT: Data = { text: '', taint: 0 };

interface Target {
  path: string;
  operator: string;
  hasOutput: boolean;
  isSeveral: boolean;
}

export interface Redirected {
  /** Null: the input is not redirected. */
  stdin: Data | null;
  targets: readonly Target[];
  /** Scripts that read what the command prints: `> >(sh)`. */
  readers: readonly ParsedScript[];
  /** Numbers of the descriptors that the output goes to: `>&3`. */
  descriptors: readonly string[];
}

/** Reads redirections in their order. `excerptOf` gives the source of one; `isIdle` where the command says and reads nothing. */
export function readRedirections(
  redirects: readonly Redirection[],
  expander: Expander,
  world: World,
  excerptOf: (redirection: Redirection) => string,
  isIdle = false,
): Redirected {
  let stdin: Data | null = null;
  const targets: Target[] = [];
  const readers: ParsedScript[] = [];
  const descriptors: string[] = [];
  for (const r of redirects) {
    if (!world.step(4)) break;
    const opened = openedAs(r);
    if (r.type === 'HereDoc')
      stdin = r.body.parts === undefined ? { text: r.body.text, taint: 0 } : joinText(r.body.parts, expander);
    else if (r.type === 'HereString') {
      const given = expandText(r.target, expander);
      if (opened === '') stdin = given;
      else world.files.set(opened, given);
    } else if (r.target !== undefined) {
      const reader = readersOf([r.target])[0];
      if (reader !== undefined) {
        if (!isForErrors(r)) readers.push(reader);
        continue;
      }
      const target = expandWord(r.target, expander)[0] ?? field('');
      const excerpt = excerptOf(r);
      if (!/^(?:\d+|-|\/dev\/null)$/.test(target.text)) world.has_redirection = true;
      if (/^\/dev\/(?:tcp|udp)\//.test(target.text))
        noteSocket(world, target.text, excerpt, isIdle && openedAs(r) === '');
      else if (r.operator === '<&') stdin = world.files.get(`${DESCRIPTORS}${target.text}`) ?? stdin;
      else if (r.operator === '<' && opened !== '')
        world.files.set(opened, target.content ?? readFile(world, target.text, excerpt));
      else if (r.operator === '<') stdin = target.content ?? readFile(world, target.text, excerpt);
      else if (/^\d+$/.test(target.text) && r.operator === '>&') descriptors.push(target.text);
      else if (!/^(?:\d+|-)$/.test(target.text))
        targets.push({
          path: target.text,
          operator: r.operator,
          hasOutput: !isForErrors(r),
          isSeveral: target.hasGlob || (target.taint & FROM.listing) !== 0,
        });
    }
  }
  return { stdin, targets, readers, descriptors };
}

const silentCommands = perOntology((ontology) => setOf(ontology, 'silent_commands'));

/** Whether a command neither reads its input nor prints anything: none at all, or one such as `:` without words. */
export const saysNothing = ({ name, args }: Command, ontology: Ontology): boolean =>
  name === undefined || (args.length === 0 && silentCommands(ontology).has(name.value));

const DESCRIPTORS = '/dev/fd/';

/** The path of a descriptor beyond the usual ones that this opens; '' when it opens none. */
function openedAs({ descriptor }: Redirection): string {
  return descriptor?.type === 'FileDescriptor' && descriptor.value > 2 ? `${DESCRIPTORS}${descriptor.value}` : '';
}

/** Writes what the command printed to its targets. */
export function writeTargets(targets: readonly Target[], out: Data, world: World): void {
  for (const t of targets) {
    const excerpt = `${t.operator} ${t.path}`;
    const isAppended = t.operator.includes('>>');
    const old = isAppended ? world.files.get(world.describe(t.path).path) : undefined;
    const written = t.hasOutput ? out : SILENT;
    if (t.hasOutput && out.text === '' && !isAppended) emptyPath(world, t.path, excerpt, t.isSeveral);
    writeFile(world, t.path, old === undefined ? written : concat(old, written), excerpt, 'one', isAppended);
  }
}

/** Whether nothing of what the command prints goes on down the pipe. */
export function takesOutput({ readers, targets }: Redirected): boolean {
  return readers.length > 0 || targets.some((target) => target.hasOutput);
}

function noteSocket(world: World, target: string, excerpt: string, isIdle: boolean): void {
  const host = target.split('/')[3] ?? '';
  world.noteHost(host);
  // Whether a port of this machine answers is what a script waits for that has started its server.
  if (isLoopback(host)) return;
  // A connection over which nothing goes either way only shows whether the port answers.
  if (isIdle) {
    world.add('reconnoitres', 'one', host === '' ? target : host, excerpt);
    return;
  }
  world.add('opens_channel', 'one', host === '' ? target : host, excerpt);
}

/** The scripts of `>(…)` among the words: they read what the command prints. */
export function readersOf(words: readonly Word[]): ParsedScript[] {
  return words.flatMap((w) =>
    (w.parts ?? []).flatMap((p) =>
      p.type === 'ProcessSubstitution' && p.operator === '>' && p.script !== undefined ? [p.script] : [],
    ),
  );
}

/** `2> file`: what the program prints still goes on down the pipe. */
function isForErrors({ descriptor }: Redirection): boolean {
  return descriptor?.type === 'FileDescriptor' && descriptor.value === 2;
}
