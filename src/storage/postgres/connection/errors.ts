/**
 * Classifies the driver's errors: data that the database will never accept, or a database that cannot do it now. An
 * unknown error counts as the database's fault (revoked privileges, a table during a migration): it passes, and no
 * event is set aside for it.
 */
import pg from 'pg';
import { StoreUnavailable } from '../../../platform/errors.ts';
import { RecordRefused } from '../../ports/storage.ts';
import { reasonOf } from '../../reason-of.ts';

/** 22 data exception, 23 constraint, 54 program limit exceeded. */
const REFUSED_CLASSES = new Set(['22', '23', '54']);

/** SQLSTATE when the database itself answered with an error, `null` for sockets, time-outs and the like. */
export function sqlState(error: unknown): string | null {
  return error instanceof pg.DatabaseError ? (error.code ?? null) : null;
}

/** The error that a caller of the store sees. The driver's error stays as `cause`. */
export function toStoreError(error: unknown): Error {
  if (error instanceof StoreUnavailable || error instanceof RecordRefused) return error;
  const state = sqlState(error);
  if (state !== null && REFUSED_CLASSES.has(state.slice(0, 2))) {
    return new RecordRefused(`the database refuses this record: ${reasonOf(error)}`, { cause: error });
  }
  return new StoreUnavailable(`the database did not answer: ${reasonOf(error)}`, { cause: error });
}

/** True when the connection broke during a statement, so that it is unknown whether it took effect. */
export function isConnectionLost(error: unknown): boolean {
  const cause = error instanceof StoreUnavailable ? error.cause : error;
  const state = sqlState(cause);
  if (state !== null) return state.startsWith('08') || state === '57P01' || state === '57P02';
  return cause instanceof Error && !/time(d )?out/.test(cause.message);
}
