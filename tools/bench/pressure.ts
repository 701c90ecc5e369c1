/**
 * What callers see when more arrives than is scored: where the knee is and how long an event takes below it, what one
 * customer can do to another, and how an overload ends. Events arrive at fixed rates (open-loop.ts).
 */
import { newApiKey, newId, sha256 } from '../../src/platform/ids.ts';
import { openPostgres } from '../../src/storage/postgres/index.ts';
import { OWNER_SCOPES } from '../../src/tokens/api-keys/scopes.ts';
import { arriveElsewhere } from './arrivals-thread.ts';
import { load } from './http.ts';
import { API_KEY, benchKey, httpCases } from './http-cases.ts';
import { type Answered, arrive, type Percentiles, percentiles, percentilesOf } from './open-loop.ts';
import { type ServerProcess, startServer } from './server-process.ts';

const WARM_UP_S = 10;
/** Where the slowest answers count: rare paths are compiled late. */
const LONG_WARM_UP_S = 30;
/** Steps towards the knee, as shares of what 64 connections in a closed loop get through. */
const STEPS = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 2.5, 3];
/** Beyond the knee fewer than this share of the arrivals are answered in time … */
const ANSWERED_SHARE = 0.97;
/** … or the median is longer than this: events wait for each other and no longer for the disk. */
const KNEE_MS = 50;
const SHARE_OF_KNEE = 0.6;

const startWeir = (database_url: string, env: Record<string, string> = {}): Promise<ServerProcess> =>
  startServer({
    key: 'weir',
    name: 'Weir',
    start: ['src/main.ts', 'serve', '--roles', 'api'],
    env: { ...benchKey, DATABASE_URL: database_url, ...env },
  });

export interface Step extends Percentiles {
  per_second: number;
  answered_share: number;
}

export interface KneeFigures {
  closed_per_second: number;
  steps: Step[];
  knee: number;
  /** At 60 % of the knee, in slices that take turns with a bare route at the same rate: what the machine itself adds. */
  below: Slices;
  bare: Slices;
  /** The same with one insert for each request: what the database adds. */
  insert: Slices;
}

export interface Slices {
  per_second: number;
  /** One entry a slice. */
  slices: Percentiles[];
  sent: number;
  /** Events without a 200. */
  errors: number;
}

const okOf = ({ by_status }: Answered): number => by_status.get(200) ?? 0;

function stepOf(per_second: number, answered: Answered): Step {
  return { per_second, answered_share: okOf(answered) / answered.sent, ...percentilesOf(answered) };
}

async function findKnee(url: string, step_s: number): Promise<Omit<KneeFigures, 'below' | 'bare' | 'insert'>> {
  await load(url, LONG_WARM_UP_S);
  const closed = await load(url, step_s);
  const closed_per_second = closed['2xx'] / closed.duration;
  const steps: Step[] = [];
  for (const share of STEPS) {
    const per_second = Math.round(closed_per_second * share);
    const step = stepOf(per_second, await arrive({ url, api_key: API_KEY, per_second, seconds: step_s }));
    steps.push(step);
    if (step.answered_share < ANSWERED_SHARE || step.p50 > KNEE_MS) break;
  }
  const good = steps.filter(({ answered_share, p50 }) => answered_share >= ANSWERED_SHARE && p50 <= KNEE_MS);
  return { closed_per_second, steps, knee: good.at(-1)?.per_second ?? steps[0]!.per_second };
}

const SLICE_S = 5;

export async function measureKnee(database_url: string, step_s: number, slices: number): Promise<KneeFigures> {
  const weir = await startWeir(database_url);
  const [bare_case, insert_case] = httpCases(database_url, '');
  const bare = await startServer(bare_case!);
  const insert = await startServer(insert_case!);
  try {
    const found = await findKnee(weir.url, step_s);
    const per_second = Math.round(found.knee * SHARE_OF_KNEE);
    const begin = (): Slices => ({ per_second, slices: [], sent: 0, errors: 0 });
    const figures = { below: begin(), bare: begin(), insert: begin() };
    for (const { url } of [bare, insert]) await load(url, WARM_UP_S);
    for (let n = 0; n < slices; n += 1) {
      for (const [{ url }, figure] of [
        [weir, figures.below],
        [bare, figures.bare],
        [insert, figures.insert],
      ] as const) {
        const answered = await arrive({ url, api_key: API_KEY, per_second, seconds: SLICE_S });
        figure.slices.push(percentilesOf(answered));
        figure.sent += answered.sent;
        figure.errors += answered.sent - okOf(answered);
      }
    }
    return { ...found, ...figures };
  } finally {
    await weir.stop();
    await bare.stop();
    await insert.stop();
  }
}

