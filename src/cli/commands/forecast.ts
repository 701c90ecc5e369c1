/** `weir forecast --events N --mix FILE`: how many events would be held, and how many harmful ones missed, at each threshold. */

import { type Command, InvalidArgumentError } from 'commander';
import { readSettings } from '../../platform/settings.ts';
import type { Output } from '../../platform/terminal/output.ts';
import { uuid } from '../arguments.ts';

const EXAMPLES = `
Rests on the scores of public labelled actions, which ship as counts by source, and on a mix: which kinds of agents act, and how many of
their actions are harmful.

  {
    "coding": { "share": 0.7, "harmful_per_1000": 1 },
    "office": { "share": 0.3, "harmful_per_1000": 2 }
  }

Kinds: coding, office, database, customer_service, tools, cloud, browser, household. Shares sum to 1. The mix \`default\` ships.
Intervals (95 %) are drawn by source, because sources differ more than actions of one source do.

--customer adds what that customer's own events and decisions say. It reads the same data as the server, which may run meanwhile:
DATABASE_URL, or the embedded database in DATA_DIR.

Examples:
  weir forecast --events 50000
  weir forecast --events 50000 --mix mix.json
  weir forecast --events 50000 --mix mix.json --customer ID --days 30
`;

interface Options {
  events: number;
  mix: string;
  customer?: string;
  days: number;
  json?: true;
}

const MAX_EVENTS = 1_000_000_000;
const MAX_DAYS = 3_650;
const DAY_MS = 86_400_000;

export function addForecast(program: Command, output: Output): void {
  program
    .command('forecast')
    .description('forecast how many events would be held, and how many harmful ones missed, at each threshold')
    .requiredOption('--events <number>', 'how many events to forecast', wholeNumber(MAX_EVENTS))
    .option('--mix <file>', 'which kinds of agents act, as JSON, or `default`', 'default')
    .option('--customer <id>', 'add what this customer’s own events and decisions say; a UUID', uuid)
    .option('--days <number>', 'how many days of them', wholeNumber(MAX_DAYS), 30)
    .option('--json', 'print JSON, for programs')
    .addHelpText('after', EXAMPLES)
    .action((options: Options) => forecast(options, output));
}

const wholeNumber =
  (most: number) =>
  (text: string): number => {
    if (/^\d{1,10}$/.test(text) && Number(text) >= 1 && Number(text) <= most) return Number(text);
    throw new InvalidArgumentError(`write a whole number from 1 to ${most}.`);
  };

async function forecast({ events, mix: file, customer, days, json }: Options, output: Output): Promise<void> {
  const [{ loadMeasured }, { loadMix }, { makeForecast }, { forecastText }] = await Promise.all([
    import('../../engine/forecast/measured.ts'),
    import('../../engine/forecast/mix.ts'),
    import('../../engine/forecast/forecast.ts'),
    import('../forecast-page.ts'),
  ]);
  const mix = loadMix(file);
  const measured = loadMeasured();
  const made = makeForecast(measured, mix, events);
  const own = customer === undefined ? null : await readOwn(customer, days, made);
  const { rule_set_version } = measured;
  await output.write(
    json
      ? `${JSON.stringify({ rule_set_version, mix, ...made, own })}\n`
      : forecastText(rule_set_version, mix, made, own),
  );
}

async function readOwn(customer: string, days: number, made: import('../../engine/forecast/forecast.ts').Forecast) {
  const [{ openData }, { readOwnFigures }] = await Promise.all([
    import('../open-data.ts'),
    import('../../engine/forecast/own-figures.ts'),
  ]);
  const storage = await openData(readSettings(process.env));
  try {
    const to = new Date();
    const from = new Date(to.getTime() - days * DAY_MS);
    return await readOwnFigures(storage.scores, customer, { from: from.toISOString(), to: to.toISOString() }, made);
  } finally {
    await storage.close();
  }
}
