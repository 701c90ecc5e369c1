/** Perl, Ruby, PHP, Lua and others: interpreters of which the calls in the code are found by their names. */

import { alternatives } from '../../ontology/pattern.ts';
import { perOntology } from '../../ontology/per-ontology.ts';
import { listOf, patternOf } from '../../ontology/words.ts';
import { type Data, FROM, HOLE } from '../data.ts';
import { decodeBase64, decodeHex } from '../decode.ts';
import { deletePath, destroyForGood, emptyPath } from '../deeds/delete-file.ts';
import { runFile, runText } from '../deeds/run-code.ts';
import { hostOf } from '../hosts.ts';
import { type Call, readOptions } from '../shell/call.ts';
import { runCommandOf } from './interpreters.ts';
import type { Reader, Readers } from './knowledge.ts';
import { foreign, runEvaluated, runForeignWords } from './unlisted/foreign.ts';

/** Runs the code, and reads the files that the interpreter changes in place: `perl -pi -e CODE FILE`. */
const script: Reader = (k) => {
  const withValue = k.words('with_value');
  const codeOptions = k.options('code');
  const inPlace = k.patternOrNone('in_place');
  const loads = k.patternOrNone('loads');
  const settings = loads === null ? [] : k.options('settings');
  return (c) => {
    const options = readOptions(c.args, withValue, true);
    for (const { text } of options.values(settings)) {
      const loaded = loads?.exec(text)?.[1];
      if (loaded !== undefined) runFile(c.world, loaded, 'script', c.excerpt);
    }
    const code = options.values(codeOptions)[0];
    const file = options.operands[0];
    if (inPlace !== null && c.args.some((a) => inPlace.test(a.text)))
      for (const f of options.operands) {
        if (leavesNothing(c, code?.text ?? '')) emptyPath(c.world, f.text, c.excerpt, f.hasGlob);
        c.world.add('writes', f.hasGlob ? 'many' : 'one', f.text, c.excerpt);
      }
    if (code !== undefined) {
      if (code.quoted !== undefined && code.text.includes(HOLE)) scanScript(c, { text: code.quoted, taint: 0 });
      return scanScript(c, code);
    }
    if (file?.content !== undefined) return scanScript(c, file.content);
    if (file !== undefined && file.text !== '-') {
      runFile(c.world, file.text, 'script', c.excerpt);
      runCommandOf(c, options.operands.slice(1));
    } else if (c.stdin !== null) scanScript(c, c.stdin);
    return { text: HOLE, taint: c.stdin?.taint ?? 0 };
  };
};

/** As `script`, of a language whose grammar is not known here: the commands and places in its strings are read too. */
const foreignScript: Reader = (k) => {
  const run = script(k);
  return (c) => {
    const shown = run(c);
    runForeignWords(c);
    return shown;
  };
};

/** Whether the code leaves nothing of a file: it empties each line, or it runs for each line and prints none (`-n`). */
function leavesNothing(c: Call, code: string): boolean {
  const isSilent = c.args.some((a) => /^-(?!-)[a-zA-Z]{0,8}n[a-zA-Z]{0,8}$/.test(a.text));
  return LEAVES_NOTHING.test(code) || (isSilent && !scriptSigns(c.world.ontology).prints.test(code));
}

