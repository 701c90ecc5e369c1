/** Programs that read, list and search files. */

import { withoutEnd } from '../../../lang/ends.ts';
import { inverseOf } from '../../../ontology/words.ts';
import { type Data, FROM, HOLE, UNKNOWN } from '../../data.ts';
import { emptyPath, noteDelete } from '../../deeds/delete-file.ts';
import { readFile, wantsAnySecret } from '../../deeds/read-file.ts';
import { runText } from '../../deeds/run-code.ts';
import { noteSought } from '../../deeds/sought-processes.ts';
import { writeFile } from '../../deeds/write-file.ts';
import { type PathTraits, pathKinds, reachBelow, reachOf } from '../../paths.ts';
import { readAwk } from '../../script/awk.ts';
import { type Call, type Field, field, inputFiles, isSeveral, type Program, readOptions } from '../../shell/call.ts';
import type { Language } from '../../world.ts';
import type { Reader, Readers } from '../knowledge.ts';
import { runForeign, runHandedOver } from '../unlisted/foreign.ts';
import { outsideCommands, runFound } from './commands-of-find.ts';
import { noteEditorCommands } from './editor-commands.ts';
import { noteScriptOutputs } from './outputs.ts';

/** What an operand hands over: a process substitution or a file. */
export function readOperand(c: Call, operand: Field, scope: 'one' | 'many' = 'one'): Data {
  if (operand.content !== undefined) return operand.content;
  // Anyone who prints each key that a search of the whole disk finds takes whatever key there is.
  if (operand.taint & FROM.listing) {
    const found = c.world.describe(operand.text);
    const root = c.world.describe(operand.text.slice(0, operand.text.lastIndexOf('/')) || '/');
    if (found.is_credential && root.place !== 'workspace' && reachBelow(root) === 'everything')
      c.world.add('reads_credentials', 'everything', found.path, c.excerpt);
  }
  return readFile(c.world, operand.text, c.excerpt, isSeveral(operand) ? 'many' : scope);
}

/** Reads these files and prints (some of) them; without a file, what is piped in. */
function readAll(c: Call, files: readonly Field[], keepsEndless = false): Data {
  if (files.length === 0) return filtered(c.stdin);
  if (files.length === 1) {
    const data = files[0]!.text === '-' && c.stdin !== null ? c.stdin : readOperand(c, files[0]!);
    const taint = data.taint | (c.stdin?.taint ?? 0);
    return { ...data, taint: keepsEndless ? taint : taint & ~FROM.endless };
  }
  let taint = c.stdin?.taint ?? 0;
  let text = '';
  for (const f of files) {
    const data = f.text === '-' && c.stdin !== null ? c.stdin : readOperand(c, f);
    taint |= data.taint;
    text += data.text;
  }
  return { text, taint: keepsEndless ? taint : taint & ~FROM.endless };
}

/** A filter keeps the places that a search has found, but no longer all of them. */
function filtered(stdin: Data | null): Data {
  if (stdin === null) return { text: HOLE, taint: 0 };
  return {
    text: stdin.taint & FROM.listing ? stdin.text.replace(/\*/g, HOLE) : HOLE,
    taint: stdin.taint & ~FROM.endless,
  };
}

const print: Reader = (k) => {
  const keepsEndless = k.words('keeps_endless');
  return (c) => {
    const { operands } = readOptions(c.args);
    if (operands.length === 0) return c.stdin ?? { text: HOLE, taint: 0 };
    return readAll(c, operands, keepsEndless.has(c.name));
  };
};

const read: Reader = (k) => {
  const withValue = k.words('with_value');
  return (c) => readAll(c, readOptions(c.args, withValue).operands);
};

/** The first operand is a program such as that of `jq`, unless an option gives it. */
const readAfterProgram: Reader = (k) => {
  const withValue = k.words('with_value');
  const givenByOption = k.options('given_by_option');
  return (c) => {
    const options = readOptions(c.args, withValue);
    return readAll(c, options.operands.slice(options.has(givenByOption) ? 0 : 1));
  };
};

