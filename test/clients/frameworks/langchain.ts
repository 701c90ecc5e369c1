/** LangChain: `wrapToolCall` of a middleware. */
import { fakeModel } from '@langchain/core/testing';
import { AIMessage, createAgent, createMiddleware, ToolMessage, tool } from 'langchain';
import { z } from 'zod';
import type { Host } from '../frameworks.test.ts';

export const langChain: Host = async (client, guards, { user, calls, tools }) => {
  const model = fakeModel();
  for (const [n, { name, args }] of calls.entries()) model.respondWithTools([{ name, args, id: `c${n}` }]);
  model.respond(new AIMessage('Done.'));
  const agent = createAgent({
    model,
    tools: [
      tool(tools.read_file, {
        name: 'read_file',
        description: 'Reads a file.',
        schema: z.object({ path: z.string() }),
      }),
      tool(tools.transfer_money, {
        name: 'transfer_money',
        description: 'Transfers money.',
        schema: z.object({ recipient: z.string(), amount: z.number() }),
      }),
    ],
    middleware: [
      createMiddleware({
        name: 'weir',
        wrapToolCall: guards.langChainGuard(client, (told) => new ToolMessage(told)),
      }),
    ],
  });
  await agent.invoke({ messages: [{ role: 'user', content: user }] });
  return JSON.stringify(model.calls.at(-1)?.messages.map(({ content }) => content));
};
