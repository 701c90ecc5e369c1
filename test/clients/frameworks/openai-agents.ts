/** OpenAI Agents SDK: `inputGuardrails` of a tool. */
import { Agent, run, setTracingDisabled, tool } from '@openai/agents';
import { assistantMessage, functionCall, ScriptedModel } from '@openai/agents/testing';
import { z } from 'zod';
import type { Host } from '../frameworks.test.ts';

setTracingDisabled(true);

export const openAiAgents: Host = async (client, guards, { user, calls, tools }) => {
  const model = new ScriptedModel([
    ...calls.map(({ name, args }, n) => [functionCall(name, args, { callId: `c${n}` })]),
    [assistantMessage('Done.')],
  ]);
  let seen: readonly unknown[] = [];
  const inputGuardrails = [guards.openAiGuard(client, () => seen)];
  const agent = new Agent({
    name: 'assistant',
    model,
    tools: [
      tool({
        name: 'read_file',
        description: 'Reads a file.',
        parameters: z.object({ path: z.string() }),
        execute: tools.read_file,
        inputGuardrails,
      }),
      tool({
        name: 'transfer_money',
        description: 'Transfers money.',
        parameters: z.object({ recipient: z.string(), amount: z.number() }),
        execute: tools.transfer_money,
        inputGuardrails,
      }),
    ],
  });
  await run(agent, user, {
    callModelInputFilter: ({ modelData }) => {
      seen = modelData.input;
      return modelData;
    },
  });
  return JSON.stringify(model.lastCall?.request.input);
};
