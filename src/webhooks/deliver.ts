/**
 * The delivery worker: claims a message, sends it, records the attempt, in this order. A crash before the send leaves
 * the message pending; a crash after it sends the message again under the same id: at least once, never lost. All its
 * state is in the database.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { createBell } from '../platform/bell.ts';
import type { Log } from '../platform/log.ts';
import type { AttemptOutcome, ClaimedDelivery, WebhookStore } from '../storage/ports/webhooks.ts';
import type { GetMasterKey } from '../tokens/keys/master-key.ts';
import { mailText, slackBody, teamsBody } from './formats.ts';
import { type Mailer, mailAddress } from './mail.ts';
import { endpointPause, pauseAfter, SCHEDULE, type Schedule } from './schedule.ts';
import { openSecret } from './secrets.ts';
import type { Result, Sender } from './send.ts';
import { signedHeaders } from './signing.ts';

export interface DeliveryWorker {
  /** Claims nothing more, waits up to `drain_ms` for attempts in flight, and returns the claims of the others. */
  stop(drain_ms: number): Promise<void>;
}

export interface DeliveryParts {
  store: WebhookStore;
  master_key: GetMasterKey;
  /** The worker closes it. */
  sender: Sender;
  /** The worker closes it. */
  mailer: Mailer;
  log: Log;
  /** Called for every recorded attempt. */
  onAttempt?: (outcome: AttemptOutcome['state']) => void;
  schedule?: Schedule;
  /** Longer than any attempt: after this a worker counts as dead and its message goes to another one. */
  lease_ms?: number;
}

/** Attempts in flight in one process. They wait for receivers and take next to no resources. */
const AT_ONCE = 64;
/** Endpoints of one customer that receive at a time, over all nodes. */
const PER_CUSTOMER = 4;
/** Twice the longest attempt. */
const LEASE_MS = 30_000;
/** How often a worker looks for work that no notice announces: retries that are due, claims of a worker that died. */
const POLL_MS = 1_000;
/** While secrets cannot be opened, an endpoint is skipped for this long at a time. */
const NO_SECRET_PAUSE_S = 60;
const KEEP_DAYS = 30;
const UPKEEP_MS = 3_600_000;

/** Starts a worker. It logs failures and never rejects. */
export function startDeliveryWorker(parts: DeliveryParts): DeliveryWorker {
  const { store, sender, log, lease_ms = LEASE_MS } = parts;
  const under_way = new Set<Promise<void>>();
  let is_stopping = false;
  let is_cut_off = false;
  const bell = createBell(POLL_MS);
  const forget = store.onWork(bell.ring);
  const upkeep = setInterval(() => void dropOld(store, log), UPKEEP_MS).unref();

  async function run(): Promise<void> {
    while (!is_stopping) {
      const rung = bell.next();
      const free = AT_ONCE - under_way.size;
      const claims = free === 0 ? [] : await claimSome(free);
      for (const claim of claims) {
        const attempt = deliver(claim).finally(() => {
          under_way.delete(attempt);
          bell.ring();
        });
        under_way.add(attempt);
      }
      if (claims.length === 0) await rung;
    }
  }

  function claimSome(limit: number): Promise<ClaimedDelivery[]> {
    return store.claim(limit, PER_CUSTOMER, lease_ms).catch((error: unknown) => {
      log.warn({ err: error }, 'webhook messages cannot be read; trying again');
      return [];
    });
  }

  async function deliver(claim: ClaimedDelivery): Promise<void> {
    const { webhook_id, customer_id, message_id } = claim;
    try {
      const headers = await sign(parts.master_key, claim);
      if (headers === null) return await store.release(claim, NO_SECRET_PAUSE_S);
      const start = performance.now();
      const result = await sendAs(claim, headers);
      // Weir's own shutdown is not the receiver's fault: the claim is returned as if nothing had been sent.
      if (is_cut_off && result.kind === 'failed') return await store.release(claim, 0);
      const outcome = judge(result, claim, performance.now() - start, parts.schedule ?? SCHEDULE);
      const reason = await store.finish(claim, outcome);
      parts.onAttempt?.(outcome.state);
      if (reason !== null) log.warn({ webhook_id, customer_id, reason }, 'a webhook endpoint is disabled');
    } catch (error) {
      log.warn({ err: error, webhook_id, message_id }, 'an attempt could not be recorded; it is made again');
    }
  }

  function sendAs({ format, endpoint_url: url, body, message_id }: ClaimedDelivery, headers: Record<string, string>) {
    if (format === 'email') return parts.mailer.send({ ...mailText(body), to: mailAddress(url) ?? '', message_id });
    if (format === 'standard') return sender.send({ url, body, headers });
    // Chats check no signature.
    const plain = { 'content-type': 'application/json', 'user-agent': headers['user-agent']! };
    return sender.send({ url, body: format === 'slack' ? slackBody(body) : teamsBody(body), headers: plain });
  }

  async function sign(master_key: GetMasterKey, claim: ClaimedDelivery): Promise<Record<string, string> | null> {
    const { customer_id, webhook_id, message_id, body } = claim;
    try {
      const master = await master_key();
      const secrets = claim.secrets.map((sealed) => openSecret(master, customer_id, sealed));
      return signedHeaders(message_id, new Date(claim.claimed_at_ms), body, secrets);
    } catch (error) {
      log.error({ err: error, webhook_id }, 'the secret of a webhook endpoint cannot be opened; its messages wait');
      return null;
    }
  }

  const running = run();
  return {
    async stop(drain_ms) {
      is_stopping = true;
      forget();
      clearInterval(upkeep);
      bell.ring();
      await running;
      await Promise.race([Promise.all(under_way), sleep(drain_ms, undefined, { ref: false })]);
      is_cut_off = true;
      parts.mailer.close();
      await sender.close();
      await Promise.all(under_way);
    },
  };
}

/** The effect of an attempt on the message and its endpoint. */
function judge(result: Result, claim: ClaimedDelivery, duration_ms: number, schedule: Schedule): AttemptOutcome {
  if (result.kind === 'delivered') return { state: 'delivered', status: result.status, duration_ms };
  const { status } = result;
  const retry_after_s = result.kind === 'failed' ? result.retry_after_s : null;
  const gone = 'answered 410: it wants no more messages';
  const reason = result.kind === 'gone' ? gone : result.reason;
  const endpoint = {
    pause_s: endpointPause(schedule, claim.failures + 1, retry_after_s),
    disable: result.kind === 'gone' ? gone : null,
    give_up: { after_s: schedule.give_up_s, reason: 'every attempt failed for five days' },
  };
  const retry_in_s = pauseAfter(schedule, claim.attempts + 1, retry_after_s, Math.random());
  if (retry_in_s === null) return { state: 'dead', status, duration_ms, reason, endpoint };
  return { state: 'pending', status, duration_ms, reason, retry_in_s, endpoint };
}

function dropOld(store: WebhookStore, log: Log): Promise<void> {
  return store.dropOld(KEEP_DAYS).catch((error: unknown) => log.warn({ err: error }, 'old messages were not dropped'));
}
