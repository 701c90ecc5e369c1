/** One call of a host's tool → allow, ask or deny, with the reason that the user and the model read. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '../../../clients/typescript/src/client.ts';
import { type Conversation, conversationOf } from '../../../clients/typescript/src/conversation.ts';
import { fileStore } from '../../../clients/typescript/src/file-store.ts';
import { toolAction } from '../../../clients/typescript/src/tool-action.ts';
import type { Event, Verdict } from '../../../clients/typescript/src/types.ts';
import { eventId } from './event-id.ts';
import type { Decision, HookCall } from './host.ts';
import { localFetch } from './local-fetch.ts';
import { type HookOptions, URL_SETTING } from './options.ts';
import { messagesIn } from './transcript.ts';

export interface Judgement {
  decision: Decision;
  reason: string;
}

export async function judge(call: HookCall, host: string, options: HookOptions): Promise<Judgement> {
  const { url, api_key, state_dir, wait_s, patience_ms } = options;
  const client = createClient({
    url,
    url_setting: URL_SETTING,
    api_key,
    wait_s,
    patience_ms,
    fetch: localFetch,
    newId: eventId,
    store: fileStore(join(state_dir, 'holds')),
    ...(options.agent_token !== null && { agent_token: options.agent_token }),
  });
  return judgementOn(await client.gate(eventOf(call, host, options)), options);
}

function eventOf(call: HookCall, host: string, { agent_id, state_dir }: HookOptions): Event {
  const { tool, args, server, session_id, transcript_path, cwd, user_id } = call;
  const { event } = toolAction({ tool, args, ...(server !== undefined && { server }) });
  const messages = transcript_path === undefined ? [] : messagesIn(transcript_path);
  const prompt = messages.length > 0 ? null : promptOf(state_dir, session_id);
  return {
    ...(event as unknown as Event),
    ...withoutOpenCalls(conversationOf(prompt === null ? messages : [{ role: 'user', content: prompt }])),
    agent: { agent_id: agent_id ?? host, agent_type: 'coding', framework: host },
    session: { session_id, ...(user_id !== undefined && { user_id }) },
    ...(cwd !== undefined && { metadata: { cwd } }),
  };
}

/** Hosts write a call into the transcript before they ask about it: it is not a call that was made. */
function withoutOpenCalls({ conversation_history: history = [], ...rest }: Conversation): Conversation {
  const last = history.findLastIndex(({ role }) => role !== 'assistant');
  const told = history.filter(({ tool_calls }, index) => index <= last || tool_calls === undefined);
  return { ...rest, ...(told.length > 0 && { conversation_history: told }) };
}

/** `held` asks where the host can, because its user is a person; a critical action is refused until somebody decides in Weir. */
function judgementOn(verdict: Verdict, { unreachable, held }: HookOptions): Judgement {
  if (verdict.is_allowed) return { decision: 'allow', reason: '' };
  const reason = `Weir: ${verdict.text}`;
  if (verdict.why === 'unavailable') return { decision: unreachable, reason };
  const may_ask = verdict.why === 'undecided' && verdict.risk_level !== 'critical';
  // The user of the host decides at once, and has no use for what the model should do next.
  if (may_ask && held === 'ask')
    return { decision: 'ask', reason: `Weir: ${verdict.reasoning} (event ${verdict.event_id})` };
  return { decision: 'deny', reason };
}

/** What the user asked for, of hosts that say it in a message of its own and not in a transcript. */
export function keepPrompt(state_dir: string, session_id: string, prompt: string): void {
  mkdirSync(join(state_dir, 'prompts'), { recursive: true, mode: 0o700 });
  writeFileSync(promptFile(state_dir, session_id), prompt, { mode: 0o600 });
}

function promptOf(state_dir: string, session_id: string): string | null {
  try {
    return readFileSync(promptFile(state_dir, session_id), 'utf8');
  } catch {
    return null;
  }
}

const promptFile = (state_dir: string, session_id: string): string =>
  join(state_dir, 'prompts', session_id.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 128));
