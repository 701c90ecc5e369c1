/** All pages that are made from the product itself. `npm run pages` writes them; test/docs/pages.test.ts compares. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Knowledge } from '../../src/scoring/knowledge.ts';
import type { Measured } from '../evaluation/rule-figures.ts';
import { clientTools } from './client-tools.ts';
import { factPage } from './fact-page.ts';
import { replacePart } from './markdown.ts';
import { readMeasuredQuality } from './measured-quality.ts';
import { qualityPage } from './quality-page.ts';
import { roomsTable } from './rooms-table.ts';
import { rulePages } from './rule-page.ts';
import { edgesTable, nodesTable } from './structural-tables.ts';
import { workedPage } from './worked-page.ts';

export const ROOT = resolve(import.meta.dirname, '../..');
const RULES = 'docs/rules';

/** Path below the root → text as it should be; `null` for a page whose family of rules no longer exists. */
export function generatedPages(knowledge: Knowledge, measured: Measured | null): Map<string, string | null> {
  const pages = new Map<string, string | null>();
  for (const name of readdirSync(join(ROOT, RULES))) if (name.endsWith('.md')) pages.set(`${RULES}/${name}`, null);
  for (const [name, text] of rulePages(knowledge, measured)) pages.set(`${RULES}/${name}`, text);
  pages.set('docs/facts.md', factPage(knowledge));
  pages.set('docs/worked-examples.md', workedPage(knowledge));
  const quality = readMeasuredQuality();
  if (quality !== null)
    pages.set('docs/quality.md', qualityPage(quality, readFileSync(join(ROOT, 'docs/quality-notes.md'), 'utf8')));
  for (const [path, text] of clientTools(knowledge)) pages.set(path, text);
  const architecture = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8');
  pages.set('ARCHITECTURE.md', replacePart(architecture, 'rooms', roomsTable()));
  const structural = readFileSync(join(ROOT, 'docs/structural-layer.md'), 'utf8');
  pages.set(
    'docs/structural-layer.md',
    replacePart(replacePart(structural, 'nodes', nodesTable()), 'edges', edgesTable()),
  );
  return pages;
}
