/** Calls to a running Weir, as a customer makes them. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { OWNER_SCOPES } from '../../src/tokens/api-keys/scopes.ts';
import { adminHeader } from './admin-keys.ts';
import type { Weir } from './weir.ts';

export interface Reply {
  status: number;
  headers: Headers;
  /** The body as sent. */
  text: string;
  /** The body as JSON; `undefined` when it is none. */
  json: Record<string, unknown>;
}

export interface Customer {
  customer_id: string;
  api_key: string;
  key_id: string;
}

/**
 * One call. A string or bytes as `body` go out as they are, anything else as JSON. To an auth service of this process it is the
 * operator's, unless it has a key, an `authorization` or `is_anonymous`.
 */
export async function call(
  url: string,
  options: {
    method?: string;
    key?: string;
    body?: unknown;
    headers?: Record<string, string>;
    is_anonymous?: true;
  } = {},
): Promise<Reply> {
  const { body } = options;
  const is_raw = typeof body === 'string' || body instanceof Uint8Array;
  const response = await fetch(url, {
    method: options.method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(options.key === undefined && !options.is_anonymous ? adminHeader(url) : {}),
      ...(options.key !== undefined && { 'x-api-key': options.key }),
      ...options.headers,
    },
    ...(body !== undefined && { body: is_raw ? (body as string | Uint8Array<ArrayBuffer>) : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: parse(text) };
}

function parse(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}

/** A new customer with a key of its own: an owner's unless `scopes` are given. */
export async function newCustomer(
  weir: Pick<Weir, 'auth'>,
  scopes: readonly string[] = OWNER_SCOPES,
): Promise<Customer> {
  const customer_id = randomUUID();
  const reply = await call(`${weir.auth}/api-keys`, { body: { customer_id, name: 'test', scopes } });
  assert.equal(reply.status, 201, reply.text);
  return { customer_id, api_key: String(reply.json['api_key']), key_id: String(reply.json['key_id']) };
}

/** Asserts problem details with this status and returns them. */
export function problem(reply: Reply, status: number | readonly number[]): Record<string, unknown> {
  const allowed = typeof status === 'number' ? [status] : status;
  assert.ok(
    allowed.includes(reply.status),
    `expected ${allowed.join(' or ')}, got ${reply.status}: ${reply.text.slice(0, 500)}`,
  );
  assert.match(reply.headers.get('content-type') ?? '', /^application\/problem\+json/);
  assert.equal(reply.json['status'], reply.status);
  for (const name of ['type', 'title', 'detail', 'request_id']) assert.equal(typeof reply.json[name], 'string', name);
  assert.equal(reply.headers.get('x-request-id'), reply.json['request_id']);
  assert.doesNotMatch(reply.text, /node_modules|\.ts:\d| {4}at |SELECT |INSERT /);
  return reply.json;
}

/** An ordinary event with every field. */
export function fullEvent(event_id: string = randomUUID()) {
  return {
    event_id,
    action: 'github:pulls:merge',
    timestamp: '2026-01-15T10:00:00Z',
    agent: { agent_id: 'a-1', agent_type: 'code_review', framework: 'langchain', model: 'm-1' },
    session: { session_id: 's-1', user_id: 'u-1', started_at: '2026-01-15T09:00:00+01:00' },
    target: { resource_type: 'repository', resource_id: 'core/payments', sensitivity_level: 2 },
    parameters: { branch: 'main', nested: { list: [1, 2.5, null, true, 'x'] } },
    mcp_context: { server_name: 'gh', server_id: 'i-1', transport: 'http', is_verified: true, tool_name: 'merge_pull' },
    data_fields_accessed: ['email', { field: 'ssn', classification: 'PII' }, { field: 'note' }],
    preceding_actions: ['github:pulls:read', 'not an action at all'],
    user_context: 'Please review and merge — gründlich 😀.',
    conversation_history: [
      { role: 'user', content: 'Merge it.' },
      { role: 'assistant', content: null, tool_calls: [] },
    ],
    metadata: { trace: 'abc', deep: { a: [1] } },
  };
}
