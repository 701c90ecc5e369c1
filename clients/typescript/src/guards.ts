/** `weir-client/guards`: one function for each agent framework. None is imported; each guard returns what its framework takes. */
import { conversationOf } from './conversation.ts';
import { toolAction } from './tool-action.ts';
import type { Client, Event, Verdict } from './types.ts';

/** What you know about every call: agent, session, `mcp_context.is_verified`. */
export type Known = Omit<Partial<Event>, 'action' | 'parameters'>;

/** Asks about one tool call. `messages` is the conversation so far, with the results of tools. */
export function ask(
  client: Client,
  tool: string,
  args: unknown,
  messages: readonly unknown[],
  known: Known = {},
): Promise<Verdict> {
  const { event } = toolAction({ tool, args: objectOf(args) });
  const mcp_context = { ...event.mcp_context, ...known.mcp_context };
  return client.gate({ ...conversationOf(messages), ...known, ...event, mcp_context });
}

/** AI SDK 7: `generateText({ …, toolApproval: aiSdkGuard(client) })`, and the same for `streamText` and agents. */
export function aiSdkGuard(client: Client, known?: Known) {
  return async ({
    toolCall,
    messages,
  }: {
    toolCall: { toolName: string; input: unknown };
    messages: readonly unknown[];
  }) => {
    const verdict = await ask(client, toolCall.toolName, toolCall.input, messages, known);
    // `undefined` leaves a tool's own `needsApproval` in force.
    return verdict.is_allowed ? undefined : { type: 'denied' as const, reason: verdict.text };
  };
}

/**
 * OpenAI Agents SDK: `tool({ …, inputGuardrails: [openAiGuard(client, () => seen)] })`. The agent goes on with the reason. The SDK
 * tells a guardrail nothing of the conversation: keep it with `run(agent, input, { callModelInputFilter: ({ modelData }) => {
 * seen = modelData.input; return modelData; } })`. Each run has its own `seen`.
 */
export function openAiGuard(client: Client, messages: () => readonly unknown[] = () => [], known?: Known) {
  const run = async ({ toolCall }: { toolCall: { name: string; arguments: string } }) => {
    const verdict = await ask(client, toolCall.name, toolCall.arguments, messages(), known);
    const { is_allowed, event_id } = verdict;
    if (is_allowed) return { behavior: { type: 'allow' as const }, outputInfo: { event_id } };
    return { behavior: { type: 'rejectContent' as const, message: verdict.text }, outputInfo: { event_id } };
  };
  return { name: 'weir', run };
}

/** LangChain 1: `createMiddleware({ name: 'weir', wrapToolCall: langChainGuard(client, (told) => new ToolMessage(told)) })`. */
export function langChainGuard<Message>(client: Client, refuse: (told: Refusal) => Message, known?: Known) {
  return async <Request extends LangChainRequest, Result>(
    request: Request,
    handler: (request: Request) => Result | Promise<Result>,
  ): Promise<Result | Message> => {
    const { toolCall, state } = request;
    const verdict = await ask(client, toolCall.name, toolCall.args, state.messages ?? [], known);
    if (verdict.is_allowed) return handler(request);
    return refuse({ content: verdict.text, tool_call_id: toolCall.id ?? '', name: toolCall.name, status: 'error' });
  };
}

interface LangChainRequest {
  toolCall: { name: string; args: unknown; id?: string };
  state: { messages?: readonly unknown[] };
}

/** The fields of LangChain's `ToolMessage` for a call that was refused. */
export interface Refusal {
  content: string;
  tool_call_id: string;
  name: string;
  status: 'error';
}

/** Arguments as an object; JSON in a text is parsed, anything else becomes the one parameter `input`. */
function objectOf(args: unknown): Record<string, unknown> {
  if (typeof args === 'string') {
    try {
      const parsed: unknown = JSON.parse(args);
      if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed))
        return parsed as Record<string, unknown>;
    } catch {
      // Not JSON: kept as it is.
    }
    return { input: args };
  }
  if (typeof args === 'object' && args !== null && !Array.isArray(args)) return args as Record<string, unknown>;
  return args === undefined || args === null ? {} : { input: args };
}
