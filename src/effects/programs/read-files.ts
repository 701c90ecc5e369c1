/** Programs that read, list and search files. */

import { type Data, FROM, HOLE } from '../data.ts';
import { noteDelete, readFile, writeFile } from '../deeds.ts';
import { reachBelow, reachOf } from '../paths.ts';
import {
  type Call,
  type Field,
  field,
  type Program,
  type ProgramTable,
  programTable,
  readOptions,
} from '../shell/call.ts';

const SECRET_WORDS = /passw|secret|api.?key|token|BEGIN.*PRIVATE|credential|aws_access/i;

/** Has a wildcard, or came out of a search. */
export function isSeveral(f: Field): boolean {
  return f.hasGlob || (f.taint & FROM.listing) !== 0;
}

/** What an operand hands over: a process substitution or a file. */
export function readOperand(c: Call, operand: Field, scope: 'one' | 'many' = 'one'): Data {
  if (operand.content !== undefined) return operand.content;
  return readFile(c.world, operand.text, c.excerpt, isSeveral(operand) ? 'many' : scope);
}

/** Reads its operands, or what is piped in, and prints (some of) it. `skip` operands are no files. */
function reader(valued = '', skip = 0): Program {
  return (c) => {
    const options = readOptions(c.args, valued);
    const files = options.operands.slice(options.has('e', 'f', 'regexp', 'expression', 'file') ? 0 : skip);
    if (files.length === 0) return filtered(c.stdin);
    let taint = c.stdin?.taint ?? 0;
    let text = '';
    for (const f of files) {
      const data = f.text === '-' && c.stdin !== null ? c.stdin : readOperand(c, f);
      taint |= data.taint;
      text += data.text;
    }
    return { text, taint: c.name === 'cat' ? taint : taint & ~FROM.endless };
  };
}

/** A filter keeps the places that a search has found, but no longer all of them. */
function filtered(stdin: Data | null): Data {
  if (stdin === null) return { text: HOLE, taint: 0 };
  return {
    text: stdin.taint & FROM.listing ? stdin.text.replace(/\*/g, HOLE) : HOLE,
    taint: stdin.taint & ~FROM.endless,
  };
}

const cat: Program = (c) => {
  const { operands } = readOptions(c.args);
  if (operands.length === 0) return c.stdin ?? { text: HOLE, taint: 0 };
  return reader()(c);
};

const grep: Program = (c) => {
  const options = readOptions(c.args, 'e f A B C m include exclude exclude-dir regexp file max-count color d D');
  const isPatternOption = options.has('e', 'f', 'regexp', 'file');
  const pattern = isPatternOption ? options.value('e', 'regexp') : (options.operands[0]?.text ?? '');
  const files = options.operands.slice(isPatternOption ? 0 : 1);
  const isDeep = options.has('r', 'R', 'recursive') || /^(?:rg|ag|ack)$/.test(c.name);
  if (SECRET_WORDS.test(pattern)) {
    const isWide = isDeep && files.some((f) => reachBelow(c.world.describe(f.text)) === 'everything' && f.text !== '.');
    if (isWide || c.stdin?.text === ENVIRONMENT_TEXT)
      c.world.add('reads_credentials', 'many', files[0]?.text ?? 'environment', c.excerpt);
  }
  if (files.length === 0) return filtered(c.stdin);
  let taint = 0;
  for (const f of files) {
    if (isDeep) c.world.add('reads', reachBelow(c.world.describe(f.text)), f.text, c.excerpt);
    else taint |= readOperand(c, f).taint;
  }
  return { text: HOLE, taint: taint | (isDeep ? FROM.file : 0) };
};

/** What `env` prints; grep looks for it. */
export const ENVIRONMENT_TEXT = `${HOLE}environment`;

const sed: Program = (c) => {
  const options = readOptions(c.args, 'e f expression file l');
  const files = options.operands.slice(options.has('e', 'f', 'expression', 'file') ? 0 : 1);
  const isInPlace = c.args.some((a) => /^(?:-[a-zA-Z]*i|--in-place)/.test(a.text));
  if (!isInPlace) return reader('e f expression file l', 1)(c);
  for (const f of files) writeFile(c.world, f.text, { text: HOLE, taint: 0 }, c.excerpt, f.hasGlob ? 'many' : 'one');
  return undefined;
};

