/** `weir eval --llm`: what a language model adds where the rules are unsure, and what it costs. */
import { counted } from '../../../src/lang/english.ts';
import { readSettings } from '../../../src/platform/settings.ts';
import { HIGH, levelOf } from '../../../src/scoring/level.ts';
import { isDecisionSettled } from '../../../src/scoring/policy/decision.ts';
import { NO_POLICY } from '../../../src/scoring/policy/policy.ts';
import { score } from '../../../src/scoring/score.ts';
import type { Mode } from '../mode.ts';
import { eachRecord, type ReadRecord } from '../read-records.ts';
import { ABSENT, figures, type Rendering } from '../rendering.ts';
import { chooseRecords } from '../sample.ts';
import { countSeconds, type Second, type SecondOpinions, type SecondRow } from './count-llm.ts';
import { ofProvider, oracle, type SecondOpinion } from './opinions.ts';

/** Of each source and label: calls of a provider cost money. */
const SAMPLE = 20;

export const measureLlm: Mode = async (files, { source, seed, llm = 'provider', sample }) => {
  const { loadKnowledge } = await import('../../../src/engine/knowledge/knowledge.ts');
  const knowledge = await loadKnowledge();
  const settings = readSettings(process.env);
  const second = llm === 'oracle' ? oracle : ofProvider(settings, knowledge);
  const records: ReadRecord[] = [];
  const refused = await eachRecord(files, { sources: source }, (one) => records.push(one));
  const chosen = chooseRecords(records, sample ?? (llm === 'oracle' ? 0 : SAMPLE), seed);
  const below = settings.LLM_CONFIDENCE_BELOW;
  const judge = async ({ record, read: { event } }: ReadRecord): Promise<Second> => {
    const ruled = score(event, null, NO_POLICY, knowledge);
    const is_settled = isDecisionSettled(levelOf(ruled.score), NO_POLICY, settings.HOLD_THRESHOLD);
    const is_asked = ruled.confidence < below && !is_settled;
    return toSecond(record, ruled.score, is_asked ? await second(event, ruled, record.label) : ruled, is_asked);
  };
  const opinions = countSeconds(await inParallel(chosen, settings.LLM_CONCURRENCY, judge));
  const model = llm === 'oracle' ? 'oracle' : `${settings.LLM_PROVIDER} ${settings.LLM_MODEL}`;
  return {
    n: chosen.length,
    refused,
    sources: new Set(records.map(({ record }) => record.source)),
    document: () => ({
      rule_set_version: knowledge.version,
      model,
      high: HIGH,
      confidence_below: below,
      refused,
      ...opinions,
    }),
    render: (rendering) => render(opinions, { model, below, rule_set_version: knowledge.version }, rendering),
  };
};

function toSecond(
  { source, label }: ReadRecord['record'],
  before: number,
  { score: after, confidence, llm_score, llm }: Awaited<ReturnType<SecondOpinion>>,
  is_asked: boolean,
): Second {
  const { trouble = null, input_tokens = 0, output_tokens = 0, cost_usd = 0 } = llm ?? {};
  return {
    source,
    label,
    confidence,
    before,
    after,
    is_asked,
    llm_score,
    trouble,
    input_tokens,
    output_tokens,
    cost_usd,
  };
}

/** In the order of the items, `workers` at a time. */
async function inParallel<T, U>(items: readonly T[], workers: number, work: (item: T) => Promise<U>): Promise<U[]> {
  const results = new Array<U>(items.length);
  const waiting = items.entries();
  const run = async (): Promise<void> => {
    for (const [i, item] of waiting) results[i] = await work(item);
  };
  await Promise.all(Array.from({ length: workers }, run));
  return results;
}

const percent = (part: number, whole: number): string =>
  whole === 0 ? ABSENT : `${((100 * part) / whole).toFixed(1)} %`;
const dollars = (cost: number | null): string => (cost === null ? ABSENT : cost.toFixed(4));

const cellsOf = (row: SecondRow): string[] => [
  row.name,
  String(row.n),
  String(row.asked),
  percent(row.asked, row.n),
  percent(row.benign_asked, row.benign),
  String(row.answered),
  String(row.missed),
  String(row.recovered),
  percent(row.recovered, row.missed),
  percent(row.false_alarms, row.benign),
  percent(row.added_false_alarms, row.benign),
  String(row.tokens),
  dollars(row.cost_usd),
];

function render(
  { all, bands, sources, mean_recovered, troubles }: SecondOpinions,
  { model, below, rule_set_version }: { model: string; below: number; rule_set_version: string },
  rendering: Rendering,
): string {
  const head = [
    'asked',
    'share',
    'of benign',
    'answered',
    'missed',
    'recovered',
    'share',
    'false alarms',
    'added',
    'tokens',
    'dollars',
  ];
  const table = (first: string, rows: readonly SecondRow[]): string =>
    figures(rendering, [first, 'n', ...head], rows.map(cellsOf));
  const failed = Object.entries(troubles).map(([name, n]) => `${name} ${n}`);
  const mean = mean_recovered === null ? ABSENT : percent(mean_recovered, 1);
  return [
    `${counted(all.n, 'record')}; model ${model}, asked below a confidence of ${below}; rule set ${rule_set_version}`,
    rendering.heading('By the confidence of the rules'),
    table('confidence', [all, ...bands]),
    rendering.heading('By source'),
    table('source', sources),
    `Missed: harmful below ${HIGH} by the rules; recovered: ${HIGH} or more with the model, mean over sources ${mean}. Added: benign records that only the model makes high.`,
    ...(failed.length === 0 ? [] : [`Without an answer: ${failed.join(', ')}.`]),
  ].join('\n\n');
}