const search: Reader = (k) => {
  const withValue = k.words('with_value');
  const patternOptions = k.options('pattern_options');
  const patternValues = k.options('pattern_values');
  const recursive = k.options('recursive');
  const alwaysRecursive = k.words('always_recursive');
  const secretWords = k.pattern('secret_words');
  const inverts = k.options('inverts');
  return (c) => {
    const options = readOptions(c.args, withValue);
    const isPatternOption = options.has(patternOptions);
    const pattern = isPatternOption ? options.value(patternValues) : (options.operands[0]?.text ?? '');
    const files = options.operands.slice(isPatternOption ? 0 : 1);
    const isDeep = options.has(recursive) || alwaysRecursive.has(c.name);
    if (secretWords.test(pattern)) {
      const isWide =
        isDeep && files.some((f) => reachBelow(c.world.describe(f.text)) === 'everything' && f.text !== '.');
      // Anyone who looks for secrets on the whole disk wants any of them.
      if (isWide) c.world.add('reads_credentials', 'everything', files[0]!.text, c.excerpt);
      else if (c.stdin?.text === ENVIRONMENT_TEXT) c.world.add('reads_credentials', 'many', 'environment', c.excerpt);
    }
    const isListing = c.stdin !== null && (c.stdin.taint & FROM.processes) !== 0;
    if (files.length === 0 && isListing && !options.has(inverts) && noteSought(c, pattern))
      return { text: HOLE, taint: c.stdin!.taint & ~FROM.processes };
    if (files.length === 0) return filtered(c.stdin);
    let taint = 0;
    for (const f of files) {
      // A file that is named is read, however deep the search goes: `grep -r PRIVATE ~/.ssh/id_rsa`.
      const isKey = isDeep && c.world.describe(f.text).is_store;
      if (isDeep && !isKey) c.world.add('reads', reachBelow(c.world.describe(f.text)), f.text, c.excerpt);
      else taint |= readOperand(c, f).taint;
    }
    return { text: HOLE, taint: taint | (isDeep ? FROM.file : 0) };
  };
};

/** What `env` prints; a search for secrets in it is recognised by this text. */
export const ENVIRONMENT_TEXT = `${HOLE}environment`;

const editStream: Reader = (k) => {
  const withValue = k.words('with_value');
  const scriptOptions = k.options('script_options');
  const inPlace = k.pattern('in_place');
  const readOnly = readAfterProgram(k);
  return (c) => {
    const options = readOptions(c.args, withValue);
    const script = options.value(scriptOptions) || (options.operands[0]?.text ?? '');
    runInScript(c, script);
    noteScriptOutputs(c, script);
    if (!c.args.some((a) => inPlace.test(a.text))) return readOnly(c);
    for (const f of options.operands.slice(options.has(scriptOptions) ? 0 : 1)) {
      if (LEAVES_NOTHING.test(script)) emptyPath(c.world, f.text, c.excerpt, isSeveral(f));
      writeFile(c.world, f.text, { text: HOLE, taint: 0 }, c.excerpt, f.hasGlob ? 'many' : 'one');
    }
    return undefined;
  };
};

/** A script of `sed` after which no line, or no character, is left. */
const LEAVES_NOTHING = /^(?:\d{1,9},\$|\/\.?\*?\/)?d$|^s(.)\.\*\1\1g?$/;

