/** Archives and ciphers: what goes in comes out changed. */

import { type Data, FROM, HOLE, isKnown } from '../data.ts';
import { decodeBase64 } from '../decode.ts';
import { deletePath } from '../deeds/delete-file.ts';
import { readFile } from '../deeds/read-file.ts';
import { writeFile } from '../deeds/write-file.ts';
import { reachBelow } from '../paths.ts';
import { type Field, field, isSeveral, lineOf, readOptions } from '../shell/call.ts';
import { readOperand } from './files/read-files.ts';
import { readSecret } from './guards.ts';
import type { Reader, Readers } from './knowledge.ts';

const firstAndRest = ([first, ...rest]: readonly Field[]): [Field | undefined, ...Field[]] => [first, ...rest];

const archive: Reader = (k) => {
  const zipLike = k.words('zip_like');
  const withValueOfZip = k.words('with_value_of_zip');
  const withValueOfTar = k.words('with_value_of_tar');
  const runsCommand = new RegExp(`--${k.anyOf('runs_command')}=(.*)`);
  const extracts = k.pattern('extracts');
  const creates = k.pattern('creates');
  const unpackers = k.words('unpackers');
  const extractOptions = k.options('extract_options');
  const folder = k.options('folder');
  const unlinks = k.options('unlinks');
  const archiveFile = k.options('archive_file');
  const operations = k.pattern('operations');
  const prints = k.words('prints');
  const makesUnnamed = k.pattern('makes_unnamed');
  const removesSources = k.options('removes_sources');
  const movesSources = k.pattern('moves_sources');
  const encrypting = k.words('encrypting');
  const encrypts = k.pattern('encrypts');
  return (c) => {
    const options = readOptions(c.args, zipLike.has(c.name) ? withValueOfZip : withValueOfTar);
    const command = runsCommand.exec(lineOf(c))?.[1];
    if (command !== undefined) c.world.run('shell', command);
    // `tar --xattrs -xf a.tar`: the operation may follow long options.
    const first = c.args.find(({ text }) => !text.startsWith('--'))?.text;
    const isOut = first !== undefined && extracts.test(first) && !creates.test(first);
    if (isOut || unpackers.has(c.name) || options.has(extractOptions)) {
      c.world.add('writes', 'many', options.value(folder) || '.', c.excerpt);
      if (options.has(unlinks)) deletePath(c.world, options.value(folder) || '.', c.excerpt, true, false);
      return c.stdin ?? undefined;
    }
    // Without a name the archive goes to whatever reads what is printed: `tar cz src | ssh …`.
    const isPrinted =
      !options.has(archiveFile) && prints.has(c.name) && first !== undefined && makesUnnamed.test(first);
    const [to, ...sources]: [Field | undefined, ...Field[]] = options.has(archiveFile)
      ? [field(options.value(archiveFile)), ...options.operands]
      : isPrinted
        ? [undefined, ...options.operands.filter((o) => o.text !== first)]
        : firstAndRest(options.operands.filter((o) => !operations.test(o.text)));
    const taint = sources.reduce((t, s) => t | readOperand(c, s, 'many').taint, FROM.listing as number);
    if (options.has(removesSources) || c.args.some((a) => movesSources.test(a.text)))
      for (const s of sources) {
        const isKept = to !== undefined && !['null', 'scratch'].includes(c.world.describe(to.text).place);
        if (isKept) c.world.add('deletes', reachBelow(c.world.describe(s.text)), s.text, c.excerpt);
        else deletePath(c.world, s.text, c.excerpt, true, isSeveral(s));
      }
    const isEncrypted = encrypting.has(c.name) && c.args.some((a) => encrypts.test(a.text));
    const data: Data = { text: HOLE, taint: taint | (isEncrypted ? FROM.encrypted : 0) };
    if (to === undefined || to.text === '-') return data;
    writeFile(c.world, to.text, data, c.excerpt);
    return undefined;
  };
};

const cipher: Reader = (k) => {
  const withValue = k.words('with_value');
  const input = k.options('input');
  const output = k.options('output');
  const toolkits = k.words('toolkits');
  const exportsKeys = k.pattern('exports_keys');
  const decrypts = k.pattern('decrypts');
  const decodes = k.pattern('decodes');
  const decodesBase64 = k.pattern('decodes_base64');
  const connects = k.pattern('connects');
  const encrypts = k.pattern('encrypts');
  const inspects = k.pattern('inspects');
  const severalFiles = k.pattern('several_files');
  return (c) => {
    const text = lineOf(c);
    if (exportsKeys.test(text)) return readSecret(c);
    const isToolkit = toolkits.has(c.name);
    const isDecrypting = decrypts.test(text);
    const options = readOptions(c.args, withValue);
    const file = options.value(input) || (isToolkit ? '' : (options.operands.at(-1)?.text ?? ''));
    const data = file === '' ? (c.stdin ?? { text: HOLE, taint: 0 }) : readFile(c.world, file, c.excerpt);
    if (isToolkit && isDecrypting && decodes.test(text)) {
      const plain = decodesBase64.test(text) && isKnown(data) ? decodeBase64(data.text) : null;
      return { text: plain ?? HOLE, taint: data.taint | FROM.decoded };
    }
    // `</dev/null` and `echo |` only end the connection: a look at the other side's certificate.
    const isEmpty =
      c.stdin !== null && isKnown(c.stdin) && /^\s{0,8}Q?\s{0,8}$/.test(c.stdin.text) && c.stdin.taint === 0;
    if (connects.test(text) && isEmpty) return { text: HOLE, taint: FROM.network };
    if (connects.test(text))
      c.world.add(
        c.stdin === null ? 'moves_laterally' : c.stdin.taint & FROM.interactive ? 'opens_channel' : 'sends_out',
        'one',
        options.operands.at(-1)?.text ?? '',
        c.excerpt,
      );
    if (isDecrypting || (isToolkit && !encrypts.test(text)) || inspects.test(text)) {
      // Options of a toolkit are whole words: `-connect` is no `-o`.
      const made = isToolkit ? (c.args.find((_, i) => c.args[i - 1]?.text === '-out')?.text ?? '') : '';
      if (made !== '') writeFile(c.world, made, { text: HOLE, taint: data.taint }, c.excerpt);
      return data;
    }
    const areMany =
      severalFiles.test(file) ||
      data.taint & FROM.listing ||
      options.operands.some(isSeveral) ||
      options.values(input).some(isSeveral);
    c.world.add('encrypts', areMany ? 'many' : 'one', file === '' ? 'piped data' : file, c.excerpt);
    const to = options.value(output);
    if (to !== '') writeFile(c.world, to, { text: HOLE, taint: data.taint | FROM.encrypted }, c.excerpt);
    return { text: HOLE, taint: data.taint | FROM.encrypted };
  };
};

export const ARCHIVE_READERS: Readers = { archive, cipher };
