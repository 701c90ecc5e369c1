/**
 * A tool-calling agent in plain TypeScript, with one line more than usual: before a tool runs, the gate is asked. What is
 * refused does not run, and the model reads why.
 */
import { randomUUID } from 'node:crypto';
import type { Asking, Gate, Verdict } from '../gate.ts';
import type { Message, Model, ToolCall } from './model.ts';
import { asAction, type Tools } from './tools.ts';

export interface Run {
  task: string;
  model: Model;
  tools: Tools;
  gate: Gate;
  agent_id: string;
  /** What happens, for whoever watches. */
  onStep?: (call: ToolCall, verdict: Verdict) => void;
  onHeld?: (call: ToolCall, held: Parameters<NonNullable<Asking['onHeld']>>[0]) => void;
}

export interface Ended {
  messages: Message[];
  /** `stopped`: too much was refused, or the model did not come to an end. */
  outcome: 'done' | 'stopped';
}

const MAX_STEPS = 20;
/** An agent that is told no again and again is looking for another way. */
const MAX_REFUSED = 3;

export async function runAgent(run: Run): Promise<Ended> {
  const { task, model, tools, gate, agent_id } = run;
  const session = { session_id: randomUUID() };
  const list = await tools.list();
  const messages: Message[] = [{ role: 'user', content: task }];
  let refused = 0;
  for (let step = 0; step < MAX_STEPS && refused < MAX_REFUSED; step += 1) {
    const turn = await model(messages, list);
    const before = [...messages];
    messages.push({ role: 'assistant', ...turn });
    if (turn.tool_calls.length === 0) return { messages, outcome: 'done' };
    for (const call of turn.tool_calls) {
      const event = {
        ...asAction(call),
        agent: { agent_id },
        session,
        user_context: task,
        // With what tools answered before: a call that says what a file said, and not the user, is what Weir looks for.
        conversation_history: before,
      };
      const verdict = await gate.ask(event, { onHeld: (held) => run.onHeld?.(call, held) });
      run.onStep?.(call, verdict);
      if (!verdict.is_allowed) refused += 1;
      const content = verdict.is_allowed ? await tools.run(call) : verdict.text;
      messages.push({ role: 'tool', tool_call_id: call.id, name: call.name, content });
    }
  }
  return { messages, outcome: 'stopped' };
}
