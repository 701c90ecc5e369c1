/**
 * The ceilings that Weir is measured beside: a bare Fastify route with the same body and answer schemas, and the same
 * with one insert per request. `BENCH_CASE` is `bare` or `insert`; `BENCH_DATABASE_URL` is the database of the latter.
 */
import { fastify } from 'fastify';
import pg from 'pg';
import { scoreResultSchema } from '../../src/doors/rest/score-schemas.ts';
import { eventSchema } from '../../src/events/event-schema.ts';

/** Connections of the usual pool; more did not make it faster. */
const POOL = 10;

const ANSWER = {
  status: 'scored',
  score: 47,
  risk_level: 'medium',
  reasoning: 'Medium risk (47) for `crm:contact:update` on customer_record `customer_record-17`. '.repeat(4),
  violations: ['sensitive_data_go_out', 'new_recipient_after_sensitive_read'],
  scoring_source: 'graph',
  compliance_refs: ['GDPR:Article_5(1)(f)', 'GDPR:Article_32', 'ISO_27001:A.8.12', 'SOC2:CC6.7'],
  mitigations: ['Remove or mask the fields.', 'Use an approved channel.', 'Confirm recipient and purpose.'],
  score_components: [
    { rule: 'intrinsic', contribution: 12 },
    { rule: 'sensitive_data_go_out', contribution: 35 },
  ],
  behavioral_flags: ['sensitive_payload'],
  graph_score: 47,
  llm_score: null,
  llm_fallback: false,
  score_decomposition: { graph_weight: 1, llm_weight: 0, gnn_weight: 0, final: 47 },
  gnn_score: null,
  confidence: 0.9,
  rule_score: 47,
  hold: null,
};

const server = fastify({ logger: false, ajv: { customOptions: { coerceTypes: false, removeAdditional: false } } });
const schema = { body: eventSchema, response: { 200: scoreResultSchema } };

if (process.env['BENCH_CASE'] === 'insert') {
  const pool = new pg.Pool({ connectionString: process.env['BENCH_DATABASE_URL'], max: POOL });
  await pool.query('CREATE TABLE IF NOT EXISTS bench_events (event_id text PRIMARY KEY, event json, answer json)');
  server.post<{ Body: { event_id: string } }>('/events', { schema }, async ({ body }) => {
    const answer = { event_id: body.event_id, ...ANSWER };
    await pool.query('INSERT INTO bench_events VALUES ($1, $2, $3)', [
      body.event_id,
      JSON.stringify(body),
      JSON.stringify(answer),
    ]);
    return answer;
  });
} else {
  server.post<{ Body: { event_id: string } }>('/events', { schema }, async ({ body }) => ({
    event_id: body.event_id,
    ...ANSWER,
  }));
}

await server.listen({ host: '127.0.0.1', port: Number(process.env['BENCH_PORT']) });
console.log('ready');
