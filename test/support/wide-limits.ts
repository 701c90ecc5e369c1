/**
 * Time limits of stores for tests that are about something else: a machine with other work stands still for longer than the limits
 * that a caller of the product is promised. Tests of those limits open their stores without them.
 */
import type pg from 'pg';
import { createPool, watchOf } from '../../src/storage/postgres/connection/pool.ts';

const PATIENCE = 60;

/** An option of `openPostgres`, `openEmbedded` and `redisCache`. */
export const WIDE_LIMITS = { patience: PATIENCE };

/** The same for a program with settings; `startWeir` gives it to every server. */
export const WIDE_LIMITS_ENV = { STORE_PATIENCE: String(PATIENCE) };

/** For a server in a test of the limits. */
export const USUAL_LIMITS_ENV = { STORE_PATIENCE: '1' };

/** Connections alone. */
export const widePool = (url: string, connections: number): pg.Pool =>
  createPool({ url }, connections, '', watchOf({ url }, PATIENCE));