/** Code for each line after which nothing is left of it. */
const LEAVES_NOTHING =
  /^\s{0,8}(?:\$_\s{0,4}=\s{0,4}(?:""|''|undef|q\(\))|undef\s{0,4}\$_|s([/|#,])\.[*+]\1\1[a-z]{0,4})\s{0,4};?\s{0,8}$/;

export const scriptSigns = perOntology((ontology) => {
  const sign = (name: string) => patternOf(ontology, 'script_signs', name);
  const named = (list: string) => alternatives(listOf(ontology, list));
  return {
    // linear: the next quote of its kind closes a text, so that at most two scans reach the end of the code
    command: new RegExp(`\\b${named('script_commands')}\\s*(?:\\(\\s*)?(["'])((?:[^\\\\]|\\\\.)*?)\\1`, 'g'),
    // linear: as above
    deletion: new RegExp(`\\b(${named('script_deletions')})\\s*(?:\\(\\s*)?(["'])(.*?)\\2`, 'g'),
    deletes: new RegExp(`\\b(${named('script_deletions')})`),
    commandName: new RegExp(`\\b${named('script_commands')}\\b`),
    treeDeletions: new Set(listOf(ontology, 'script_tree_deletions')),
    socket: sign('socket'),
    shell: sign('shell'),
    fork: sign('fork'),
    loop: sign('loop'),
    asksPassword: sign('asks_password'),
    eval: sign('eval'),
    decodes: sign('decodes'),
    emptiedByApp: sign('emptied_by_app'),
    prints: sign('prints'),
  };
});

/** The command that a script of expect starts, with what it quotes, and a line that it types into it. */
const SPAWNED = /\bspawn\s{1,4}([a-z](?:[^\]\n;"']|"[^"\n]{0,400}"){2,200})/g;
const TYPED = /\bsend\s{1,4}(?:--\s{1,4})?"((?:[^"\\\n]|\\[^rn\n]){3,400})\\[rn]/g;

/** Perl, Ruby, PHP, Lua: commands they run and sockets they open stand in strings and names. */
function scanScript(c: Call, code: Data): Data {
  const signs = scriptSigns(c.world.ontology);
  const hidden = code.taint & (FROM.network | FROM.decoded | FROM.service);
  if (hidden !== 0) runText(c.world, 'shell', { text: HOLE, taint: hidden }, c.excerpt);
  else c.world.add('runs_code', 'one', c.name, c.excerpt);
  const text = code.text;
  if (c.name !== 'osascript') c.world.run('script', text);
  for (const m of text.matchAll(SPAWNED)) c.world.run('shell', m[1]!);
  if (c.name === 'expect') for (const m of text.matchAll(TYPED)) c.world.run('shell', m[1]!.replace(/\\(["'])/g, '$1'));
  runEvaluated(c, text);
  for (const m of text.matchAll(signs.command)) c.world.run('shell', m[2]!.replace(/\\(["'])/g, '$1'));
  for (const m of text.matchAll(/`([^`]{2,400})`|%x[({[]([^)}\]]{2,400})[)}\]]/g)) c.world.run('shell', m[1] ?? m[2]!);
  for (const m of text.matchAll(signs.deletion))
    c.world.run('shell', `rm ${signs.treeDeletions.has(m[1]!) ? '-rf ' : ''}'${m[3]}'`);
  noteScriptDeletions(c, text);
  noteAppDeletions(c, text);
  if (signs.socket.test(text) && signs.shell.test(text)) {
    const host =
      hostOf(/["']([\w-]{1,63}(?:\.[\w-]{1,63}){1,16})(?::\d{1,5})?["']/.exec(text)?.[1] ?? '') ||
      hostOf(/["']([\w.:-]+)["']/.exec(text)?.[1] ?? '');
    c.world.noteHost(host);
    c.world.add('opens_channel', 'one', host, c.excerpt);
  }
  if (signs.asksPassword.test(text)) c.world.add('reads_credentials', 'many', 'password of a person', c.excerpt);
  if (signs.fork.test(text) && signs.loop.test(text))
    c.world.add('exhausts_resources', 'everything', 'fork', c.excerpt);
  if (signs.eval.test(text) && signs.decodes.test(text)) c.world.add('obfuscates', 'one', c.name, c.excerpt);
  return { text: HOLE, taint: code.taint };
}

/** What a script tells a program of a desktop to delete: everything of a folder, a trash, a mailbox. */
function noteAppDeletions(c: Call, text: string): void {
  const { emptiedByApp } = scriptSigns(c.world.ontology);
  if (c.name !== 'osascript') return;
  const found = emptiedByApp.exec(text);
  if (found !== null)
    destroyForGood(c.world, 'everything', found[1] ?? found[2] ?? 'items of a desktop program', c.excerpt);
}

/** Places in the code, where a function that deletes may get them in any way: `unlink glob "~/x/*"`. */
const PLACE = /["'`]((?:~|\.{0,2}\/|\$ENV\{HOME\}|[A-Za-z]:[\\/])[^"'`\n]{0,200})["'`]/g;

/** Deletions and commands whose arguments are not literals right behind their name. */
function noteScriptDeletions(c: Call, text: string): void {
  const { deletes, treeDeletions, commandName, decodes } = scriptSigns(c.world.ontology);
  const named = deletes.exec(text)?.[1];
  if (named !== undefined)
    for (const m of text.matchAll(PLACE))
      deletePath(c.world, m[1]!, c.excerpt, treeDeletions.has(named), /[*?]/.test(m[1]!));
  // Tcl has no quotes around its words.
  for (const m of text.matchAll(/\bfile\s{1,16}delete\s{1,16}(-force\s{1,16})?(?:--\s{1,16})?([^\s\]};"']{1,200})/g))
    deletePath(c.world, m[2]!, c.excerpt, m[1] !== undefined, /[*?]/.test(m[2]!));
  for (const m of text.matchAll(/\bexec\s+([a-z][^\]\n;"']{2,200})/g)) c.world.run('shell', m[1]!);
  // A function that is only named when the code runs may be one that runs commands.
  for (const m of text.matchAll(/\$\w{1,32}\s?\(\s?["']([^"'\n]{3,200})["']/g)) {
    c.world.unresolved ||= m[0];
    c.world.run('shell', m[1]!);
  }
  if (!commandName.test(text) || !decodes.test(text)) return;
  for (const m of text.matchAll(/["']([0-9a-fA-F]{16,400}|[A-Za-z0-9+/]{16,400}={0,2})["']/g)) {
    const plain = /^[0-9a-fA-F]+$/.test(m[1]!) ? decodeHex(m[1]!) : decodeBase64(m[1]!);
    if (plain !== null) runText(c.world, 'shell', { text: plain, taint: FROM.decoded }, c.excerpt);
  }
}

export const SCRIPT_READERS: Readers = { script, foreign_script: foreignScript, foreign };
