/**
 * One call of a language model: one function, one deadline. The libraries' own retries are off: they wait two seconds first, sleep
 * through aborts, and report an abort instead of the cause.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { JSONSchema7 } from 'ai';
import type { JsonObject } from '../lang/json.ts';
import { boundedFetch, nothingSeen, type Seen } from './bounded-fetch.ts';
import { type Access, type Provider, type ProviderName, providers } from './providers.ts';
import { LlmTrouble, NO_USAGE, type Usage } from './trouble.ts';

export interface Question<T> {
  /** Text of ours: what is to be done. */
  instructions: string;
  /** What it is to be done with; may hold text of anybody. */
  data: string;
  /** JSON Schema of the answer, sent to the provider. Not every provider keeps to it. */
  schema: { name: string; json: JsonObject };
  /** The value of an answer; null for one that is not of the schema. */
  read: (answer: unknown) => T | null;
  /** Of the answer, reasoning included. */
  max_output_tokens: number;
}

export interface Answer<T> {
  value: T;
  usage: Usage;
}

/**
 * Answers before `deadline_ms` from now are over, or rejects with `LlmTrouble`. Rejects with `LlmAbandoned` once `unwanted` is
 * aborted; the connection to the provider is then closed.
 */
export type Ask = <T>(question: Question<T>, deadline_ms: number, unwanted?: AbortSignal) => Promise<Answer<T>>;

/** Nobody waits for the answer any more. No failure of the provider. */
export class LlmAbandoned extends Error {
  override name = 'LlmAbandoned';
}

const NEVER = new AbortController().signal;

/** Before the second try, where the provider does not say how long to wait. */
const PAUSE_MS = 200;
/** A try with less time left has hardly a chance. */
const LEAST_MS = 100;

export function createAsk(name: ProviderName, access: Access): Ask {
  return async (question, deadline_ms, unwanted = NEVER) => {
    const end = performance.now() + deadline_ms;
    const left = (): number => Math.floor(end - performance.now());
    try {
      return await askOnce(providers[name], access, question, left(), unwanted);
    } catch (error) {
      if (!(error instanceof LlmTrouble)) throw error;
      const trouble = error;
      const wait = trouble.retry_after_ms ?? PAUSE_MS;
      if (!trouble.may_pass || wait + LEAST_MS > left()) throw trouble;
      await pause(wait, undefined, { signal: unwanted }).catch(() => {});
      return await askOnce(providers[name], access, question, left(), unwanted);
    }
  };
}

/** Rejects with `LlmTrouble` or `LlmAbandoned` only. */
async function askOnce<T>(
  provider: Provider,
  access: Access,
  question: Question<T>,
  left_ms: number,
  unwanted: AbortSignal,
): Promise<Answer<T>> {
  if (unwanted.aborted) throw new LlmAbandoned();
  if (left_ms <= 0) throw late();
  const seen = nothingSeen();
  const signal = AbortSignal.any([AbortSignal.timeout(left_ms), unwanted]);
  try {
    return await Promise.race([generate(provider, access, question, seen, signal), aborted(signal)]);
  } catch (error) {
    if (unwanted.aborted) throw new LlmAbandoned();
    throw signal.aborted ? late() : await sorted(error, seen);
  }
}

async function generate<T>(
  provider: Provider,
  access: Access,
  { instructions, data, schema, read, max_output_tokens }: Question<T>,
  seen: Seen,
  signal: AbortSignal,
): Promise<Answer<T>> {
  const { generateText, jsonSchema, Output } = await loadAi();
  const answer = await generateText({
    model: await provider.model(access, boundedFetch(seen)),
    instructions,
    prompt: data,
    output: Output.object({ schema: jsonSchema(schema.json as JSONSchema7), name: schema.name }),
    maxRetries: 0,
    maxOutputTokens: max_output_tokens,
    abortSignal: signal,
    // The Responses API would keep question and answer.
    providerOptions: { openai: { store: false } },
  });
  const usage = usageOf(answer.totalUsage);
  if (answer.finishReason === 'content-filter') throw declined(seen, usage);
  // A server in between may answer with what it was sent.
  if (access.api_key !== null && answer.text.includes(access.api_key))
    throw malformed('the answer holds the key', seen, usage);
  const value = read(answer.output);
  if (value === null) throw malformed('the answer is not of the schema', seen, usage);
  return { value, usage };
}

