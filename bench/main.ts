/**
 * `npm run bench [-- --quick] [-- --only engine|http] [FILE …]`: what Weir costs, beside ceilings measured in the same
 * run. Only ratios within one run mean anything on a shared machine. FILE: JSON lines to measure the engine on as well.
 *
 * The HTTP cases share one PostgreSQL: `BENCH_DATABASE_URL`, or one that comes with the packages.
 */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { eventsOf, measureEngine, ownEvents } from './engine.ts';
import { type HttpFigures, httpCases, measureHttp, scratchFolder } from './http.ts';

const { values, positionals } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, only: { type: 'string', default: '' } },
  allowPositionals: true,
});

const median = (numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)]!;
const say = (line = ''): void => void process.stdout.write(`${line}\n`);

async function engine(): Promise<void> {
  say('## Engine, one thread, no policy');
  say();
  say('| events | n | median µs | p99 µs | mean µs |');
  say('|---|---:|---:|---:|---:|');
  for (const file of [null, ...positionals]) {
    const { events, median_us, p99_us, mean_us } = await measureEngine(
      file === null ? ownEvents() : await eventsOf(file),
    );
    say(
      `| ${file ?? 'made up, about 1 KB'} | ${events} | ${median_us.toFixed(0)} | ${p99_us.toFixed(0)} | ${mean_us.toFixed(0)} |`,
    );
  }
  say();
}

function row(figure: HttpFigures, bare: HttpFigures, naive: HttpFigures): string {
  const ratio = (other: HttpFigures): string =>
    median(figure.per_second.map((value, i) => value / other.per_second[i]!)).toFixed(2);
  const cells = [
    figure.case.name,
    median(figure.per_second).toFixed(0),
    ratio(bare),
    ratio(naive),
    median(figure.p50_ms).toFixed(0),
    median(figure.p99_ms).toFixed(0),
    figure.errors,
  ];
  return `| ${cells.join(' | ')} |`;
}

async function http(): Promise<void> {
  const folder = scratchFolder();
  const shared = process.env['BENCH_DATABASE_URL'];
  if (shared === undefined)
    throw new Error('set BENCH_DATABASE_URL to a scratch PostgreSQL database, or run with --only engine');
  try {
    const figures = await measureHttp(httpCases(shared, folder.path), values.quick ? 1 : 3, values.quick ? 3 : 6);
    say('## POST /events, 64 connections');
    say();
    say('| case | requests/s | of bare | of one insert per request | p50 ms | p99 ms | errors |');
    say('|---|---:|---:|---:|---:|---:|---:|');
    for (const figure of figures) say(row(figure, figures[0]!, figures[1]!));
    say();
  } finally {
    folder.remove();
  }
}

say(`Node ${process.version}, ${availableParallelism()} cores; server, database and load generator share them.`);
say();
if (values.only !== 'http') await engine();
if (values.only !== 'engine') await http();
