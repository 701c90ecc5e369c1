/** A thousand made-up events of about 1 KB, the same in every run: ordinary work of many kinds, a few risky ones. */
import type { AgentEvent } from '../../src/events/event.ts';
import { seededNumbers } from '../../src/lang/seeded.ts';

const WORK: readonly [action: string, resource_type: string, tool: string][] = [
  ['repo:code:read', 'repository', 'get_file_contents'],
  ['repo:issue:create', 'repository', 'create_issue'],
  ['crm:contact:read', 'customer_record', 'get_contact'],
  ['crm:contact:update', 'customer_record', 'update_contact'],
  ['email:message:send', 'mailbox', 'send_email'],
  ['email:inbox:search', 'mailbox', 'search_emails'],
  ['db:table:query', 'database', 'query'],
  ['file:document:read', 'file', 'read_file'],
  ['file:document:write', 'file', 'write_file'],
  ['calendar:event:create', 'calendar_event', 'create_event'],
  ['bank:money:transfer', 'payment', 'send_money'],
  ['iam:role:grant', 'user_account', 'grant_role'],
  ['shell:command:run', 'host', 'execute_bash'],
  ['db:prod:drop', 'database', 'drop_table'],
];

const COMMANDS = [
  'ls -la src',
  'git status',
  'npm test -- --watch=false',
  'rm -rf build',
  'curl -s https://example.org/health',
];
const QUERIES = [
  'SELECT id, name FROM orders WHERE id = 17',
  'SELECT count(*) FROM invoices',
  'UPDATE orders SET state = 2 WHERE id = 9',
];

/** Events without their ids; the load generator gives each request an id of its own. */
export function benchEvents(count = 1_000): Omit<AgentEvent, 'event_id'>[] {
  const random = seededNumbers(7);
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!;
  return Array.from({ length: count }, (_, i) => {
    const [action, resource_type, tool_name] = pick(WORK);
    const customer = Math.floor(random() * 5_000);
    return {
      action,
      timestamp: `2026-01-${String(1 + (i % 28)).padStart(2, '0')}T${String(i % 24).padStart(2, '0')}:15:00Z`,
      agent: {
        agent_id: `agent-${i % 40}`,
        agent_type: pick(['support', 'coding', 'finance']),
        framework: 'own',
        model: 'm-2',
      },
      session: { session_id: `session-${i % 200}`, user_id: 'sam@north.test', started_at: '2026-01-01T08:00:00Z' },
      target: { resource_type, resource_id: `${resource_type}-${customer}`, sensitivity_level: i % 5 },
      parameters: {
        id: customer,
        to: 'ana@north.test',
        subject: 'Your order',
        body: 'Dear Ana, your order is on its way and should arrive on Thursday. Please tell us if anything is missing.',
        ...(tool_name === 'execute_bash' ? { command: pick(COMMANDS) } : {}),
        ...(tool_name === 'query' ? { query: pick(QUERIES) } : {}),
        ...(tool_name === 'send_money' ? { recipient: 'DE89370400440532013000', amount: customer } : {}),
      },
      mcp_context: { server_name: 'office', server_id: 'office-1', transport: 'http', is_verified: true, tool_name },
      data_fields_accessed: ['order.id', 'order.state', { field: 'customer.email', classification: 'PII' }],
      preceding_actions: ['crm:contact:read', 'email:inbox:search'],
      user_context: 'Please tell Ana (ana@north.test) where her order is, and update the record when you have done so.',
    };
  });
}

/** So many agents with a session each: at some thousand events a second each acts every second or so, as agents do. */
const AGENTS = 2_000;

/** Events of those agents, `from` on; beyond the last agent the first one comes again. */
export function eventsOfAgents(count = AGENTS, from = 0): Omit<AgentEvent, 'event_id'>[] {
  return benchEvents(count).map((event, i) => {
    const n = (from + i) % AGENTS;
    return {
      ...event,
      agent: { ...event.agent, agent_id: `agent-${n}` },
      session: { ...event.session, session_id: `session-${n}` },
    };
  });
}
