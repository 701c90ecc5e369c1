/**
 * `npm run bench [-- --quick] [-- --only PART] [FILE …]`: what Weir costs, beside ceilings measured in the same
 * run. Only ratios within one run mean anything on a shared machine. FILE: JSON lines to measure the engine on as well.
 *
 * The HTTP cases share one PostgreSQL: `BENCH_DATABASE_URL`, or one that comes with the packages.
 */
import { availableParallelism } from 'node:os';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import type { AgentEvent } from '../../src/events/event.ts';
import { measureAuth } from './auth.ts';
import { measureBatch } from './batch.ts';
import { eventsOf, measureEngine, ownEvents } from './engine.ts';
import { type GrpcFigures, measureGrpc } from './grpc/grpc.ts';
import { measureHostile } from './hostile.ts';
import { type HttpFigures, measureHttp, scratchFolder } from './http.ts';
import { httpCases } from './http-cases.ts';
import { type Answered, percentiles, percentilesOf } from './open-loop.ts';
import { measureKnee, measureNeighbour, measureOverload } from './pressure.ts';
import { measureReaders } from './readers/measure.ts';
import { measureRules } from './rules.ts';
import { measureSoak } from './soak.ts';
import { measureStructural, wideEvents } from './structural.ts';

const { values, positionals } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    minutes: { type: 'string', default: '30' },
    rate: { type: 'string', default: '100' },
    knee: { type: 'string', default: '' },
    reader: { type: 'string', default: '' },
  },
  allowPositionals: true,
});

const median = (numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)]!;
const say = (line = ''): void => void process.stdout.write(`${line}\n`);

const SMALL_BYTES = 1_536;
const isSmall = (event: AgentEvent): boolean =>
  event.conversation_history === undefined && JSON.stringify(event).length <= SMALL_BYTES;

async function engine(): Promise<void> {
  say('## Engine, one thread, no policy');
  say();
  say('| events | n | median µs | p99 µs | mean µs |');
  say('|---|---:|---:|---:|---:|');
  const sets: [name: string, events: AgentEvent[]][] = [['made up, about 1 KB', ownEvents()]];
  for (const file of positionals) {
    const events = await eventsOf(file);
    sets.push([basename(file), events]);
    sets.push([`${basename(file)}, without history, up to 1.5 kB`, events.filter(isSmall)]);
  }
  for (const [name, events] of sets) {
    if (events.length === 0) continue;
    const { median_us, p99_us, mean_us } = await measureEngine(events);
    say(`| ${name} | ${events.length} | ${median_us.toFixed(0)} | ${p99_us.toFixed(0)} | ${mean_us.toFixed(0)} |`);
  }
  say();
}

async function hostile(): Promise<void> {
  say('## Hostile events of about 1 MiB, one thread');
  say();
  say('| shape | kB | CPU, ms |');
  say('|---|---:|---:|');
  for (const { shape, kb, cpu_ms } of await measureHostile())
    say(`| ${shape} | ${kb.toFixed(0)} | ${cpu_ms.toFixed(0)} |`);
  say();
}

/** Of the pairs of 1 MiB, one in this many is measured. */
const MIB_PAIRS = 29;

/** What each reader makes of its own delimiters, alone and in pairs; with `--quick` alone. */
async function readers(): Promise<void> {
  for (const [title, length, bound_ms, every] of [
    ['32 kB', 32_768, 5, 1],
    ['1 MiB', 1_048_576, 50, MIB_PAIRS],
  ] as const) {
    say(`## Delimiters and letters of each reader, repeated to ${title}: processor time of the thread`);
    say();
    say(
      `| reader | texts | plain text ms | median ms | p99 ms | most ms | above ${bound_ms} ms | the slowest of them |`,
    );
    say('|---|---:|---:|---:|---:|---:|---:|---|');
    const bench = { length, bound_ms, every: values.quick ? 0 : every, only: values.reader };
    for await (const { reader, texts, plain_ms, median_ms, p99_ms, most_ms, above } of measureReaders(bench)) {
      const slowest = above.slice(0, 3).map(({ name, ms }) => `${name.replaceAll('|', '\\|')}: ${ms.toFixed(0)} ms`);
      const times = [plain_ms, median_ms, p99_ms, most_ms].map((ms) => ms.toFixed(1));
      say(`| ${[reader, texts, ...times, above.length, slowest.join('; ')].join(' | ')} |`);
    }
    say();
  }
}

