/** Generated pages: docs/facts.md, docs/quality.md, docs/rules/ and the table of rooms in ARCHITECTURE.md. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { FACTS } from '../../src/scoring/facts/index.ts';
import { readMeasured } from '../../tools/evaluation/measured.ts';
import { factPage } from '../../tools/pages/fact-page.ts';
import { generatedPages, ROOT } from '../../tools/pages/generated.ts';
import { knowledge } from '../support/knowledge.ts';

const textOf = (path: string): string | null => {
  const file = join(ROOT, path);
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
};

test('every generated page is what the generator makes', async () => {
  const pages = generatedPages(knowledge, await readMeasured());
  const stale = [...pages].filter(([path, text]) => textOf(path) !== text).map(([path]) => path);
  assert.deepEqual(stale, [], 'run `npm run pages`');
});

test('a fact that nothing reads and that is not public is refused', () => {
  const readers = { rules: [], reducers: [], bindings: new Map() };
  assert.throws(() => factPage({ ...knowledge, ...readers }), /^Error: nothing reads .*`arguments`.*: delete the row/);
});

test('the page of facts has a row for each fact, with its type, meaning, version and readers', () => {
  const page = textOf('docs/facts.md')!;
  for (const { name, type, about, since } of FACTS) {
    const row = page.split('\n').find((line) => line.includes(`<a id="${name}"></a>`));
    assert.ok(row !== undefined, name);
    const cells = row.split(' | ');
    assert.equal(cells.length, 7, name);
    assert.deepEqual([cells[1], cells[5]], [`\`${type}\``, since], name);
    assert.ok(cells[2]!.startsWith(about), name);
    assert.notEqual(cells[6], ' |', name);
  }
});
