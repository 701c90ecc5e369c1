/**
 * Every metric, in one list, for Prometheus (docs/metrics.md describes them, and a test compares the two). A label has
 * few values, all known here: route patterns, status codes, names of states. No id, no key and no text of a caller
 * becomes a label. To add a metric, add it to the list and count where it happens.
 */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** From a read that hits a cache to the longest time that a client is likely to wait. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export type Metrics = ReturnType<typeof createMetrics>;

/** A registry per server, so that two servers in one process do not share one. */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  return {
    requests: new Histogram({
      name: 'weir_http_request_duration_seconds',
      help: 'Requests over HTTP that were answered, by server (api, auth), route pattern and status.',
      labelNames: ['server', 'method', 'route', 'status'],
      buckets: SECONDS,
      registers,
    }),
    calls: new Histogram({
      name: 'weir_grpc_message_duration_seconds',
      help: 'Messages over gRPC that were answered, each message of a stream counted, by method and number of the status code.',
      labelNames: ['method', 'code'],
      buckets: SECONDS,
      registers,
    }),
    scored: new Counter({
      name: 'weir_events_scored_total',
      help: 'Events scored and stored, over any door, by risk level.',
      labelNames: ['risk_level'],
      registers,
    }),
    scoring: new Histogram({
      name: 'weir_event_duration_seconds',
      help: 'From the begin of work on an event to its durable score; retries of stored events included.',
      buckets: SECONDS,
      registers,
    }),
    replayed: new Counter({
      name: 'weir_events_replayed_total',
      help: 'Events that were sent again and got their stored result.',
      registers,
    }),
    held: new Counter({
      name: 'weir_events_held_total',
      help: 'Events that were scored and wait, or waited, for a person.',
      registers,
    }),
    refused: new Counter({
      name: 'weir_events_refused_total',
      help: 'Events refused before scoring: customer_full, full, waited (too long), left (the client disconnected).',
      labelNames: ['reason'],
      registers,
    }),
    cut: new Counter({
      name: 'weir_connections_cut_total',
      help: 'Connections closed or refused by a port (api, engine, auth, metrics): full, silent (no request came), flood (control frames and refused calls).',
      labelNames: ['port', 'reason'],
      registers,
    }),
    deliveries: new Counter({
      name: 'weir_webhook_attempts_total',
      help: 'Attempts to deliver a webhook message, by the resulting state of the message: delivered, pending (tried again), dead.',
      labelNames: ['outcome'],
      registers,
    }),
    llm_calls: new Counter({
      name: 'weir_llm_questions_total',
      help: 'Questions to the language model, by purpose (score, justification) and outcome: answered, cached; late, refused, busy, broken, malformed, cancelled (asked in vain); paused (breaker), crowded, over_budget (not asked).',
      labelNames: ['purpose', 'outcome'],
      registers,
    }),
    llm_waiting: new Histogram({
      name: 'weir_llm_question_duration_seconds',
      help: 'From the wish to ask the language model to its answer or the reason why there is none, by purpose.',
      labelNames: ['purpose'],
      buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 3, 5, 10, 20],
      registers,
    }),
    llm_tokens: new Counter({
      name: 'weir_llm_tokens_total',
      help: 'Tokens that the provider of the language model counted, by purpose and kind: input, output.',
      labelNames: ['purpose', 'kind'],
      registers,
    }),
    llm_cost: new Counter({
      name: 'weir_llm_cost_dollars_total',
      help: 'Cost of these tokens in US dollars, by purpose; 0 where no prices are set.',
      labelNames: ['purpose'],
      registers,
    }),
    /** Values that are read at each scrape. `read` returns the current numbers and must not throw. */
    gauge<Label extends string = never>(name: string, help: string, label: Label[], read: () => Reading[]): void {
      const collect = function (this: Gauge<string>): void {
        this.reset();
        for (const [value, of = ''] of read()) {
          if (label[0] === undefined) this.set(value);
          else this.set({ [label[0]]: of }, value);
        }
      };
      registry.registerMetric(new Gauge({ name, help, labelNames: label, registers: [], collect }));
    },
    /** All metrics in Prometheus's text format. */
    text: () => registry.metrics(),
    content_type: registry.contentType,
  };
}

/** A number, with the value of its label where it has one. */
export type Reading = [value: number, of?: string];