/** The rules that ship, and ten times as many of which the further ones cannot fire. */
async function rules(): Promise<void> {
  say('## Rules that cannot fire, one thread');
  say();
  say('| rules | median µs | of the first |');
  say('|---:|---:|---:|');
  for (const { rules, median_us, ratio } of await measureRules())
    say(`| ${rules} | ${median_us.toFixed(0)} | ${ratio.toFixed(2)} |`);
  say();
}

async function structural(): Promise<void> {
  say('## The structural layer, one thread, after readings and rules');
  say();
  say('| events | nodes | edges | graph µs | network µs | both µs |');
  say('|---|---:|---:|---:|---:|---:|');
  const sets: [name: string, events: AgentEvent[]][] = [['made up', wideEvents()]];
  for (const file of positionals) sets.push([basename(file), await eventsOf(file)]);
  for (const [name, events] of sets) {
    const { nodes, edges, graph_us, network_us, both_us } = await measureStructural(events);
    const times = [graph_us, network_us, both_us].map((us) => us.toFixed(0));
    say(`| ${[name, nodes, edges, ...times].join(' | ')} |`);
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
    median(figure.cpu_us).toFixed(0),
    median(figure.p50_ms).toFixed(0),
    median(figure.p99_ms).toFixed(0),
    figure.errors,
  ];
  return `| ${cells.join(' | ')} |`;
}

async function http(): Promise<void> {
  const folder = await scratchFolder();
  const shared = process.env['BENCH_DATABASE_URL'];
  if (shared === undefined)
    throw new Error('set BENCH_DATABASE_URL to a scratch PostgreSQL database, or run with --only engine');
  try {
    const figures = await measureHttp(httpCases(shared, folder.path), values.quick ? 3 : 9, 2);
    say('## POST /events, 64 connections');
    say();
    say(
      '| case | requests/s | of bare | of one insert per request | Node CPU, µs a request | p50 ms | p99 ms | errors |',
    );
    say('|---|---:|---:|---:|---:|---:|---:|---:|');
    for (const figure of figures) say(row(figure, figures[0]!, figures[1]!));
    say();
  } finally {
    await folder.remove();
  }
}

async function batch(): Promise<void> {
  const database = process.env['BENCH_DATABASE_URL'];
  if (database === undefined) throw new Error('set BENCH_DATABASE_URL to a scratch PostgreSQL database');
  const figures = await measureBatch(database, values.quick ? 2 : 5, 3);
  const ratios = figures.batch_per_second.map((value, i) => value / figures.single_per_second[i]!);
  say('## Batches of 1,000, on PostgreSQL, API and worker in one process');
  say();
  say('| door | events/s | of single | Node CPU, µs an event |');
  say('|---|---:|---:|---:|');
  const line = (name: string, rate: readonly number[], ratio: string, cpu: readonly number[]) =>
    say(`| ${name} | ${median([...rate]).toFixed(0)} | ${ratio} | ${median([...cpu]).toFixed(0)} |`);
  line('POST /events, 64 connections', figures.single_per_second, '1.00', figures.single_cpu_us);
  line('POST /events/batch, 4 at once', figures.batch_per_second, median(ratios).toFixed(2), figures.batch_cpu_us);
  say();
  say(`One batch of 1,000, from the request to its last score: ${median(figures.one_batch_ms).toFixed(0)} ms.`);
  say();
}

async function auth(): Promise<void> {
  const database = process.env['BENCH_DATABASE_URL'];
  if (database === undefined) throw new Error('set BENCH_DATABASE_URL to a scratch PostgreSQL database');
  const figures = await measureAuth(database, values.quick);
  const { raw, first_sight, repeat } = figures;
  say('## Tokens');
  say();
  say('| what | per second of CPU | of raw |');
  say('|---|---:|---:|');
  say(`| raw ES256 verification, node:crypto | ${raw.toFixed(0)} | 1 |`);
  say(`| verify a token, first sight | ${first_sight.toFixed(0)} | ${(first_sight / raw).toFixed(2)} |`);
  say(`| verify a token again | ${repeat.toFixed(0)} | ${(repeat / raw).toFixed(0)} |`);
  say();
  say(`Derived ${figures.derives_per_second.toFixed(0)} tokens a second, 16 callers, signed and committed one by one.`);
  say(
    `A cascade over ${figures.tree} tokens: in force after ${figures.cascade_ms.toFixed(1)} ms, listed ${figures.listed_ms.toFixed(0)} ms later.`,
  );
  say();
}

const grpcNames = { echo: 'bare grpc-js echo, no scoring, no storage', weir: 'Weir' };

