/** Whether the provider answers, takes the key and has the model, asked without paying for an answer. */
import type { Clock } from '../platform/clock.ts';
import { boundedFetch, nothingSeen } from './bounded-fetch.ts';
import { type Access, type ProviderName, providers } from './providers.ts';

export interface LlmHealth {
  status: 'ok' | 'error';
  model: string;
}

/** Never rejects, and answers within about a second. */
export type CheckLlm = () => Promise<LlmHealth>;

const TIMEOUT_MS = 1_000;
/** The endpoint is public: its callers must not use up the provider's rate limit. */
const KEPT_MS = 10_000;
/** Of a list of models; some gateways offer hundreds. */
const MAX_LIST_BYTES = 2 ** 20;

export function createCheckLlm(name: ProviderName, access: Access, clock: Clock): CheckLlm {
  let last: { at: number; found: Promise<boolean> } | null = null;
  return async () => {
    if (last === null || clock.ticks() - last.at > KEPT_MS)
      last = { at: clock.ticks(), found: look(name, access).catch(() => false) };
    return { status: (await last.found) ? 'ok' : 'error', model: access.model };
  };
}

async function look(name: ProviderName, access: Access): Promise<boolean> {
  const { url, headers, is_list } = providers[name].lookUp(access);
  const fetch = boundedFetch(nothingSeen(), MAX_LIST_BYTES);
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
  const text = await response.text();
  // A server without a list of models is there, and more cannot be told.
  if (is_list && (response.status === 404 || response.status === 405)) return true;
  return response.ok && (!is_list || hasModel(text, access.model));
}

/** Ollama lists `name:tag`. */
function hasModel(text: string, model: string): boolean {
  const { data } = JSON.parse(text) as { data?: { id?: unknown }[] };
  return (data ?? []).some(({ id }) => id === model || (typeof id === 'string' && id.startsWith(`${model}:`)));
}
