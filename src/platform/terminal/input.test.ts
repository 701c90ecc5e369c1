import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { isBlank, type Line, openInput, splitLines } from './input.ts';
import { CliError } from './output.ts';

let folder = '';
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'weir-input-'));
});
after(() => rm(folder, { recursive: true }));

async function* chunks(...texts: (string | Buffer)[]): AsyncGenerator<Buffer> {
  for (const text of texts) yield Buffer.from(text);
}

async function collect(lines: AsyncIterable<Line>): Promise<(string | null)[]> {
  const found: (string | null)[] = [];
  for await (const { bytes } of lines) found.push(bytes === null ? null : bytes.toString());
  return found;
}

async function readFile(name: string, content: Buffer): Promise<(string | null)[]> {
  const path = join(folder, name);
  await writeFile(path, content);
  return await collect((await openInput(path, 1_000)).lines);
}

test('lines are the same for any chunking of the bytes', async () => {
  const text = fc.array(fc.string({ unit: fc.constantFrom('a', 'é', '\n', '\r', ' ') }), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(text, fc.nat(12), async (parts, size) => {
      const whole = Buffer.from(parts.join(''));
      const pieces: Buffer[] = [];
      for (let at = 0; at < whole.length; at += size + 1) pieces.push(whole.subarray(at, at + size + 1));
      const expected = whole.toString().split('\n');
      if (expected.at(-1) === '') expected.pop();
      assert.deepEqual(await collect(splitLines(chunks(...pieces), 1_000)), expected);
    }),
  );
});

test('lines are numbered from 1, blank ones included', async () => {
  const numbers: number[] = [];
  for await (const line of splitLines(chunks('a\n\n b\n'), 10)) if (!isBlank(line)) numbers.push(line.number);
  assert.deepEqual(numbers, [1, 3]);
});

test('a line over the limit is skipped and the next one is read', async () => {
  assert.deepEqual(await collect(splitLines(chunks('12345', '6\nab\n', '1234567890'), 5)), [null, 'ab', null]);
  assert.deepEqual(await collect(splitLines(chunks('12345\n'), 5)), ['12345'], 'the limit itself is allowed');
});

test('a byte order mark before the first line is dropped', async () => {
  assert.deepEqual(await collect(splitLines(chunks('\ufeffa\nb'), 10)), ['a', 'b']);
});

test('gzip is recognised by its content, several members included', async () => {
  const packed = Buffer.concat([gzipSync('a\nb\n'), gzipSync('c\n')]);
  assert.deepEqual(await readFile('named-plain.jsonl', packed), ['a', 'b', 'c']);
  assert.deepEqual(await readFile('plain.gz', Buffer.from('a\nb')), ['a', 'b']);
  assert.deepEqual(await readFile('empty', Buffer.alloc(0)), []);
  assert.deepEqual(await readFile('one-byte', Buffer.from('x')), ['x']);
});

test('gzip that is cut off is an error that names the file', async () => {
  const packed = gzipSync('a line of text\n'.repeat(1_000));
  await assert.rejects(readFile('cut.gz', packed.subarray(0, packed.length - 20)), (error: unknown) => {
    assert.ok(error instanceof CliError);
    assert.match(error.message, /cannot read `.*cut\.gz` to its end: unexpected end of file/);
    return true;
  });
});

test('a missing file and a directory are named', async () => {
  await assert.rejects(openInput(join(folder, 'none'), 10), {
    message: `there is no file \`${join(folder, 'none')}\``,
  });
  await assert.rejects(openInput(folder, 10), /is a directory/);
});
