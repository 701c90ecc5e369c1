/**
 * Work for many nodes over NATS JetStream. A message names a lane that has work; the events themselves stay in the
 * database, which alone decides who scores what. So a message may be lost, late or doubled, and the stream may vanish.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  AckPolicy,
  DiscardPolicy,
  type JetStreamClient,
  type JetStreamManager,
  type JsMsg,
  jetstream,
  jetstreamManager,
  RetentionPolicy,
} from '@nats-io/jetstream';
import { type NatsConnection, nanos, TimeoutError } from '@nats-io/transport-node';
import { StoreUnavailable } from '../../platform/errors.ts';
import { type BackendHealth, measureHealth } from '../ports/health.ts';
import type { Dispatch, Lane } from '../ports/queue.ts';
import { reasonOf } from '../reason-of.ts';
import { keepConnected } from './connection.ts';

const ANSWER_TIMEOUT_MS = 2_000;
/** A worker that does not say it is still at work for so long has died. */
const ACK_WAIT_MS = 15_000;
/** How long one question for the next message stays open. */
const ASK_MS = 5_000;
const RETRY_MS = 500;
/** What is being served is waited for by the worker; nothing here is worth waiting for. */
const CLOSE_MS = 1_000;
const CONSUMER = 'workers';

/** How often it is asked whether announcements still arrive: a node that has none to make hears of no refusal. */
const CHECK_MS = 5_000;
/** What a check announces: there is no such customer, so that a worker of an older version finds no work. */
const NOBODY: Lane = { customer_id: '00000000-0000-0000-0000-000000000000', lane: 0 };

/**
 * Connects in the background, and makes the streams where they are missing; `notice` is told while that fails. Until NATS can
 * be used, and whenever it is away or takes no announcement, announcements fail at once and `isUp` says so.
 */