/** `s/…/command/e`, `1e command`: commands that `sed` runs. */
function runInScript(c: Call, script: string): void {
  const replaced = /^s([/|#,!])((?:\\.|[^\\]){0,400})$/s.exec(script);
  if (replaced !== null) {
    const sign = replaced[1]!;
    const parts = replaced[2]!.replaceAll(`\\${sign}`, '\0').split(sign);
    if (parts.length === 3 && /e/.test(parts[2]!)) c.world.run('shell', parts[1]!.replaceAll('\0', sign));
  }
  const own = /^(?:\d+|\$)?e\s+(\S.*)$/s.exec(script);
  if (own !== null) c.world.run('shell', own[1]!);
}

const runAwk: Reader = (k) => {
  const withValue = k.words('with_value');
  const scriptFile = k.options('script_file');
  return (c) => {
    const options = readOptions(c.args, withValue, true);
    const isFile = options.has(scriptFile);
    const code = isFile ? '' : (options.operands[0]?.text ?? '');
    // `curl … | awk -f -`: what is piped in is the program.
    if (
      c.stdin !== null &&
      (inputFiles(c.world.ontology).has(options.value(scriptFile)) || options.value(scriptFile) === '-')
    )
      runText(c.world, 'script', c.stdin, c.excerpt);
    readAwk(code, c.world, c.stdin, (command, input) =>
      c.invoke(
        command
          .trim()
          .split(/\s+/)
          .map((word) => field(word)),
        input,
      ),
    );
    const files = options.operands.slice(isFile ? 0 : 1).filter((f) => !/^\w+=/.test(f.text));
    if (files.length === 0) return filtered(c.stdin);
    return { text: HOLE, taint: files.reduce((t, f) => t | readOperand(c, f).taint, 0) };
  };
};

/** Prints names, sizes and dates, not content. */
const list: Reader = (k) => {
  const withValue = k.words('with_value');
  return (c) => {
    const { operands } = readOptions(c.args, withValue);
    const places = operands.length === 0 ? [field('.')] : operands;
    for (const p of places) {
      const traits = c.world.describe(p.text);
      if (p.text !== '.') c.world.notePath(p.text);
      c.world.add('reads', reachOf(traits, p.hasGlob), traits.path, c.excerpt);
    }
    const first = places[0]!;
    const text = first.hasGlob ? first.text : first.text === '.' ? '*' : `${first.text.replace(/\/$/, '')}/*`;
    return { text, taint: FROM.listing };
  };
};

/** The whole disk, all homes or one of them, or a folder at the root. */
function isWide({ path }: PathTraits): boolean {
  return /^(?:[a-z]:)?\/[^/]{0,32}\/?$|^~\/?$|^(?:[a-z]:)$/i.test(path);
}

/** Logs that are kept for at least so many days serve what they are kept for. */
const RETENTION_DAYS = 7;

/** `+30`: files that are older than 30 days; 0 for every other test of age. */
const daysOf = (test: string): number => (/^\+\d{1,4}$/.test(test) ? Number(test) : 0);

const find: Reader = (k) => {
  const patternFirst = k.words('pattern_first');
  const nameTests = k.words('name_tests');
  const negations = k.words('negations');
  const narrowingTests = k.pattern('narrowing_tests');
  const kindTests = k.pattern('kind_tests');
  const ageTests = k.words('age_tests');
  const specialModes = k.pattern('special_modes');
  const commandOptions = k.words('command_options');
  const commandOptionsOfFd = k.words('command_options_of_fd');
  const ends = k.words('ends_of_command');
  return (c) => {
    const at = c.args.findIndex((a) => /^[-(!]/.test(a.text));
    const all = at < 0 ? [] : c.args.slice(at);
    const isFd = patternFirst.has(c.name);
    // The words of a command that is run for each file are no tests: `-exec echo -delete ;`.
    const tests = outsideCommands(all, isFd ? commandOptionsOfFd : commandOptions, ends);
    const given = c.args.slice(0, at < 0 ? undefined : at);
    // `fd pattern folder…`, `find folder… tests`.
    const folders = isFd ? given.slice(1) : given;
    const roots = folders.length === 0 ? [field('.')] : folders;
    const named = tests.findIndex((t, i) => nameTests.has(t.text) && !negations.has(tests[i - 1]?.text ?? ''));
    const name = named < 0 ? '' : (tests[named + 1]?.text ?? '');
    const isFiltered = tests.some((t) => narrowingTests.test(t.text)) && name !== '*';
    const isNarrow = tests.some(
      (t, i) =>
        kindTests.test(t.text) &&
        !negations.has(tests[i - 1]?.text ?? '') &&
        !/^[*/.]*$/.test(tests[i + 1]?.text ?? ''),
    );
    if (tests.some((t, i) => t.text === '-perm' && specialModes.test(tests[i + 1]?.text ?? '')))
      c.world.add('reconnoitres', 'many', 'set-user-id files', c.excerpt);
    const found = roots.map((r) => {
      c.world.notePath(r.text);
      const base = withoutEnd(r.text, /\//);
      return field(`${base}/${isFiltered ? name || HOLE : '*'}`, FROM.listing, true);
    });
    for (const [i, { text }] of tests.entries())
      if (text === '-fprintf') writeFile(c.world, tests[i + 1]?.text ?? HOLE, tests[i + 2] ?? UNKNOWN, c.excerpt);
    const isDeleting = tests.some((t) => t.text === '-delete');
    const isOldOnly = tests.some((t, i) => ageTests.has(t.text) && daysOf(tests[i + 1]?.text ?? '') >= RETENTION_DAYS);
    const secrets = tests.filter(
      (t, i) =>
        nameTests.has(tests[i - 1]?.text ?? '') &&
        !negations.has(tests[i - 2]?.text ?? '') &&
        c.world.describe(t.text).is_credential,
    );
    const isEverywhere = roots.some((r) => isWide(c.world.describe(r.text)));
    const names = secrets.map(({ text }) => text);
    const isSweep = wantsAnySecret(c.world, names, isEverywhere);
    for (const [i, f] of found.entries()) {
      const traits = c.world.describe(f.text);
      const root = c.world.describe(roots[i]!.text);
      if (isFiltered && (traits.is_credential || secrets.length > 0))
        c.world.add('reads_credentials', isSweep ? 'everything' : 'many', traits.path, c.excerpt);
      else c.world.add('reads', reachOf(root, true), root.path, c.excerpt);
      // Logs that are kept for a time and then removed hide nothing of what happens now.
      if (isDeleting && isOldOnly && traits.is_log) c.world.add('deletes', 'one', traits.path, c.excerpt);
      else if (isDeleting) {
        // Below the root or a home folder, owner and age leave nearly everything in.
        const isTaken = !isFiltered || (!isNarrow && root.is_top && root.place !== 'workspace');
        noteDelete(
          c.world,
          isFiltered && isTaken ? root : traits,
          isTaken ? reachBelow(isFiltered ? root : traits) : reachOf(traits, true),
          c.excerpt,
        );
      }
    }
    const before = found.map((f) => c.world.files.get(c.world.describe(f.text).path));
    const shown = runFound(c, isFd, all, found, isFd ? commandOptionsOfFd : commandOptions, ends);
    // The same text is written into whatever is found on the whole disk or in all homes.
    const { homes } = pathKinds(c.world.ontology);
    const isSpread = found.some((f, i) => {
      const written = c.world.files.get(c.world.describe(f.text).path);
      return written !== undefined && written !== before[i] && homes.test(c.world.describe(roots[i]!.text).path);
    });
    if (isSpread) c.world.add('persists', 'many', found[0]!.text, c.excerpt);
    if (shown !== null) return { text: HOLE, taint: shown.taint | FROM.listing };
    return { text: found.map((f) => f.text).join(' '), taint: FROM.listing };
  };
};

/** `:r !command` and `:%w !command` of an editor, with the lines that they are for. */
const THROUGH_COMMAND =
  /^(?:\+|-c)?\s{0,16}:?(?:silent!?\s{1,4})?[%\d,.$]{0,12}(r(?:ead)?|w(?:rite)?)\s{0,4}!\s{0,8}(\S.{0,2000})$/s;

/** Editors and pagers run commands and code given to them: `vim -c ':!cmd'`, `vim -c ':py3 …'`. What they are told when they start is code. */
const edit: Reader = (k) => {
  const readAsIs: Program = read(k);
  const languages = inverseOf(k.ontology, 'editor_languages');
  const pager = k.options('pager');
  const readsCommands = k.words('reads_commands');
  const codeOptions = k.options('code');
  const scripts = k.options('scripts');
  const withValue = k.words('with_value');
  return (c) => {
    const options = readOptions(c.args, withValue);
    let shown = '';
    for (const a of c.args) {
      const [, way = '', command = ''] = THROUGH_COMMAND.exec(a.text) ?? [];
      if (command !== '') {
        // `:r !a` puts what `a` prints into the text, and `:w !b` hands the text to `b`.
        const isRead = way.startsWith('r');
        c.world.run('shell', !isRead && shown !== '' ? `${shown} | ${command}` : command);
        if (isRead) shown = command;
        continue;
      }
      const line = /^(?:\+|-c)?\s{0,16}:?(?:silent!?\s{1,4})?(!|[a-z]\w{1,11}!?)\s{0,16}(.+)$/s.exec(a.text);
      if (line === null) continue;
      const [, verb = '', rest = ''] = line;
      const language = verb === '!' ? 'shell' : (languages.get(verb.replace(/!$/, '')) as Language | undefined);
      if (language !== undefined) c.world.run(language, rest.replace(/^!/, ''));
    }
    for (const by of options.values(pager)) c.world.run('shell', by.text);
    const told = [...options.values(codeOptions), ...c.args.filter((a) => a.text.startsWith('+'))].map((a) => a.text);
    if (readsCommands.has(c.name)) noteEditorCommands(c, [...told, c.stdin?.text ?? ''], options.operands);
    for (const code of options.values(codeOptions)) runForeign(c, code.text);
    if (c.stdin !== null && readsCommands.has(c.name))
      for (const m of c.stdin.text.matchAll(/(?:^|\n)\s{0,16}!\s{0,16}([^\n]{2,400})/g)) c.world.run('shell', m[1]!);
    // `vim -S /dev/stdin`: what is piped in is the script.
    if (
      c.stdin !== null &&
      options.has(scripts) &&
      [...inputFiles(c.world.ontology), '-'].includes(options.value(scripts))
    )
      runText(c.world, 'script', c.stdin, c.excerpt);
    runHandedOver(c);
    return readAsIs(c);
  };
};

export const READING_READERS: Readers = {
  print,
  read,
  read_after_program: readAfterProgram,
  edit,
  search,
  edit_stream: editStream,
  run_awk: runAwk,
  list,
  find,
};
