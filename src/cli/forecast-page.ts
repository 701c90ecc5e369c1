/** A forecast as text for a terminal. */

import { ENOUGH_SOURCES, type Estimate, type Forecast } from '../engine/forecast/forecast.ts';
import type { Mix } from '../engine/forecast/mix.ts';
import type { OwnFigures } from '../engine/forecast/own-figures.ts';
import { counted } from '../lang/english.ts';
import { textTable } from '../platform/terminal/table.ts';

const number = (value: number): string =>
  value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
const shown = (estimate: Estimate | null, digits: (value: number) => string = number): string =>
  estimate === null ? '–' : `${digits(estimate.value)} (${digits(estimate.low)}–${digits(estimate.high)})`;
const whole = (value: number): string => value.toFixed(0);
const percent = (value: number): string => `${(100 * value).toFixed(0)} %`;

export function forecastText(rule_set_version: string, mix: Mix, forecast: Forecast, own: OwnFigures | null): string {
  const blocks = [
    `Forecast for ${counted(forecast.events, 'event')}, rule set ${rule_set_version}, from public labelled actions. In brackets: 95 % intervals.`,
    textTable(
      ['agents', 'share', 'harmful per 1,000'],
      mix.map(({ kind, share, harmful }) => [kind, percent(share), number(1_000 * harmful)]),
      { right: [1, 2] },
    ),
    'Per 1,000 events',
    textTable(
      ['threshold', 'score from', 'held', 'of them honest', 'harmful, held', 'harmful, missed', 'share of harm held'],
      forecast.rows.map(({ threshold, from_score, held, false_alarms, caught, missed, recall }) => [
        threshold,
        String(from_score),
        ...[held, false_alarms, caught, missed].map((one) => shown(one)),
        shown(recall, percent),
      ]),
    ),
    `Of ${counted(forecast.events, 'event')}`,
    textTable(
      ['threshold', 'held', 'harmful, missed'],
      forecast.rows.map(({ threshold, held_events, missed_events }) => [
        threshold,
        shown(held_events, whole),
        shown(missed_events, whole),
      ]),
    ),
    ...forecast.thin.map(
      ({ kind, of, sources }) =>
        `${kind}: ${counted(sources, 'public source')} of ${of} actions (fewer than ${ENOUGH_SOURCES}); ` +
        (sources === 0 ? 'those of all kinds stand in.' : 'the interval borrows from those of all kinds.'),
    ),
    ...(own === null ? [] : ownBlocks(own)),
  ];
  return `${blocks.join('\n\n')}\n`;
}

function ownBlocks({ customer_id, from, to, events, rows }: OwnFigures): string[] {
  const head = `Customer ${customer_id}, ${from.slice(0, 10)} to ${to.slice(0, 10)}: ${counted(events, 'event')}`;
  if (events === 0) return [`${head}.`];
  const table = textTable(
    ['threshold', 'events', 'per 1,000', 'approved', 'rejected', 'harmful, missed per 1,000'],
    rows.map(({ threshold, events: at, held, approved, rejected, missed }) => [
      threshold,
      String(at),
      shown(held),
      String(approved),
      String(rejected),
      shown(missed),
    ]),
    { right: [1, 3, 4] },
  );
  return [
    head,
    table,
    'Missed: from the share of rejected events and the share of harm that the public data say is held. Only events that were held are decided about.',
  ];
}