/** Loaded once it is needed: it takes 0.2 s. */
async function loadAi(): Promise<typeof import('ai')> {
  const ai = await import('ai');
  // Its warnings would go to the console past our log.
  globalThis.AI_SDK_LOG_WARNINGS = false;
  return ai;
}

/** Rejects when the signal aborts: a library that is stuck in something else would not notice. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}

const late = (): LlmTrouble => new LlmTrouble('late', 'no answer before the deadline');
const malformed = (what: string, { status }: Seen, usage: Usage = NO_USAGE): LlmTrouble =>
  new LlmTrouble('malformed', what, { status, usage, is_of_content: true });

const declined = ({ status }: Seen, usage: Usage): LlmTrouble =>
  new LlmTrouble('refused', 'the model declines', { status, usage, is_of_content: true });

function usageOf(usage: { inputTokens?: number | undefined; outputTokens?: number | undefined }): Usage {
  return { input_tokens: usage.inputTokens ?? 0, output_tokens: usage.outputTokens ?? 0 };
}

const BUSY = [429, 503, 529];
const OVERDUE = [408, 504, 524];

/** By what was seen on the wire first: errors of the libraries differ between providers and versions. */
async function sorted(error: unknown, seen: Seen): Promise<LlmTrouble> {
  if (error instanceof LlmTrouble) return error;
  const { status, retry_after_ms, cut } = seen;
  if (cut === 'redirect') return new LlmTrouble('broken', `a redirect (${status})`, { status });
  if (cut === 'too_long') return malformed('the answer is too long', seen);
  if (status === null) return new LlmTrouble('broken', 'no connection');
  if (BUSY.includes(status)) return new LlmTrouble('busy', `status ${status}`, { status, retry_after_ms });
  if (OVERDUE.includes(status)) return new LlmTrouble('late', `status ${status}`, { status });
  if (status >= 500) return new LlmTrouble('broken', `status ${status}`, { status, retry_after_ms });
  // 400 and 422 may be the question's fault; 401, 403, 404 concern every question.
  if (status >= 400) {
    const is_of_content = status === 400 || status === 413 || status === 422;
    return new LlmTrouble('refused', `status ${status}`, { status, is_of_content });
  }
  return sortedAnswer(error, seen);
}

/** An answer with status 200 that has no value of the schema. */
async function sortedAnswer(error: unknown, seen: Seen): Promise<LlmTrouble> {
  const { NoObjectGeneratedError, NoOutputGeneratedError } = await loadAi();
  if (NoObjectGeneratedError.isInstance(error)) {
    const usage = error.usage === undefined ? NO_USAGE : usageOf(error.usage);
    if (error.finishReason === 'content-filter' || hasRefusal(error.response?.body)) return declined(seen, usage);
    return malformed('the answer is not of the schema', seen, usage);
  }
  if (NoOutputGeneratedError.isInstance(error)) return malformed('the answer is empty', seen);
  // The rest of the body never came.
  if (hasCause(error, (cause) => cause instanceof TypeError && cause.message === 'terminated'))
    return new LlmTrouble('broken', 'the answer breaks off');
  return malformed('the answer cannot be read', seen);
}

/** OpenAI's formats have a field for it. */
const hasRefusal = (body: unknown): boolean => /"refusal":\s*"|"type":\s*"refusal"/.test(JSON.stringify(body) ?? '');

function hasCause(error: unknown, is: (cause: unknown) => boolean): boolean {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth += 1)
    if (is(cause)) return true;
  return false;
}
