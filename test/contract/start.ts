/** How the suite gets at a backend, and records to put into it. */
import { createHash, randomUUID } from 'node:crypto';
import { after, before } from 'node:test';
import type { ScoreRecord } from '../../src/records/record.ts';
import type { StoredTrace } from '../../src/scoring/history/trace.ts';
import type { Assessment, RiskLevel } from '../../src/scoring/types.ts';
import type { RecordOutcome, Storage } from '../../src/storage/ports/storage.ts';
import { patiently } from '../support/patiently.ts';

export interface StorageUnderTest {
  /** One more storage on the same data, as another node has it. The suite closes it. */
  connect(): Promise<Storage>;
  /** What somebody does to the database by hand. */
  run(sql: string, values: unknown[]): Promise<void>;
  /** Takes the database away as rudely as possible; it comes back by itself. */
  interrupt(): Promise<void>;
  /** Removes everything. */
  dispose(): Promise<void>;
}

export type Start = () => Promise<StorageUnderTest>;

export interface Bench {
  backend: StorageUnderTest;
  /** Two nodes on one database. */
  nodes: [Storage, Storage];
}

/** Starts a backend with two nodes for the whole suite; the fields are there once tests run. */
export function useBench(start: Start): Bench {
  const bench = {} as Bench;
  before(async () => {
    bench.backend = await start();
    bench.nodes = [await bench.backend.connect(), await bench.backend.connect()];
  });
  after(async () => {
    for (const node of bench.nodes ?? []) await node.close();
    await bench.backend?.dispose();
  });
  return bench;
}

export const newCustomer = (): string => randomUUID();

export interface RecordParts {
  event_id?: string;
  /** Becomes part of the event, so another text is another content. */
  text?: string;
  score?: number;
  policy_version?: number;
  past?: ScoreRecord['past'];
  hold?: ScoreRecord['hold'];
  would_hold?: boolean;
  /** Fields of the event, in place of the usual ones. */
  event?: Partial<ScoreRecord['event']>;
  violations?: string[];
}

/** A record as the engine makes it. */
export function makeRecord(customer_id: string, parts: RecordParts = {}): ScoreRecord {
  const {
    event_id = randomUUID(),
    text = 'read the invoice',
    score = 42,
    policy_version = 0,
    past = null,
    hold = null,
    would_hold = false,
    event: own = {},
    violations,
  } = parts;
  const event = {
    event_id,
    action: 'database:customers:read',
    timestamp: '2026-05-01T12:00:00Z',
    target: { resource_type: 'table', resource_id: 'prod/customers', sensitivity_level: 3 },
    parameters: { text, limit: 10, nested: { list: [1, 2.5, -3e-7, null, true] } },
    ...own,
  };
  const content_hash = createHash('sha256').update(JSON.stringify(event)).digest('hex');
  const assessment = { ...makeAssessment(score, policy_version), ...(violations && { violations }) };
  return {
    customer_id,
    event_id,
    content_hash,
    event,
    assessment,
    risk_level: levelOf(score),
    cache_hit: false,
    past,
    hold,
    would_hold,
  };
}

/** What an event leaves behind. */
export function makeTrace(event_id: string): StoredTrace {
  const scored_at = '2026-05-01T12:00:00.123456Z';
  const trace = {
    action: 'database:customers:read',
    domain: 'database',
    group: 'read',
    is_change: false,
    is_high_impact: false,
    resource: 'table:prod/customers',
    places: [],
    classes: ['PII'],
    is_refused: false,
    claimed_hour: 12,
    claimed_day: 20_574,
    score: 42,
  };
  return { event_id, scored_at, trace };
}

function makeAssessment(score: number, policy_version: number): Assessment {
  return {
    score,
    reasoning: 'personal data is read in bulk',
    violations: ['reads more than the task needs'],
    compliance_refs: ['GDPR Art. 5(1)(c)'],
    mitigations: ['limit the fields'],
    score_components: [{ rule: 'intrinsic', contribution: score }],
    behavioral_flags: ['bulk_read'],
    graph_score: 0,
    rule_score: score,
    llm_score: null,
    llm_fallback: false,
    gnn_score: null,
    confidence: 0.75,
    decomposition: {
      intrinsic_score: score,
      gnn_score: null,
      policy_score: score,
      temporal_modifier: 1,
      raw_weighted: score,
      w1: 0.4,
      w2: 0,
      w3: 0.6,
      gnn_confidence: null,
      overall_confidence: 0.75,
    },
    findings: [],
    rule_set_version: '2026.1-test',
    policy_version,
    llm: null,
    doubts: [],
  };
}

/** The ranges of the REST summary. */
export function levelOf(score: number): RiskLevel {
  if (score <= 10) return 'none';
  if (score <= 30) return 'low';
  if (score <= 60) return 'medium';
  return score <= 80 ? 'high' : 'critical';
}

/** How often each kind of outcome came. */
export function tally(outcomes: RecordOutcome[]): Partial<Record<RecordOutcome['kind'], number>> {
  const counts: Partial<Record<RecordOutcome['kind'], number>> = { stored: 0, exists: 0, policy_changed: 0 };
  for (const { kind } of outcomes) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

export function range(length: number): number[] {
  return Array.from({ length }, (_, index) => index);
}

/** Events that are looked up at once: few enough that none waits long for a connection. */
const AT_ONCE = 20;

/** Which of these events are not there. */
export async function missingOf(node: Storage, customer_id: string, event_ids: string[]): Promise<string[]> {
  const missing: string[] = [];
  for (let at = 0; at < event_ids.length; at += AT_ONCE) {
    const part = event_ids.slice(at, at + AT_ONCE);
    const found = await Promise.all(part.map((id) => patiently(() => node.scores.find(customer_id, id))));
    missing.push(...part.filter((_, index) => found[index] === null));
  }
  return missing;
}
