/** What POST /events is measured beside: each case is one server. */

export const CUSTOMER = '0197a2c4-7e10-7c00-8000-000000000001';
export const API_KEY = 'weir_key_bench-only-key-that-never-leaves-this-machine-000000';

/** Settings under which that key exists after the start. */
export const benchKey = {
  BOOTSTRAP_CUSTOMER_ID: CUSTOMER,
  BOOTSTRAP_API_KEY: API_KEY,
  LOG_LEVEL: 'error',
  RATE_LIMIT_RPM: '0',
};

export interface HttpCase {
  key: string;
  name: string;
  /** Module below the project's root, and arguments. */
  start: readonly string[];
  env: Readonly<Record<string, string>>;
  /** The same 2,000 actions again and again, as agents do that poll or try again; else no two alike. */
  repeats?: boolean;
}

/** The cases for one database: the same one for the naive route and for Weir. */
export function httpCases(database_url: string, data_dir: string): HttpCase[] {
  const baseline = ['tools/bench/baseline-server.ts'];
  const weir = ['src/main.ts', 'serve', '--roles', 'api'];
  return [
    { key: 'bare', name: 'bare Fastify route, same schemas, no storage', start: baseline, env: { BENCH_CASE: 'bare' } },
    {
      key: 'insert',
      name: 'the same, one insert per request',
      start: baseline,
      env: { BENCH_CASE: 'insert', BENCH_DATABASE_URL: database_url },
    },
    { key: 'weir', name: 'Weir on that PostgreSQL', start: weir, env: { ...benchKey, DATABASE_URL: database_url } },
    {
      key: 'weir-again',
      name: 'the same, 2,000 actions again and again',
      start: weir,
      env: { ...benchKey, DATABASE_URL: database_url },
      repeats: true,
    },
    { key: 'embedded', name: 'Weir, embedded PostgreSQL', start: weir, env: { ...benchKey, DATA_DIR: data_dir } },
  ];
}