const awk: Program = (c) => {
  const options = readOptions(c.args, 'F v f', true);
  const code = options.has('f') ? '' : (options.operands[0]?.text ?? '');
  for (const m of code.matchAll(/system\s*\(\s*"((?:[^"\\]|\\.)*)"|"((?:[^"\\]|\\.)*)"\s*\|\s*getline/g))
    c.world.run('shell', (m[1] ?? m[2] ?? '').replaceAll('\\"', '"'));
  const files = options.operands.slice(options.has('f') ? 0 : 1).filter((f) => !/^\w+=/.test(f.text));
  if (files.length === 0) return filtered(c.stdin);
  return { text: HOLE, taint: files.reduce((t, f) => t | readOperand(c, f).taint, 0) };
};

/** Names, sizes and dates, not content. */
const lister: Program = (c) => {
  const { operands } = readOptions(c.args, 'I ignore L P maxdepth block-size max-depth d');
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

const find: Program = (c) => {
  const at = c.args.findIndex((a) => /^[-(!]/.test(a.text));
  const tests = at < 0 ? [] : c.args.slice(at);
  const given = c.args.slice(0, at < 0 ? undefined : at);
  // `fd pattern folder…`, `find folder… tests`.
  const folders = c.name === 'fd' ? given.slice(1) : given;
  const roots = folders.length === 0 ? [field('.')] : folders;
  const named = tests.findIndex((t, i) => /^-i?name$/.test(t.text) && !/^(?:!|-not)$/.test(tests[i - 1]?.text ?? ''));
  const name = named < 0 ? '' : (tests[named + 1]?.text ?? '');
  const isFiltered =
    tests.some((t) =>
      /^-(?:i?name|i?path|i?regex|[mac]?time|[mac]min|newer\w*|size|empty|user|group|perm|inum|links|samefile|nouser)$/.test(
        t.text,
      ),
    ) && name !== '*';
  if (tests.some((t, i) => t.text === '-perm' && /[467]000|[ug]\+s/.test(tests[i + 1]?.text ?? '')))
    c.world.add('reconnoitres', 'many', 'set-user-id files', c.excerpt);
  const found = roots.map((r) => {
    c.world.notePath(r.text);
    const base = r.text.replace(/\/+$/, '');
    return field(`${base}/${isFiltered ? name || HOLE : '*'}`, FROM.listing, true);
  });
  for (const [i, f] of found.entries()) {
    const traits = c.world.describe(f.text);
    if (isFiltered && traits.is_credential) c.world.add('reads_credentials', 'many', traits.path, c.excerpt);
    else
      c.world.add(
        'reads',
        reachOf(c.world.describe(roots[i]!.text), true),
        c.world.describe(roots[i]!.text).path,
        c.excerpt,
      );
    if (tests.some((t) => t.text === '-delete'))
      noteDelete(c.world, traits, isFiltered ? reachOf(traits, true) : reachBelow(traits), c.excerpt);
  }
  const shown = runFound(c, tests, found);
  if (shown !== null) return { text: HOLE, taint: shown.taint | FROM.listing };
  return { text: found.map((f) => f.text).join(' '), taint: FROM.listing };
};

/** `-exec … ;` with the found names in place of `{}`; what the commands print, `null` when there are none. */
function runFound(c: Call, tests: readonly Field[], found: readonly Field[]): Data | null {
  let taint: number | null = null;
  for (let i = 0; i < tests.length; i++) {
    if (!(c.name === 'fd' ? /^(?:-[xX]|--exec(?:-batch)?)$/ : /^-(?:exec|execdir|ok|okdir)$/).test(tests[i]!.text))
      continue;
    const end = tests.findIndex((t, j) => j > i && (t.text === ';' || t.text === '+' || t.text === '\\;'));
    const command = tests.slice(i + 1, end < 0 ? undefined : end);
    const filled = command.flatMap((f) =>
      f.text === '{}' ? found : f.text.includes('{}') ? [{ ...f, text: f.text.replaceAll('{}', found[0]!.text) }] : [f],
    );
    const out = c.invoke(c.name === 'fd' && filled.length === command.length ? [...filled, ...found] : filled, null);
    taint = (taint ?? 0) | out.taint;
    if (end < 0) break;
    i = end;
  }
  return taint === null ? null : { text: HOLE, taint };
}

/** Editors and pagers run commands given to them: `vim -c ':!cmd'`. */
const editor: Program = (c) => {
  for (const a of c.args) {
    const m = /^(?:\+|-c)?\s*:?!\s*(.+)$/s.exec(a.text);
    if (m !== null) c.world.run('shell', m[1]!);
  }
  return reader('c S u i')(c);
};

export const READING_PROGRAMS: ProgramTable = programTable({
  'cat tac bat batcat get-content gc': cat,
  'nl less more most strings hd hexdump uniq comm paste column fold fmt expand pr tsort iconv readelf objdump nm xmllint zcat zless bzcat xzcat open type diff cmp sdiff colordiff':
    reader('n c s N w'),
  'view vi vim nvim nano emacs ed': editor,
  'head tail od sort cut join shuf split': reader('n c s N w k t d f o j A lines bytes fields delimiter key'),
  'jq yq mlr xsv csvcut': reader('arg indent', 1),
  'grep egrep fgrep zgrep rg ag ack findstr select-string': grep,
  sed,
  'awk gawk mawk nawk': awk,
  'ls dir vdir tree du df stat file wc md5sum sha1sum sha256sum sha512sum cksum exa eza readlink realpath get-childitem gci locate mlocate':
    lister,
  'find fd': find,
});
