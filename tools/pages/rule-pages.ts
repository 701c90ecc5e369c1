/** Writes docs/rules/ from the rules and the figures that were measured: `npx node tools/pages/rule-pages.ts`. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadKnowledge } from '../../src/engine/knowledge/knowledge.ts';
import { RULE_PAGES, readMeasured } from '../evaluation/measured.ts';
import { rulePages } from './rule-page.ts';

const pages = rulePages(await loadKnowledge(), await readMeasured());
mkdirSync(RULE_PAGES, { recursive: true });
// A family that has gone takes its page with it.
for (const name of readdirSync(RULE_PAGES))
  if (name.endsWith('.md') && !pages.has(name)) rmSync(join(RULE_PAGES, name));
for (const [name, text] of pages) writeFileSync(join(RULE_PAGES, name), text);
console.log(`wrote ${pages.size} pages to ${RULE_PAGES}`);
