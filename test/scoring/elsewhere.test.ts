/** Risk that crosses sessions and agents: `corpus/elsewhere/stories.json`. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, test } from 'node:test';
import type { JsonObject } from '../../src/lang/json.ts';
import { levelOf } from '../../src/scoring/level.ts';
import type { RiskLevel } from '../../src/scoring/types.ts';
import { createStage } from '../support/stories.ts';

interface Story {
  name: string;
  policy?: JsonObject;
  /** What a person decides about a step, by its place. */
  decide?: Record<string, 'approved' | 'rejected'>;
  steps: JsonObject[];
  last: { fires: string; levels: RiskLevel[] } | { quiet: true };
}

const RULES = [
  'refused_action_is_tried_elsewhere',
  'data_of_another_session_go_out',
  'destination_is_in_trouble_elsewhere',
];
const FILE = resolve(import.meta.dirname, '../../corpus/elsewhere/stories.json');
const { stories } = JSON.parse(readFileSync(FILE, 'utf8')) as { stories: Story[] };

async function play({ steps, policy, decide = {} }: Story, of_each: (place: number) => void = () => {}) {
  const stage = createStage(policy);
  let last = null;
  for (const [place, step] of steps.entries()) {
    last = await stage.play(step);
    const verdict = decide[String(place)];
    if (verdict !== undefined) stage.decide(last.record.event_id, verdict);
    of_each(place);
  }
  return last!;
}

const isRisky = ({ last }: Story): boolean => 'fires' in last;
assert.ok(stories.filter(isRisky).length >= 20 && stories.filter((one) => !isRisky(one)).length >= 20);

describe('stories', () => {
  for (const story of stories) {
    const { name, last } = story;
    test(name, async () => {
      const { assessment, alone } = await play(story);
      const { score, violations, reasoning } = assessment;
      const told = `${score} (alone ${alone.score}) ${JSON.stringify(violations)} ${reasoning}`;
      if ('fires' in last) {
        assert.ok(violations.includes(last.fires), told);
        assert.ok(last.levels.includes(levelOf(score)), told);
        assert.ok(score >= alone.score, told);
      } else {
        const others = violations.filter((rule) => RULES.includes(rule));
        assert.ok(levelOf(score) === levelOf(alone.score) || others.length === 0, told);
        if (levelOf(alone.score) !== 'high' && levelOf(alone.score) !== 'critical') assert.ok(score < 61, told);
      }
    });
  }
});
