/**
 * The log: one JSON object per line on standard error, so that standard output stays readable for people.
 *
 * Content that a caller sends (keys, bodies, parameters, query strings, texts) is never logged; requests are named by
 * route pattern and request id. Log known fields, not objects that came from outside.
 */
import { destination, type Logger, pino } from 'pino';
import { WeirError } from './errors.ts';
import type { LogLevel } from './settings.ts';

export type Log = Logger;

export function createLog(level: LogLevel): Log {
  return pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeError },
    },
    destination({ dest: 2, sync: true }),
  );
}

/**
 * An error for the log: its message and those of its causes, bounded; never properties that may hold a caller's data.
 */
function describeError(error: unknown, depth = 0): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: `a thrown ${typeof error}` };
  const described: Record<string, unknown> = { name: error.name, message: error.message.slice(0, 500) };
  if (error instanceof WeirError) described['code'] = error.code;
  else described['stack'] = error.stack?.split('\n').slice(1, 12).join('\n');
  if (error.cause !== undefined && depth < 3) described['cause'] = describeError(error.cause, depth + 1);
  return described;
}