export interface NeighbourRound {
  case: 'alone' | 'beside one at its limit' | 'beside one at ten times its limit' | 'beside one without a limit';
  /** Of the quiet customer. */
  quiet: Answered;
  /** Of the other one. */
  loud: Answered | null;
}

export interface NeighbourFigures {
  limit_per_second: number;
  quiet_per_second: number;
  rounds: NeighbourRound[];
}

/** A key of a customer that exists from now on. */
async function makeCustomer(database_url: string): Promise<string> {
  const storage = await openPostgres(database_url);
  try {
    const api_key = newApiKey('weir');
    const key = {
      key_id: newId(),
      customer_id: newId(),
      name: 'bench',
      scopes: OWNER_SCOPES,
      key_hash: sha256(api_key),
    };
    await storage.api_keys.create(key);
    return api_key;
  } finally {
    await storage.close();
  }
}

/**
 * A quiet customer at a tenth of the knee, alone and beside a loud one whose limit is a fifth of the knee: at its limit,
 * at ten times its limit, and on a server without limits at twice the knee. In turns, so that noise hits all alike.
 */
export async function measureNeighbour(
  database_url: string,
  knee: number,
  rounds: number,
  seconds: number,
): Promise<NeighbourFigures> {
  const limit_per_second = Math.round(knee / 5);
  const quiet_per_second = Math.max(10, Math.round(knee / 10));
  const [quiet_key, loud_key] = [await makeCustomer(database_url), await makeCustomer(database_url)];
  // Only the loud one comes near it.
  const limited = await startWeir(database_url, { CUSTOMER_RATE_LIMIT_RPM: String(limit_per_second * 60) });
  const open = await startWeir(database_url);
  const measured: NeighbourRound[] = [];
  let drain_s = 12;
  const round = async (name: NeighbourRound['case'], server: ServerProcess, loud_per_second: number): Promise<void> => {
    const { url } = server;
    // Without a limit it is the server that keeps events waiting, and each needs a connection meanwhile.
    const connections = server === open ? 1_500 : 256;
    const [quiet, loud] = await Promise.all([
      arrive({ url, api_key: quiet_key, per_second: quiet_per_second, seconds, connections: 64 }),
      loud_per_second === 0
        ? null
        : arriveElsewhere({ url, api_key: loud_key, per_second: loud_per_second, seconds, connections }),
    ]);
    measured.push({ case: name, quiet, loud });
  };
  try {
    for (const { url } of [limited, open]) await load(url, WARM_UP_S);
    for (let n = 0; n < rounds; n += 1) {
      await round('alone', limited, 0);
      // A limit allows a minute's worth at once: use up what has gathered, as somebody who always sends too much has.
      await arrive({
        url: limited.url,
        api_key: loud_key,
        per_second: limit_per_second * 10,
        seconds: drain_s,
      });
      drain_s = seconds;
      await round('beside one at ten times its limit', limited, limit_per_second * 10);
      await round('beside one at its limit', limited, limit_per_second);
      await round('beside one without a limit', open, knee * 2);
    }
  } finally {
    await limited.stop();
    await open.stop();
  }
  return { limit_per_second, quiet_per_second, rounds: measured };
}

export interface OverloadFigures {
  before: Percentiles;
  flood: Answered;
  flood_per_second: number;
  /** Each second after the flood, at 60 % of the knee: share answered with 200, and p99. */
  after: { second: number; answered_share: number; p99: number }[];
  /** Seconds until a second's p99 is below twice the one before the flood and everything is answered; `null`: not seen. */
  recovered_s: number | null;
}

/** Three times the knee, then 60 % of it again, without a pause. */
export async function measureOverload(database_url: string, knee: number, flood_s: number): Promise<OverloadFigures> {
  const server = await startWeir(database_url);
  const { url } = server;
  const per_second = Math.round(knee * SHARE_OF_KNEE);
  try {
    await load(url, WARM_UP_S);
    const before = percentilesOf(await arrive({ url, api_key: API_KEY, per_second, seconds: 15 }));
    const flood_per_second = knee * 3;
    const flood = await arrive({
      url,
      api_key: API_KEY,
      per_second: flood_per_second,
      seconds: flood_s,
      connections: 4_000,
    });
    const calm = await arrive({ url, api_key: API_KEY, per_second, seconds: 30 });
    const after = Array.from({ length: 30 }, (_, second) => {
      const of = calm.times.filter(({ at_s }) => Math.floor(at_s) === second).map(({ ms }) => ms);
      return { second, answered_share: of.length / per_second, p99: percentiles(of).p99 };
    });
    const good = after.find(({ answered_share, p99 }) => answered_share >= 0.99 && p99 <= before.p99 * 2);
    return { before, flood, flood_per_second, after, recovered_s: good === undefined ? null : good.second + 1 };
  } finally {
    await server.stop();
  }
}
