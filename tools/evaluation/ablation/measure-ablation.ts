/** `weir eval --ablate NAME`: what a part of the ontology is worth, by measuring without it, for each source. */
import { counted } from '../../../src/lang/english.ts';
import { OntologyError } from '../../../src/ontology/index.ts';
import type { Knowledge } from '../../../src/scoring/knowledge.ts';
import { HIGH } from '../../../src/scoring/level.ts';
import { NO_POLICY } from '../../../src/scoring/policy/policy.ts';
import { score } from '../../../src/scoring/score.ts';
import { auroc, falsePositiveRateAt, recallAt, tally } from '../metrics.ts';
import type { Mode } from '../mode.ts';
import { allRecords, type ReadRecord } from '../read-records.ts';
import { chooseRecords } from '../sample.ts';
import { type Ablation, ablationsOf } from './parts.ts';
import { renderAblation } from './render-ablation.ts';
import type { AblationRow, Worth } from './worth.ts';

interface Scored {
  score: number;
  rules: ReadonlySet<string>;
}

export const measureAblation: Mode = async (files, { source, sample, seed, ablate = [] }) => {
  const { loadKnowledge } = await import('../../../src/engine/knowledge/knowledge.ts');
  const knowledge = await loadKnowledge();
  const ablations = ablate.flatMap((name) => ablationsOf(name, knowledge));
  const { records, refused } = await allRecords(files, { sources: source });
  const chosen = chooseRecords(records, sample ?? 0, seed);
  const base = chosen.map((one): Scored => scoreOf(one, knowledge));
  const rows = ablations.map((ablation) => rowOf(ablation, chosen, base));
  return {
    n: records.length,
    refused,
    sources: new Set(records.map(({ record }) => record.source)),
    document: () => ({ rule_set_version: knowledge.version, high: HIGH, refused, ablations: rows }),
    render: (rendering) =>
      [`${counted(chosen.length, 'record')}; rule set ${knowledge.version}`, renderAblation(rows, rendering)].join(
        '\n\n',
      ),
  };
};

function scoreOf({ read }: ReadRecord, knowledge: Knowledge): Scored {
  const assessment = score(read.event, null, NO_POLICY, knowledge);
  return { score: assessment.score, rules: new Set(assessment.findings.map(({ rule }) => rule)) };
}

function rowOf(ablation: Ablation, records: readonly ReadRecord[], base: readonly Scored[]): AblationRow {
  const { name, rule } = ablation;
  try {
    const without = ablation.knowledge();
    // A rule that did not fire changes nothing, so those records need no second score.
    const scores = records.map((one, i) =>
      rule !== '' && !base[i]!.rules.has(rule) ? base[i]!.score : scoreOf(one, without).score,
    );
    return { name, refused: '', sources: worthBySource(records, base, scores) };
  } catch (error) {
    if (!(error instanceof OntologyError)) throw error;
    return { name, refused: error.message.split('\n').slice(0, 2).join(' '), sources: [] };
  }
}

function worthBySource(records: readonly ReadRecord[], base: readonly Scored[], without: readonly number[]): Worth[] {
  const places = Map.groupBy(records.keys(), (i) => records[i]!.record.source);
  return [...places.entries()]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([source, own]): Worth => {
      const labels = own.map((i) => records[i]!.record.label);
      const [first, second] = [own.map((i) => base[i]!.score), own.map((i) => without[i]!)];
      const [before, after] = [tally(first, labels), tally(second, labels)];
      return {
        source,
        changed: first.filter((value, i) => value !== second[i]).length,
        auroc: [auroc(before), auroc(after)],
        recall_at_high: [recallAt(before, HIGH), recallAt(after, HIGH)],
        benign_at_high: [falsePositiveRateAt(before, HIGH), falsePositiveRateAt(after, HIGH)],
      };
    })
    .filter(({ changed }) => changed > 0);
}