function grpcRow(figure: GrpcFigures, all: readonly GrpcFigures[]): string {
  const of = (server: string, mode: string, what: 'per_second' | 'cpu_us'): string => {
    const other = all.find((one) => one.server === server && one.mode === mode)!;
    const ratios = figure[what].map((value, i) =>
      what === 'cpu_us' ? other[what][i]! / value : value / other[what][i]!,
    );
    return median(ratios).toFixed(2);
  };
  const cells = [
    `${grpcNames[figure.server]}, ${figure.mode}`,
    median(figure.per_second).toFixed(0),
    of('echo', figure.mode, 'per_second'),
    of(figure.server, 'unary', 'per_second'),
    median(figure.cpu_us).toFixed(0),
    of('echo', figure.mode, 'cpu_us'),
    median(figure.p50_ms).toFixed(1),
    median(figure.p99_ms).toFixed(1),
    figure.errors,
  ];
  return `| ${cells.join(' | ')} |`;
}

async function grpc(): Promise<void> {
  const folder = await scratchFolder();
  const shared = process.env['BENCH_DATABASE_URL'] ?? null;
  try {
    const figures = await measureGrpc(shared, folder.path, values.quick ? 1 : 3, values.quick ? 3 : 6);
    say('## gRPC, 64 messages in flight');
    say();
    say('| case | messages/s | of echo | of its unary | server CPU µs | of echo by CPU | p50 ms | p99 ms | errors |');
    say('|---|---:|---:|---:|---:|---:|---:|---:|---:|');
    for (const figure of figures) say(grpcRow(figure, figures));
    say();
  } finally {
    await folder.remove();
  }
}

function scratchDatabase(): string {
  const database = process.env['BENCH_DATABASE_URL'];
  if (database === undefined) throw new Error('set BENCH_DATABASE_URL to a scratch PostgreSQL database');
  return database;
}

const ms = (value: number): string => value.toFixed(value < 10 ? 1 : 0);
const share = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(1)} %`;

async function knee(): Promise<void> {
  const { closed_per_second, steps, knee, below, bare, insert } = await measureKnee(
    scratchDatabase(),
    values.quick ? 5 : 15,
    values.quick ? 4 : 12,
  );
  say('## POST /events at fixed rates, on PostgreSQL');
  say();
  say(`64 connections in a closed loop: ${closed_per_second.toFixed(0)} events/s.`);
  say();
  say('| arrivals/s | answered with 200 | p50 ms | p95 ms | p99 ms | p99.9 ms |');
  say('|---:|---:|---:|---:|---:|---:|');
  for (const step of steps) {
    const cells = [
      step.per_second,
      share(step.answered_share, 1),
      ms(step.p50),
      ms(step.p95),
      ms(step.p99),
      ms(step.p999),
    ];
    say(`| ${cells.join(' | ')} |`);
  }
  say();
  say(`At ${below.per_second}/s, 60 % of the knee (${knee}), and bare Fastify routes at the same rate, in turns:`);
  say();
  say('| case | p50 ms | p95 ms | p99 ms, median of slices | best and worst slice | not answered |');
  say('|---|---:|---:|---:|---:|---:|');
  for (const [name, { slices, sent, errors }] of [
    ['Weir', below],
    ['bare', bare],
    ['bare with one insert a request', insert],
  ] as const) {
    const of = (what: 'p50' | 'p95' | 'p99') => slices.map((one) => one[what]).sort((a, b) => a - b);
    const p99 = of('p99');
    const cells = [ms(median(of('p50'))), ms(median(of('p95'))), ms(median(p99)), `${ms(p99[0]!)}–${ms(p99.at(-1)!)}`];
    say(`| ${name} | ${cells.join(' | ')} | ${errors} of ${sent} |`);
  }
  say();
}

async function neighbour(): Promise<void> {
  const database = scratchDatabase();
  const at = values.knee === '' ? (await measureKnee(database, 5, 1)).knee : Number(values.knee);
  const figures = await measureNeighbour(database, at, values.quick ? 1 : 5, values.quick ? 5 : 10);
  say(`## A quiet customer (${figures.quiet_per_second} events/s), limits of ${figures.limit_per_second}/s each`);
  say();
  say('| case | p50 ms | p99 ms of all rounds, and of each | not answered | what the other one got |');
  say('|---|---:|---:|---:|---|');
  for (const name of new Set(figures.rounds.map((round) => round.case))) {
    const rounds = figures.rounds.filter((round) => round.case === name);
    const of = rounds.map(({ quiet }) => percentilesOf(quiet));
    const sent = rounds.reduce((sum, { quiet }) => sum + quiet.sent, 0);
    const lost = rounds.reduce((sum, { quiet }) => sum + quiet.sent - (quiet.by_status.get(200) ?? 0), 0);
    const loud = rounds.flatMap((round) => (round.loud === null ? [] : [round.loud]));
    const all = percentiles(rounds.flatMap(({ quiet }) => quiet.times.map((one) => one.ms)));
    const each = of.map((one) => ms(one.p99)).join(', ');
    say(`| ${name} | ${ms(all.p50)} | ${ms(all.p99)} (${each}) | ${lost} of ${sent} | ${statusesOf(loud)} |`);
  }
  say();
}

