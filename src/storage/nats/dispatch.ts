/**
 * Work for many nodes over NATS JetStream. A message names a lane that has work; the events themselves stay in the
 * database, which alone decides who scores what. So a message may be lost, late or doubled, and the stream may vanish.
 */
import { AckPolicy, DiscardPolicy, type JsMsg, jetstream, jetstreamManager, RetentionPolicy } from '@nats-io/jetstream';
import { connect, type NatsConnection, nanos } from '@nats-io/transport-node';
import type { Dispatch, Lane } from '../ports.ts';
import { StartError } from '../start-error.ts';

const CONNECT_TIMEOUT_MS = 5_000;
/** A worker that does not say it is still at work for so long has died. */
const ACK_WAIT_MS = 15_000;
/** How long one question for the next message stays open. */
const ASK_MS = 5_000;
const RETRY_MS = 500;
const CONSUMER = 'workers';

/** Connects, and makes the streams where they are missing. Rejects with `StartError` when nobody answers. */
export async function natsDispatch(url: string, prefix: string): Promise<Dispatch> {
  const connection = await connectTo(url);
  const names = { work: `${prefix}_work`, dead: `${prefix}_dead` };
  const subject = ({ customer_id, lane }: Lane) => `${prefix}.work.${customer_id}.${lane}`;
  const js = jetstream(connection, { timeout: 2_000 });
  const stopping = new AbortController();
  const loops: Promise<void>[] = [];

  async function prepare(): Promise<void> {
    const manager = await jetstreamManager(connection, { timeout: 2_000 });
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

  async function announce(lanes: readonly Lane[]): Promise<void> {
    await Promise.all(lanes.map((lane) => js.publish(subject(lane), JSON.stringify(lane))));
  }

  /** One lane after the other, until stopped. A stream that vanished is made again. */
  async function serveOneByOne(serve: (lane: Lane) => Promise<boolean>): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        const consumer = await js.consumers.get(names.work, CONSUMER);
        const message = await consumer.next({ expires: ASK_MS });
        if (message !== null) await serveMessage(message, serve);
      } catch {
        await pause(RETRY_MS, stopping.signal);
        if (!stopping.signal.aborted) await prepare().catch(() => {});
      }
    }
  }

  async function serveMessage(message: JsMsg, serve: (lane: Lane) => Promise<boolean>): Promise<void> {
    const beat = setInterval(() => message.working(), ACK_WAIT_MS / 3);
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

  try {
    await prepare();
  } catch (error) {
    await connection.close();
    throw new StartError(
      `NATS at NATS_URL has no JetStream to use: ${(error as Error).message}; start it with JetStream (nats-server -js)`,
      { cause: error },
    );
  }
  return {
    announce,
    serve(count, serve) {
      for (let i = 0; i < count; i += 1) loops.push(serveOneByOne(serve));
    },
    async bury(customer_id, event_id, reason) {
      await js.publish(`${prefix}.dead.${customer_id}`, JSON.stringify({ customer_id, event_id, reason }));
    },
    async health() {
      const start = performance.now();
      const latency_ms = () => Math.round((performance.now() - start) * 10) / 10;
      try {
        await Promise.race([
          connection.flush(),
          pause(1_000).then(() => Promise.reject(new Error('no answer within a second'))),
        ]);
        return { status: 'ok', latency_ms: latency_ms() };
      } catch (error) {
        return { status: 'error', latency_ms: latency_ms(), detail: (error as Error).message };
      }
    },
    async close() {
      stopping.abort();
      // Ends open questions at once; what is being served is waited for by the worker.
      await Promise.race([connection.close(), pause(1_000)]);
      await Promise.race([Promise.all(loops), pause(1_000)]);
    },
  };
}

async function connectTo(url: string): Promise<NatsConnection> {
  try {
    return await connect({
      servers: url,
      timeout: CONNECT_TIMEOUT_MS,
      maxReconnectAttempts: -1,
      reconnectTimeWait: RETRY_MS,
      name: 'weir',
    });
  } catch (error) {
    const { host } = new URL(url);
    throw new StartError(
      `cannot use NATS at \`${host}\`: ${(error as Error).message}; check NATS_URL and that the server is up`,
      { cause: error },
    );
  }
}

function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    timer.unref();
    signal?.addEventListener('abort', () => resolve(), { once: true });
  });
}
