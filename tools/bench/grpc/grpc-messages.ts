/** The made-up events as gRPC contexts. */
import { type ActionContext, DataClassification, MCPTransport } from '../../../src/doors/grpc/messages/messages.ts';
import type { AgentEvent } from '../../../src/events/event.ts';

export function contextOf(event: Omit<AgentEvent, 'event_id'>): ActionContext {
  const { data_fields_accessed, parameters, ...same } = event;
  // Fields that are left out are encoded as not there, which is what the type calls their defaults.
  return {
    ...same,
    mcp_context: { ...event.mcp_context, transport: MCPTransport.HTTP },
    parameters: Buffer.from(JSON.stringify(parameters)),
    data_fields: data_fields_accessed?.map((one) =>
      typeof one === 'string' ? { field: one } : { field: one.field, classification: DataClassification.PII },
    ),
  } as unknown as ActionContext;
}