function statusesOf(all: readonly Answered[]): string {
  const counts = new Map<number, number>();
  for (const { by_status } of all)
    for (const [status, count] of by_status) counts.set(status, (counts.get(status) ?? 0) + count);
  const sent = all.reduce((sum, one) => sum + one.sent, 0);
  const without = all.reduce((sum, one) => sum + one.without_retry_after, 0);
  const parts = [...counts]
    .sort(([a], [b]) => a - b)
    .map(([status, count]) => `${share(count, sent)} ${status || 'none'}`);
  return sent === 0 ? '' : `${parts.join(', ')}${without === 0 ? '' : `; ${without} without Retry-After`}`;
}

async function overload(): Promise<void> {
  const database = scratchDatabase();
  const at = values.knee === '' ? (await measureKnee(database, 5, 1)).knee : Number(values.knee);
  const figures = await measureOverload(database, at, values.quick ? 10 : 60);
  const { before, flood, after, recovered_s } = figures;
  say(`## Three times the knee (${figures.flood_per_second} events/s), then 60 % of it`);
  say();
  say(
    `During it: ${statusesOf([flood])}; p50 ${ms(percentilesOf(flood).p50)} ms, p99 ${ms(percentilesOf(flood).p99)} ms of what was scored.`,
  );
  say(
    `Before it p99 was ${ms(before.p99)} ms; after it every event was answered, with p99 below twice that, ` +
      `${recovered_s === null ? 'not within 30 s' : `in second ${recovered_s}`}.`,
  );
  say();
  say('| second after | answered with 200 | p99 ms |');
  say('|---:|---:|---:|');
  for (const { second, answered_share, p99 } of after.slice(0, 8))
    say(`| ${second + 1} | ${share(answered_share, 1)} | ${ms(p99)} |`);
  say();
}

async function soak(): Promise<void> {
  const [rate, minutes] = [Number(values.rate), Number(values.minutes)];
  say(`## Memory over ${minutes} minutes at ${rate} events/s, on PostgreSQL, API and worker in one process`);
  say();
  say('| minute | resident MB | alive on the heap MB | outside the heap MB |');
  say('|---:|---:|---:|---:|');
  const figures = await measureSoak(scratchDatabase(), rate, minutes, (sample) => {
    const { minute, resident_mb, heap_mb, external_mb } = sample;
    if (Math.round(minute * 60) % (minutes > 5 ? 120 : 20) !== 0) return;
    say(`| ${minute.toFixed(0)} | ${resident_mb.toFixed(0)} | ${heap_mb.toFixed(0)} | ${external_mb.toFixed(1)} |`);
  });
  const { resident_slope, heap_slope, answered, percentiles } = figures;
  const ok = answered.by_status.get(200) ?? 0;
  say();
  say(
    `After the first third: resident ${resident_slope.toFixed(1)} MB/h, alive ${heap_slope.toFixed(1)} MB/h. ` +
      `${ok} of ${answered.sent} events answered with 200; p50 ${percentiles.p50.toFixed(1)} ms, p99 ${percentiles.p99.toFixed(1)} ms.`,
  );
  say();
}

say(`Node ${process.version}, ${availableParallelism()} cores; server, database and load generator share them.`);
say();
/** Without `--only`: what takes minutes, not half an hour. */
const parts = { engine, structural, hostile, rules, http, batch, grpc, auth };
const long = { knee, neighbour, overload, soak, readers };
const chosen = Object.entries(values.only === '' ? parts : { ...parts, ...long }).filter(
  ([name]) => values.only === '' || values.only === name,
);
if (chosen.length === 0) throw new Error(`--only takes one of ${Object.keys({ ...parts, ...long }).join(', ')}`);
for (const [, run] of chosen) await run();
