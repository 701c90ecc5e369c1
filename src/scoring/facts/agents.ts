/** Facts about other parties: agents that are started or asked, and the tool server that the call goes through. */
import { imitatedServer, rightfulServer } from '../read/action/naming/mcp.ts';
import {
  delegateCount,
  delegateMayDelegate,
  delegationDepth,
  excessRights,
  targetsItself,
} from '../read/action/subagents.ts';
import type { FactRow } from './fact-row.ts';

export const AGENT_FACTS: readonly FactRow[] = [
  {
    name: 'delegation_depth',
    type: 'int',
    about: 'Largest depth of delegation that the parameters name.',
    since: '0.1.0',
    is_public: true,
    of: (r) => delegationDepth(r.event, r.ontology),
  },
  {
    name: 'delegate_count',
    type: 'int',
    about: 'Number of agents that the parameters name or list.',
    since: '0.1.0',
    is_public: true,
    of: (r) => delegateCount(r.event, r.ontology),
  },
  {
    name: 'delegate_may_delegate',
    type: 'bool',
    about: 'The agent that is started may start agents itself.',
    since: '0.1.0',
    is_public: true,
    of: (r) => delegateMayDelegate(r.event, r.ontology),
  },
  {
    name: 'excess_rights',
    type: 'list<string>',
    about: 'Rights handed over that exceed what the policy allows or have no limit.',
    since: '0.1.0',
    is_public: true,
    of: (r) => excessRights(r.event, r.ontology, r.evidence.policy),
  },
  {
    name: 'targets_itself',
    type: 'bool',
    about: 'The agent acts on itself.',
    since: '0.1.0',
    is_public: true,
    of: (r) => targetsItself(r.event, r.ontology),
  },
  // The tool server
  {
    name: 'has_mcp_server',
    type: 'bool',
    about: 'The call goes through an MCP server.',
    since: '0.1.0',
    is_public: true,
    of: (r) => r.event.mcp_context !== undefined,
  },
  {
    name: 'server_is_unverified',
    type: 'bool',
    about: 'The MCP server is declared not verified.',
    since: '0.1.0',
    relief: 'reducers',
    is_public: true,
    of: (r) => r.event.mcp_context?.is_verified === false,
  },
  {
    name: 'imitated_server',
    type: 'string',
    about: 'Known tool server whose name this one imitates; empty if there is none.',
    since: '0.1.0',
    is_public: true,
    of: (r) => imitatedServer(r.event, r.ontology),
  },
  {
    name: 'rightful_server',
    type: 'string',
    about: 'Only known server of this tool, if the call goes through another; empty otherwise.',
    since: '0.1.0',
    is_public: true,
    of: (r) => rightfulServer(r.event, r.ontology),
  },
  {
    name: 'description_order',
    type: 'string',
    about:
      'Sentence in the description of the tool that steers the agent beyond the use of the tool; empty if there is none.',
    since: '0.2.0',
    is_public: true,
    is_from_text: true,
    of: (r) => r.description_order.excerpt,
  },
  {
    name: 'description_order_kind',
    type: 'string',
    about: 'How that sentence betrays itself: steers, credentials or hidden; empty without one.',
    since: '0.2.0',
    is_public: true,
    is_from_text: true,
    of: (r) => r.description_order.kind,
  },
];
