/** `weir eval --metamorphic`: tells the same records in other words and shapes, and says what that costs. */
import { counted } from '../../../src/lang/english.ts';
import type { JsonObject } from '../../../src/lang/json.ts';
import { WeirError } from '../../../src/platform/errors.ts';
import { HIGH } from '../../../src/scoring/level.ts';
import { NO_POLICY } from '../../../src/scoring/policy/policy.ts';
import { score } from '../../../src/scoring/score.ts';
import type { Mode } from '../mode.ts';
import { allRecords, readSent } from '../read-records.ts';
import { chooseRecords } from '../sample.ts';
import { CHANGES } from './changes.ts';
import { type ChangedScore, countChanges, summarise } from './count-changes.ts';
import { renderChanges } from './render-changes.ts';

/** Up to so many sources, the report has a row for each change on each of them. */
const FEW_SOURCES = 3;
/** Both collections then take about a minute. */
const SAMPLE = 100;

export const measureChanges: Mode = async (files, { source, sample, seed }) => {
  const { knowledgeHere } = await import('../../../src/engine/knowledge/knowledge-here.ts');
  const knowledge = await knowledgeHere();
  const { records, refused } = await allRecords(files, { sources: source });
  const chosen = chooseRecords(records, sample ?? SAMPLE, seed);
  const scores: ChangedScore[] = [];
  let impossible = 0;
  for (const { record, read } of chosen) {
    const before = score(read.event, null, NO_POLICY, knowledge).score;
    for (const { name, apply } of CHANGES) {
      const changed = apply(record.event as JsonObject, knowledge.ontology);
      if (changed === null) continue;
      const event = readable(changed);
      // Two escapes can make an event larger than a door takes.
      if (event === null) impossible += 1;
      else {
        const after = score(event, null, NO_POLICY, knowledge).score;
        scores.push({ change: name, source: record.source, id: record.id, label: record.label, before, after });
      }
    }
  }
  const sources = new Set(records.map(({ record }) => record.source));
  const place = new Map(CHANGES.map(({ name }, i) => [name, i]));
  scores.sort((a, b) => place.get(a.change)! - place.get(b.change)!);
  const rows = countChanges(scores, new Map(CHANGES.map(({ name, keeps }) => [name, keeps])));
  const summaries = summarise(rows);
  return {
    n: records.length,
    refused,
    sources,
    document: () => ({
      rule_set_version: knowledge.version,
      high: HIGH,
      refused,
      records: chosen.length,
      impossible,
      changes: summaries,
      by_source: rows,
      lost: scores.filter(({ label, before, after }) =>
        label === 1 ? before >= HIGH && after < HIGH : before < HIGH && after >= HIGH,
      ),
    }),
    render: (rendering) =>
      [
        `${counted(scores.length, 'changed event')} of ${counted(chosen.length, 'record')}; rule set ${knowledge.version}`,
        renderChanges(rows, summaries, CHANGES, sources.size <= FEW_SOURCES, rendering),
      ].join('\n\n'),
  };
};

function readable(changed: JsonObject) {
  try {
    return readSent(changed).event;
  } catch (error) {
    if (!(error instanceof WeirError)) throw error;
    return null;
  }
}
