/**
 * The providers of language models, as rows. Each names its SDK, which is loaded when it is first needed, and how to ask whether the
 * model is there without paying for an answer.
 */
import type { LanguageModel } from 'ai';
import { withoutEnd } from '../lang/ends.ts';

export const providerNames = ['anthropic', 'openai', 'openai-compatible'] as const;
export type ProviderName = (typeof providerNames)[number];

/** Where and as whom a model is called. */
export interface Access {
  model: string;
  /** Null: the server wants none, as local ones do. */
  api_key: string | null;
  /** Null: the provider's own address. */
  base_url: string | null;
}

export interface Provider {
  /** The model, called through this `fetch`. */
  model(access: Access, fetch: typeof globalThis.fetch): Promise<LanguageModel>;
  /** A request that is answered with 200 when the key is valid and the model is there, or lists models. */
  lookUp(access: Access): { url: string; headers: Record<string, string>; is_list: boolean };
}

/** Addresses of the providers. Given to the SDKs too, because they would take another one from the environment. */
const ANTHROPIC_URL = 'https://api.anthropic.com/v1';
const OPENAI_URL = 'https://api.openai.com/v1';

const url = (base: string, path: string): string => `${withoutEnd(base, /\//)}${path}`;
const bearer = (api_key: string | null): Record<string, string> =>
  api_key === null ? {} : { authorization: `Bearer ${api_key}` };

export const providers: Readonly<Record<ProviderName, Provider>> = {
  anthropic: {
    async model({ model, api_key, base_url }, fetch) {
      const { createAnthropic } = await import('@ai-sdk/anthropic');
      // Without a key the SDK would look for one in the environment.
      return createAnthropic({ apiKey: api_key ?? '', baseURL: base_url ?? ANTHROPIC_URL, fetch })(model);
    },
    lookUp: ({ model, api_key, base_url }) => ({
      url: url(base_url ?? ANTHROPIC_URL, `/models/${encodeURIComponent(model)}`),
      headers: { 'anthropic-version': '2023-06-01', ...(api_key !== null && { 'x-api-key': api_key }) },
      is_list: false,
    }),
  },
  openai: {
    async model({ model, api_key, base_url }, fetch) {
      const { createOpenAI } = await import('@ai-sdk/openai');
      return createOpenAI({ apiKey: api_key ?? '', baseURL: base_url ?? OPENAI_URL, fetch })(model);
    },
    lookUp: ({ model, api_key, base_url }) => ({
      url: url(base_url ?? OPENAI_URL, `/models/${encodeURIComponent(model)}`),
      headers: bearer(api_key),
      is_list: false,
    }),
  },
  'openai-compatible': {
    async model({ model, api_key, base_url }, fetch) {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      const key = api_key === null ? {} : { apiKey: api_key };
      // vLLM, Ollama and LiteLLM take a JSON schema in `response_format`.
      const options = { name: 'llm', baseURL: base_url ?? '', supportsStructuredOutputs: true, fetch, ...key };
      return createOpenAICompatible(options)(model);
    },
    // Not every such server has a page for one model.
    lookUp: ({ api_key, base_url }) => ({
      url: url(base_url ?? '', '/models'),
      headers: bearer(api_key),
      is_list: true,
    }),
  },
};
