/** The default mode: how well the score separates harmful from benign records. */
import { counted } from '../../src/lang/english.ts';
import { HIGH } from '../../src/scoring/level.ts';
import { bySource, renderBySource } from './by-source.ts';
import { judgeFiles } from './judge-files.ts';
import type { Mode } from './mode.ts';
import { renderReport, renderRules } from './render-report.ts';
import { makeReport } from './report.ts';

export const measureScore: Mode = async (files, options) => {
  const { judged, refused, misses, rules, rule_set_version } = await judgeFiles(files, options.misses, {
    sources: options.source,
  });
  const report = makeReport(judged, options.slice, { rounds: options.rounds, seed: options.seed });
  const by_source = bySource(report);
  const rule_rows = options.byRule ? rules.rows() : null;
  return {
    n: judged.length,
    refused,
    sources: new Set(judged.map(({ source }) => source)),
    misses,
    document: () => ({
      rule_set_version,
      high: HIGH,
      refused,
      by_source,
      ...report,
      ...(rule_rows && { rules: rule_rows }),
    }),
    render: (rendering) => {
      const { n, harmful, groups } = report.rows[0]!;
      const head = `${counted(n, 'record')} in ${counted(groups, 'group')}, ${harmful} harmful; rule set ${rule_set_version}`;
      const parts = [head, renderBySource(by_source, rendering), renderReport(report, rendering)];
      if (rule_rows !== null) parts.push(renderRules(rule_rows, rendering));
      return parts.join('\n\n');
    },
  };
};
