/** AI SDK: `toolApproval`, with and without a stream. */
import { generateText, isStepCount, streamText, tool } from 'ai';
import { MockLanguageModelV4, simulateReadableStream } from 'ai/test';
import { z } from 'zod';
import type { Host } from '../frameworks.test.ts';

type Generated = Awaited<ReturnType<MockLanguageModelV4['doGenerate']>>;
type Streamed =
  Awaited<ReturnType<MockLanguageModelV4['doStream']>>['stream'] extends ReadableStream<infer Part> ? Part : never;

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

const aiSdk =
  (is_streamed: boolean): Host =>
  async (client, guards, { user, calls, tools }) => {
    const contents: Generated['content'][] = [
      ...calls.map(({ name, args }, n): Generated['content'] => [
        { type: 'tool-call', toolCallId: `c${n}`, toolName: name, input: JSON.stringify(args) },
      ]),
      [{ type: 'text', text: 'Done.' }],
    ];
    const finishReason = (at: number) => ({
      unified: at < calls.length ? ('tool-calls' as const) : ('stop' as const),
      raw: undefined,
    });
    const model = new MockLanguageModelV4({
      doGenerate: contents.map((content, at) => ({
        content,
        finishReason: finishReason(at),
        usage,
        warnings: [],
      })),
      doStream: contents.map((content, at) => ({
        stream: simulateReadableStream<Streamed>({
          chunks: [
            { type: 'stream-start', warnings: [] },
            ...content.flatMap((part): Streamed[] =>
              part.type === 'text'
                ? [
                    { type: 'text-start', id: 't' },
                    { type: 'text-delta', id: 't', delta: part.text },
                    { type: 'text-end', id: 't' },
                  ]
                : part.type === 'tool-call'
                  ? [part]
                  : [],
            ),
            { type: 'finish', finishReason: finishReason(at), usage },
          ],
        }),
      })),
    });
    const settings = {
      model,
      prompt: user,
      stopWhen: isStepCount(calls.length + 1),
      toolApproval: guards.aiSdkGuard(client),
      tools: {
        read_file: tool({ inputSchema: z.object({ path: z.string() }), execute: tools.read_file }),
        transfer_money: tool({
          inputSchema: z.object({ recipient: z.string(), amount: z.number() }),
          execute: tools.transfer_money,
        }),
      },
    };
    if (is_streamed) await streamText(settings).consumeStream();
    else await generateText(settings);
    const seen = is_streamed ? model.doStreamCalls : model.doGenerateCalls;
    return JSON.stringify(seen.at(-1)?.prompt);
  };

export const aiSdkText = aiSdk(false);
export const aiSdkStream = aiSdk(true);
