/**
 * `node tools/bench/llm.ts`: whether events of which the rules are sure are served as usual while a thousand others wait for a
 * language model that never answers. Compares their latency with that beside the same thousand events without a model, in one run:
 * the ratio is what waiting costs, and not what a thousand events cost.
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startLlmServer } from '../../test/kits/llm/server.ts';
import { API_KEY, benchKey } from './http-cases.ts';
import { type ServerProcess, startServer } from './server-process.ts';

const UNSURE = 1_000;
const SURE = 400;
const ROUNDS = 3;

const unsure = (i: number): object => ({ action: 'zorg:blip:frobnicate', parameters: { i, at: performance.now() } });
const sure = (i: number): object => ({
  action: 'web:page:read',
  user_context: 'Read the page.',
  parameters: { page: i },
});

/** Milliseconds; null: refused, because too many wait. */
async function send({ url }: ServerProcess, event: object): Promise<number | null> {
  const began = performance.now();
  const response = await fetch(`${url}/events`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': API_KEY },
    body: JSON.stringify(event),
  });
  await response.text();
  if (response.status === 503 || response.status === 429) return null;
  if (response.status !== 200) throw new Error(`status ${response.status}`);
  return performance.now() - began;
}

interface Quantiles {
  p50: number;
  p99: number;
  /** Events, sure or not, that were refused because too many wait. */
  refused: number;
}

/** Latencies, in ms, of sure events sent in turn while the unsure ones are in progress. */
async function beside(server: ServerProcess): Promise<Quantiles> {
  const others = Promise.all(Array.from({ length: UNSURE }, (_, i) => send(server, unsure(i))));
  const sent: (number | null)[] = [];
  for (let i = 0; i < SURE; i += 1) sent.push(await send(server, sure(i)));
  const refused = [...sent, ...(await others)].filter((one) => one === null).length;
  const took = sent.filter((one) => one !== null).sort((a, b) => a - b);
  const at = (share: number): number => took[Math.floor(share * took.length)]!;
  return { p50: at(0.5), p99: at(0.99), refused };
}

function serverWith(env: Record<string, string>): Promise<ServerProcess> {
  const data = mkdtempSync(join(tmpdir(), 'weir-bench-'));
  const start = ['src/main.ts', 'serve', '--roles', 'api'];
  return startServer({ key: 'llm', name: 'Weir', start, env: { ...benchKey, DATA_DIR: data, ...env } });
}

const dead = await startLlmServer(() => ({}), 'slow');
const without = await serverWith({});
const waiting = await serverWith({
  LLM_PROVIDER: 'openai-compatible',
  LLM_MODEL: 'claude-stand-in',
  LLM_BASE_URL: dead.url,
  LLM_TIMEOUT_MS: '3000',
  LLM_CALLS_PER_HOUR: '0',
});
for (const server of [without, waiting]) for (let i = 0; i < SURE; i += 1) await send(server, sure(i));
for (let round = 1; round <= ROUNDS; round += 1) {
  const usual = await beside(without);
  const now = await beside(waiting);
  const ratio = (name: 'p50' | 'p99'): string =>
    `${name} ${now[name].toFixed(1)} ms against ${usual[name].toFixed(1)} ms (${(now[name] / usual[name]).toFixed(2)})`;
  console.log(
    `round ${round}, sure events beside ${UNSURE} unsure ones, dead model against none: ${ratio('p50')}, ${ratio('p99')}, refused ${now.refused} against ${usual.refused}`,
  );
}
await Promise.all([without.stop(), waiting.stop(), dead.stop()]);
