import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { load } from 'js-yaml';
import { parsedDocuments, type Source } from './parsed-documents.ts';

const folders: string[] = [];
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});
function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'documents-'));
  folders.push(folder);
  return folder;
}

const source = (path: string, text: string): Source => ({ path, bytes: Buffer.from(text) });
const SOURCES = [source('a.yaml', 'b: [1, x, null]\na: {c: true}\n'), source('b.yaml', '- 1.5\n- "2"\n')];
const CONTENTS = [{ b: [1, 'x', null], a: { c: true } }, [1.5, '2']];

/** The contents, and the paths that were parsed for them. */
function read(sources: readonly Source[], cache: string | undefined) {
  const parsed: string[] = [];
  const contents = parsedDocuments(
    sources,
    ({ path, bytes }) => {
      parsed.push(path);
      return load(Buffer.from(bytes).toString('utf8'));
    },
    cache,
  );
  return { contents, parsed };
}

test('documents are parsed once, and the copy says the same in the same order', () => {
  const cache = newFolder();
  const first = read(SOURCES, cache);
  const second = read(SOURCES, cache);
  assert.deepEqual(first, { contents: CONTENTS, parsed: ['a.yaml', 'b.yaml'] });
  assert.deepEqual(second, { contents: CONTENTS, parsed: [] });
  assert.equal(JSON.stringify(second.contents), JSON.stringify(first.contents));
});

test('a document that changed by a byte is parsed again, and replaces the copy', () => {
  const cache = newFolder();
  read(SOURCES, cache);
  const changed = [SOURCES[0]!, source('b.yaml', '- 1.5\n- "3"\n')];
  assert.deepEqual(read(changed, cache), { contents: [CONTENTS[0], [1.5, '3']], parsed: ['a.yaml', 'b.yaml'] });
  assert.deepEqual(read(changed, cache).parsed, []);
  assert.equal(readdirSync(cache).length, 1);
});

test('a copy that is damaged, or cannot be written, changes nothing', () => {
  const cache = newFolder();
  read(SOURCES, cache);
  for (const damage of ['', '{"key":', 'null', '{}']) {
    writeFileSync(join(cache, readdirSync(cache)[0]!), damage);
    assert.deepEqual(read(SOURCES, cache), { contents: CONTENTS, parsed: ['a.yaml', 'b.yaml'] });
  }
  assert.deepEqual(read(SOURCES, join(cache, 'missing')).contents, CONTENTS);
  assert.deepEqual(read(SOURCES, undefined).contents, CONTENTS);
});

test('contents that JSON cannot hold are parsed each time', () => {
  const cache = newFolder();
  const odd = [source('a.yaml', 'a: .nan\n')];
  for (const _ of [1, 2]) assert.deepEqual(read(odd, cache), { contents: [{ a: Number.NaN }], parsed: ['a.yaml'] });
});
