/** Archives and ciphers: what goes in comes out changed. */

import { type Data, FROM, HOLE, isKnown } from '../data.ts';
import { decodeBase64 } from '../decode.ts';
import { readFile, writeFile } from '../deeds.ts';
import { field, lineOf, type Program, type ProgramTable, programTable, readOptions } from '../shell/call.ts';
import { secret } from './guards.ts';
import { isSeveral, readOperand } from './read-files.ts';

const archive: Program = (c) => {
  const options = readOptions(c.args, /zip|7z|rar/.test(c.name) ? 'P p x i' : 'f C I X T exclude file directory');
  const action = /--(?:checkpoint-action=exec|to-command|use-compress-program|unzip-command)=(.*)/.exec(lineOf(c))?.[1];
  if (action !== undefined) c.world.run('shell', action);
  const isOut = c.args[0] !== undefined && /^-?\w*[xd]\w*$/.test(c.args[0].text) && !/^-?\w*c/.test(c.args[0].text);
  if (isOut || /^un/.test(c.name) || options.has('extract', 'get')) {
    c.world.add('writes', 'many', options.value('C', 'directory', 'd') || '.', c.excerpt);
    return c.stdin ?? undefined;
  }
  const [to, ...sources] = options.has('f', 'file')
    ? [field(options.value('f', 'file')), ...options.operands]
    : options.operands.filter((o) => !/^[acu]$|^-?c?\w*f$/.test(o.text));
  const taint = sources.reduce((t, s) => t | readOperand(c, s, 'many').taint, FROM.listing as number);
  const isEncrypted =
    /^(?:zip|7z|7za|rar)$/.test(c.name) && c.args.some((a) => /^-(?:e|P|p.+|hp.*|-encrypt|-password.*)$/.test(a.text));
  const data: Data = { text: HOLE, taint: taint | (isEncrypted ? FROM.encrypted : 0) };
  if (to === undefined || to.text === '-') return data;
  writeFile(c.world, to.text, data, c.excerpt);
  return undefined;
};

const cipher: Program = (c) => {
  const text = lineOf(c);
  if (/--export-secret/.test(text)) return secret(c);
  const isDecrypting = /(?:^|\s)(?:-d|--decrypt|-D)\b/.test(text);
  const isDecoding = c.name === 'openssl' && /\b(?:base64|enc)\b/.test(text) && isDecrypting;
  const options = readOptions(c.args, 'in out o output r recipient k K pass iv passphrase e d');
  const file = options.value('in') || (c.name === 'openssl' ? '' : (options.operands.at(-1)?.text ?? ''));
  const data = file === '' ? (c.stdin ?? { text: HOLE, taint: 0 }) : readFile(c.world, file, c.excerpt);
  if (isDecoding) {
    const plain = /\bbase64\b|-a\b/.test(text) && isKnown(data) ? decodeBase64(data.text) : null;
    return { text: plain ?? HOLE, taint: data.taint | FROM.decoded };
  }
  if (/\bs_client\b.*-connect/.test(text))
    c.world.add(
      c.stdin === null ? 'moves_laterally' : c.stdin.taint & FROM.interactive ? 'opens_channel' : 'sends_out',
      'one',
      options.operands.at(-1)?.text ?? '',
      c.excerpt,
    );
  if (
    isDecrypting ||
    (c.name === 'openssl' && !/\b(?:enc|aes\S*|smime|cms|rsautl|pkeyutl)\b/.test(text)) ||
    /--(?:verify|list|import|gen|full-gen|version)/.test(text)
  )
    return data;
  c.world.add(
    'encrypts',
    /\*|-r\b/.test(file) ||
      data.taint & FROM.listing ||
      options.operands.some(isSeveral) ||
      options.values('in').some(isSeveral)
      ? 'many'
      : 'one',
    file === '' ? 'piped data' : file,
    c.excerpt,
  );
  const to = options.value('out', 'o', 'output');
  if (to !== '') writeFile(c.world, to, { text: HOLE, taint: data.taint | FROM.encrypted }, c.excerpt);
  return { text: HOLE, taint: data.taint | FROM.encrypted };
};

export const ARCHIVE_PROGRAMS: ProgramTable = programTable({
  'tar bsdtar zip 7z 7za rar ar cpio compress-archive unzip unrar expand-archive': archive,
  'gpg gpg2 openssl age ccrypt mcrypt aescrypt': cipher,
});
