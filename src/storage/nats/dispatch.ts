/**
 * Work for many nodes over NATS JetStream. A message names a lane that has work; the events themselves stay in the
 * database, which alone decides which worker scores them. A message may therefore be lost, late or duplicated, and the
 * stream may vanish.
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
/** A worker that does not renew its claim for this long counts as dead. */
const ACK_WAIT_MS = 15_000;
/** How long one pull request for the next message stays open. */
const ASK_MS = 5_000;
const RETRY_MS = 500;
/** The worker awaits the lanes in progress; nothing else here needs to be awaited. */
const CLOSE_MS = 1_000;
const CONSUMER = 'workers';

/** How often it is checked whether announcements still arrive: a node without any would not notice a refusal. */
const CHECK_MS = 5_000;
/** The lane of a check: no customer has this id, so a worker of an older version finds no work. */
const NOBODY: Lane = { customer_id: '00000000-0000-0000-0000-000000000000', lane: 0 };

/**
 * Connects in the background, and creates missing streams; `notice` is called while that fails. Until NATS can be used,
 * and whenever it is away or refuses announcements, announcements fail immediately and `isUp` reports it.
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

  /** Rejects unless the streams are configured as required, were created where missing, and accept an announcement. */
  async function prepare(connection: NatsConnection): Promise<void> {
    const manager = await jetstreamManager(connection, { timeout: ANSWER_TIMEOUT_MS }).catch((error: unknown) => {
      const text = `JetStream is not available: ${reasonOf(error)}; start it with JetStream (nats-server -js)`;
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
      // One message per lane is sufficient.
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
   * A stream that vanished is created again; if that fails, the connection is replaced, and NATS counts as away until
   * then. A slow answer may come from a busy moment, so it is tried once more; pings detect a frozen server.
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

  /** Throws while NATS is away: queued announcements would take memory and be outdated when it is back. */
  function connected(): { connection: NatsConnection; js: JetStreamClient } {
    const connection = kept.get();
    if (connection === null) throw new StoreUnavailable(`NATS cannot be used: ${kept.away()}`);
    return { connection, js: jetstream(connection, { timeout: ANSWER_TIMEOUT_MS }) };
  }

  /** A refused caller is answered immediately; the reason is determined in the background. */
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

  /** Serves one lane after the other, until stopped. */
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
      // A frozen server leaves every request open: one at a time is enough.
      asking ??= measureHealth(async () => connected().connection.flush()).finally(() => {
        asking = null;
      });
      return asking;
    },
    async close() {
      stopping.abort();
      // Ends open requests immediately.
      await kept.close(CLOSE_MS / 2);
      await Promise.race([Promise.all(loops), sleep(CLOSE_MS / 2, undefined, { ref: false })]);
    },
  };
}

async function publishTo(connection: NatsConnection, subject: string, content: unknown): Promise<void> {
  await jetstream(connection, { timeout: ANSWER_TIMEOUT_MS }).publish(subject, JSON.stringify(content));
}

/** Says which stream is misconfigured, and what to do. */
async function explain(stream: string, made: Promise<void>): Promise<void> {
  try {
    await made;
  } catch (error) {
    if (isLate(error)) throw error;
    const text = `its stream \`${stream}\` cannot be used: ${reasonOf(error)}; remove the stream, and Weir creates it again`;
    throw new Error(text, { cause: error });
  }
}

function isLate(error: unknown): boolean {
  return error instanceof TimeoutError;
}

/** The connection may have ended meanwhile; then the lane is redelivered anyway. */
function sayAtWork(message: JsMsg): void {
  try {
    message.working();
  } catch {}
}
