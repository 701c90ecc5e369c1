/** docs/rules/ says what the rules say. That it is up to date is checked in pages.test.ts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readMeasured } from '../../tools/evaluation/measured.ts';
import { fallText, figuresOf } from '../../tools/evaluation/rule-figures.ts';
import { rulePages } from '../../tools/pages/rule-page.ts';
import { knowledge } from '../support/knowledge.ts';

const measured = await readMeasured();
const pages = rulePages(knowledge, measured);

test('every rule has its section, its articles with why, and a line in the index', () => {
  const index = pages.get('README.md')!;
  for (const { id, document } of knowledge.rules) {
    assert.ok(index.includes(`(${document.family}.md#${id})`), id);
    const page = pages.get(`${document.family}.md`)!;
    const from = page.indexOf(`\n## ${id}\n`);
    assert.notEqual(from, -1, id);
    const section = page.slice(
      from,
      page.indexOf('\n## ', from + 1) === -1 ? undefined : page.indexOf('\n## ', from + 1),
    );
    for (const { id: article } of document.cites)
      assert.ok(section.includes(`\n- \`${article}\` `), `${id}: ${article}`);
    assert.doesNotMatch(section, /undefined|null/);
  }
});

test('the figures belong to the data: no rule fired more often than there are records', () => {
  assert.ok(measured !== null);
  for (const { id } of knowledge.rules) {
    for (const { fired, records, precision } of figuresOf(id, measured) ?? []) {
      assert.ok(fired.harmful <= records.harmful && fired.benign <= records.benign, id);
      assert.ok(precision === null || (precision >= 0 && precision <= 1));
    }
  }
});

test('a rule whose precision differs by source says so in its section and in the index', () => {
  const index = pages.get('README.md')!;
  for (const { id, document } of knowledge.rules) {
    const fall = fallText((measured && figuresOf(id, measured)) ?? []);
    if (fall === '') continue;
    assert.ok(index.includes(`- [\`${id}\`](${document.family}.md#${id}): ${fall}`), id);
    assert.ok(pages.get(`${document.family}.md`)!.includes(fall), id);
    assert.ok(document.differs_by_source !== undefined, `${id}: differs_by_source says why, and what follows`);
  }
});
