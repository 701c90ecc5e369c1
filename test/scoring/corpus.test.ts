/** Golden cases without code: `corpus/scoring/*.json`. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import type { AgentEvent } from '../../src/events/event.ts';
import type { JsonObject } from '../../src/lang/json.ts';
import { normaliseAction } from '../../src/lang/patterns.ts';
import { levelOf } from '../../src/scoring/level.ts';
import type { RiskLevel } from '../../src/scoring/types.ts';
import { scoreOf } from '../support/knowledge.ts';

interface Case {
  name: string;
  event: AgentEvent;
  policy?: JsonObject;
  /** One of these. */
  levels: RiskLevel[];
  /** Rules that must object, beside any others. */
  violations: string[];
}

const FOLDER = resolve(import.meta.dirname, '../../corpus/scoring');

for (const file of readdirSync(FOLDER)) {
  const { cases } = JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as { cases: Case[] };
  for (const { name, event, policy, levels, violations } of cases) {
    test(`${file}: ${name}`, () => {
      // The door takes no other action, so that a case with one would judge what nobody can send.
      assert.notEqual(normaliseAction(event.action), null, event.action);
      const { score, violations: found, reasoning } = scoreOf(event, policy ?? {});
      assert.ok(levels.includes(levelOf(score)), `${score}: ${reasoning}`);
      for (const violation of violations)
        assert.ok(found.includes(violation), `${violation} is missing in ${found.join(' ')}`);
    });
  }
}