export function natsDispatch(url: string, prefix: string, notice: (text: string) => void): Dispatch {
  const names = { work: `${prefix}_work`, dead: `${prefix}_dead` };
  const subject = ({ customer_id, lane }: Lane) => `${prefix}.work.${customer_id}.${lane}`;
  const check_subject = `${prefix}.work.check`;
  const kept = keepConnected(url, prepare, notice);
  const stopping = new AbortController();
  const loops: Promise<void>[] = [checkNowAndThen()];
  let asking: Promise<BackendHealth> | null = null;
  let checking: Promise<void> | null = null;

  /** Rejects unless the streams are as they must be, made where they were missing, and take an announcement. */
  async function prepare(connection: NatsConnection): Promise<void> {
    const manager = await jetstreamManager(connection, { timeout: ANSWER_TIMEOUT_MS }).catch((error: unknown) => {
      const text = `it has no JetStream to use: ${reasonOf(error)}; start it with JetStream (nats-server -js)`;
      throw new Error(text, { cause: error });
    });
    await explain(names.work, makeWork(manager));
    await explain(names.dead, makeDead(manager));
    await explain(names.work, publishTo(connection, check_subject, NOBODY));
  }

  async function makeWork(manager: JetStreamManager): Promise<void> {
    await manager.streams.add({
      name: names.work,
      subjects: [`${prefix}.work.>`],
      retention: RetentionPolicy.Workqueue,
      // One message for each lane says all there is to say.
      max_msgs_per_subject: 1,
      discard: DiscardPolicy.Old,
    });
    await manager.consumers.add(names.work, {
      durable_name: CONSUMER,
      ack_policy: AckPolicy.Explicit,
      ack_wait: nanos(ACK_WAIT_MS),
      max_ack_pending: 10_000,
    });
  }

  async function makeDead(manager: JetStreamManager): Promise<void> {
    await manager.streams.add({ name: names.dead, subjects: [`${prefix}.dead.>`], max_bytes: 64 * 2 ** 20 });
  }

  async function checkNowAndThen(): Promise<void> {
    while (!stopping.signal.aborted) {
      await sleep(CHECK_MS, undefined, { signal: stopping.signal, ref: false }).catch(() => {});
      await check();
    }
  }

  /**
   * A stream that vanished is made again; a connection with which that fails is made anew, and NATS is away until then. What
   * takes long may come of a busy moment and is tried once more; a server that is frozen is found out by its pings.
   */
  function check(): Promise<void> {
    const connection = kept.get();
    if (connection === null || stopping.signal.aborted) return Promise.resolve();
    checking ??= prepare(connection)
      .catch((error: unknown) => (isLate(error) ? prepare(connection) : Promise.reject(error)))
      .catch((error: unknown) => kept.drop(connection, error))
      .finally(() => {
        checking = null;
      });
    return checking;
  }

  /** Throws while NATS is away: what is said then would wait in memory, and be old when it is back. */
  function connected(): { connection: NatsConnection; js: JetStreamClient } {
    const connection = kept.get();
    if (connection === null) throw new StoreUnavailable(`NATS cannot be used: ${kept.away()}`);
    return { connection, js: jetstream(connection, { timeout: ANSWER_TIMEOUT_MS }) };
  }

  /** Whoever is refused waits for nothing; why it was is found out beside it. */
  async function publish(subject: string, content: unknown): Promise<void> {
    const { connection } = connected();
    await publishTo(connection, subject, content).catch((error: unknown) => {
      void check();
      throw error;
    });
  }

  async function announce(lanes: readonly Lane[]): Promise<void> {
    await Promise.all(lanes.map((lane) => publish(subject(lane), lane)));
  }

  /** One lane after the other, until stopped. */
  async function serveOneByOne(serve: (lane: Lane) => Promise<boolean>): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        const consumer = await connected().js.consumers.get(names.work, CONSUMER);
        const message = await consumer.next({ expires: ASK_MS });
        if (message?.subject === check_subject) message.ack();
        else if (message !== null) await serveMessage(message, serve);
      } catch {
        await sleep(RETRY_MS, undefined, { signal: stopping.signal, ref: false }).catch(() => {});
        await check();
      }
    }
  }

  async function serveMessage(message: JsMsg, serve: (lane: Lane) => Promise<boolean>): Promise<void> {
    const beat = setInterval(() => sayAtWork(message), ACK_WAIT_MS / 3);
    try {
      const lane = message.json<Lane>();
      const has_more = await serve(lane);
      message.ack();
      if (has_more) await announce([lane]);
    } catch {
      message.nak(RETRY_MS);
    } finally {
      clearInterval(beat);
    }
  }

  return {
    announce,
    isUp: () => kept.get() !== null,
    serve(count, serve) {
      for (let i = 0; i < count; i += 1) loops.push(serveOneByOne(serve));
    },
    async bury(customer_id, event_id, reason) {
      await publish(`${prefix}.dead.${customer_id}`, { customer_id, event_id, reason });
    },
    health() {
      // A server that is frozen leaves every question open: one at a time is enough.
      asking ??= measureHealth(async () => connected().connection.flush()).finally(() => {
        asking = null;
      });
      return asking;
    },
    async close() {
      stopping.abort();
      // Ends open questions at once.
      await kept.close(CLOSE_MS / 2);
      await Promise.race([Promise.all(loops), sleep(CLOSE_MS / 2, undefined, { ref: false })]);
    },
  };
}

async function publishTo(connection: NatsConnection, subject: string, content: unknown): Promise<void> {
  await jetstream(connection, { timeout: ANSWER_TIMEOUT_MS }).publish(subject, JSON.stringify(content));
}

/** Says which stream is not as it must be, and what to do. */
async function explain(stream: string, made: Promise<void>): Promise<void> {
  try {
    await made;
  } catch (error) {
    if (isLate(error)) throw error;
    const text = `its stream \`${stream}\` cannot be used: ${reasonOf(error)}; remove the stream, and it is made again`;
    throw new Error(text, { cause: error });
  }
}

function isLate(error: unknown): boolean {
  return error instanceof TimeoutError;
}

/** The connection may have ended meanwhile, and then the lane comes again anyway. */
function sayAtWork(message: JsMsg): void {
  try {
    message.working();
  } catch {}
}
