/** GET /health: the process is alive. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Type } from 'typebox';
import { endpoint } from '../../platform/http/endpoint.ts';

/** A store that is away keeps the first keys from being written, but the process is alive. */
const LONGEST_WAIT_MS = 2_000;

/**
 * @param started settles when the start is over. A script that waits for the first answer then finds the keys of a first start in their
 * files. Not awaited for longer than two seconds from here on.
 */
export function health({ started }: { started: Promise<void> }) {
  const ready = Promise.race([started, sleep(LONGEST_WAIT_MS, undefined, { ref: false })]);
  return endpoint({
    method: 'GET',
    path: '/health',
    operation: 'health',
    summary: 'Whether the service answers',
    tag: 'health',
    access: 'public',
    answers: { 200: { description: 'it does', schema: Type.Object({ status: Type.Literal('ok') }) } },
    handle: async () => {
      await ready;
      return { body: { status: 'ok' } };
    },
  });
}
