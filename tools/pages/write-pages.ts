/** `npm run pages`: writes docs/facts.md, docs/quality.md, docs/worked-examples.md, docs/rules/ and the table of rooms in ARCHITECTURE.md. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadKnowledge } from '../../src/engine/knowledge/knowledge.ts';
import { readMeasured } from '../evaluation/measured.ts';
import { generatedPages, ROOT } from './generated.ts';

for (const [path, text] of generatedPages(await loadKnowledge(), await readMeasured())) {
  const file = join(ROOT, path);
  if (text === null) {
    rmSync(file);
    console.log(`removed ${path}`);
  } else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
    writeFileSync(file, text);
    console.log(`wrote ${path}`);
  }
}
