/**
 * Work for many nodes over NATS JetStream. A message names a lane that has work; the events themselves stay in the
 * database, which alone decides who scores what. So a message may be lost, late or doubled, and the stream may vanish.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  AckPolicy,
  DiscardPolicy,
  type JetStreamClient,
  type JsMsg,
  jetstream,
  jetstreamManager,
  RetentionPolicy,
} from '@nats-io/jetstream';
import { type NatsConnection, nanos } from '@nats-io/transport-node';
import { type BackendHealth, measureHealth } from '../health.ts';
import { StoreUnavailable } from '../ports.ts';
import type { Dispatch, Lane } from '../queue-ports.ts';
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

/**
 * Connects in the background, and makes the streams where they are missing; `notice` is told while that fails. Until NATS can
 * be used, and whenever it is away, announcements fail at once and `isUp` says so.
 */
export function natsDispatch(url: string, prefix: string, notice: (text: string) => void): Dispatch {
  const names = { work: `${prefix}_work`, dead: `${prefix}_dead` };
  const subject = ({ customer_id, lane }: Lane) => `${prefix}.work.${customer_id}.${lane}`;
  const kept = keepConnected(url, prepare, notice);
  const stopping = new AbortController();
  const loops: Promise<void>[] = [];
  let asking: Promise<BackendHealth> | null = null;

  async function prepare(connection: NatsConnection): Promise<void> {
    try {
      await makeStreams(connection);
    } catch (error) {
      const text = (error as Error).message;
      throw new Error(`it has no JetStream to use: ${text}; start it with JetStream (nats-server -js)`, {
        cause: error,
      });
    }
  }

  async function makeStreams(connection: NatsConnection): Promise<void> {
    const manager = await jetstreamManager(connection, { timeout: ANSWER_TIMEOUT_MS });
    await manager.streams.add({
      name: names.work,
      subjects: [`${prefix}.work.>`],
      retention: RetentionPolicy.Workqueue,
      // One message for each lane says all there is to say.
      max_msgs_per_subject: 1,
      discard: DiscardPolicy.Old,
    });
    await manager.streams.add({ name: names.dead, subjects: [`${prefix}.dead.>`], max_bytes: 64 * 2 ** 20 });
    await manager.consumers.add(names.work, {
      durable_name: CONSUMER,
      ack_policy: AckPolicy.Explicit,
      ack_wait: nanos(ACK_WAIT_MS),
      max_ack_pending: 10_000,
    });
  }

  /** Throws while NATS is away: what is said then would wait in memory, and be old when it is back. */
  function connected(): { connection: NatsConnection; js: JetStreamClient } {
    const connection = kept.get();
    if (connection === null) throw new StoreUnavailable(`NATS cannot be used: ${kept.away()}`);
    return { connection, js: jetstream(connection, { timeout: ANSWER_TIMEOUT_MS }) };
  }

  async function announce(lanes: readonly Lane[]): Promise<void> {
    const { js } = connected();
    await Promise.all(lanes.map((lane) => js.publish(subject(lane), JSON.stringify(lane))));
  }

  /** One lane after the other, until stopped. A stream that vanished is made again. */
  async function serveOneByOne(serve: (lane: Lane) => Promise<boolean>): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        const consumer = await connected().js.consumers.get(names.work, CONSUMER);
        const message = await consumer.next({ expires: ASK_MS });
        if (message !== null) await serveMessage(message, serve);
      } catch {
        await sleep(RETRY_MS, undefined, { signal: stopping.signal, ref: false }).catch(() => {});
        const connection = kept.get();
        if (connection !== null && !stopping.signal.aborted) await makeStreams(connection).catch(() => {});
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
      await connected().js.publish(`${prefix}.dead.${customer_id}`, JSON.stringify({ customer_id, event_id, reason }));
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

/** The connection may have ended meanwhile, and then the lane comes again anyway. */
function sayAtWork(message: JsMsg): void {
  try {
    message.working();
  } catch {}
}
