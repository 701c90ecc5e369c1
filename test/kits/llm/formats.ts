/** The wire formats of the providers: how a request names its parts, and how an answer with a text looks. */

/** What a stand-in reads of a request, whatever its format. */
export interface Asked {
  format: 'anthropic' | 'responses' | 'chat';
  model: string;
  instructions: string;
  data: string;
  /** Name of the schema, where the format has one. */
  schema: Record<string, unknown>;
  has_tools: boolean;
  /** Credentials as sent. */
  key: string;
}

type Json = Record<string, unknown>;

const textOf = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : ((content as { text?: string }[] | undefined) ?? []).map(({ text = '' }) => text).join('');

/** Reads a request by its path; null for a path that no format has. */
export function readAsked(path: string, headers: Record<string, unknown>, body: Json): Asked | null {
  const model = String(body['model']);
  const key = String(headers['x-api-key'] ?? headers['authorization'] ?? '').replace(/^Bearer /, '');
  const has_tools = ((body['tools'] as unknown[] | undefined) ?? []).length > 0;
  const message = (list: unknown, ...roles: string[]): string =>
    (list as { role: string; content: unknown }[])
      .filter(({ role }) => roles.includes(role))
      .map(({ content }) => textOf(content))
      .join('\n');
  if (path.endsWith('/messages')) {
    const schema = (body['output_config'] as { format: { schema: Json } } | undefined)?.format.schema ?? {};
    const instructions = textOf(body['system']);
    const data = message(body['messages'], 'user');
    return { format: 'anthropic', model, key, has_tools, schema, instructions, data };
  }
  if (path.endsWith('/responses')) {
    const schema = (body['text'] as { format: { schema: Json } }).format.schema;
    const instructions = message(body['input'], 'developer', 'system');
    return { format: 'responses', model, key, has_tools, schema, instructions, data: message(body['input'], 'user') };
  }
  if (path.endsWith('/chat/completions')) {
    const format = body['response_format'] as { json_schema?: { schema: Json } };
    const instructions = message(body['messages'], 'system');
    const data = message(body['messages'], 'user');
    return { format: 'chat', model, key, has_tools, schema: format.json_schema?.schema ?? {}, instructions, data };
  }
  return null;
}

/** Tokens that every answer of a stand-in reports. */
export const TOKENS = { input: 1_200, output: 60 };

/** An answer with this text, or one in which the model declines. */
export function answerBody(format: Asked['format'], model: string, text: string, is_refusal = false): string {
  const { input, output } = TOKENS;
  switch (format) {
    case 'anthropic':
      return JSON.stringify({
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model,
        content: is_refusal ? [] : [{ type: 'text', text }],
        stop_reason: is_refusal ? 'refusal' : 'end_turn',
        stop_sequence: null,
        usage: { input_tokens: input, output_tokens: output },
      });
    case 'responses':
      return JSON.stringify({
        id: 'resp_1',
        object: 'response',
        created_at: 1_760_000_000,
        status: 'completed',
        model,
        output: [
          {
            type: 'message',
            id: 'item_1',
            status: 'completed',
            role: 'assistant',
            content: [is_refusal ? { type: 'refusal', refusal: text } : { type: 'output_text', text, annotations: [] }],
          },
        ],
        usage: { input_tokens: input, output_tokens: output, total_tokens: input + output },
      });
    case 'chat':
      return JSON.stringify({
        id: 'chat-1',
        object: 'chat.completion',
        created: 1_760_000_000,
        model,
        choices: [
          {
            index: 0,
            finish_reason: 'stop',
            message: { role: 'assistant', content: is_refusal ? null : text, ...(is_refusal && { refusal: text }) },
          },
        ],
        usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
      });
  }
}
