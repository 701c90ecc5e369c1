/**
 * `npm run demo`: plays the traces of this folder through the API, step by step, as an agent's host would.
 *
 * WEIR_URL (default http://127.0.0.1:8000) and WEIR_API_KEY name a running server; without one, the demo starts its own
 * with a temporary directory and stops it at the end. Ends with 1 when a trace does not come out as its header says.
 */
import { newId } from '../src/platform/ids.ts';
import { stopBeforeEnd } from '../tools/kept/kept-process.ts';
import { findServer, type Server } from './demo/server.ts';
import { isAsExpected, type Played, type Result, showStep, showSummary, showTrace } from './demo/show.ts';
import { readTraces, type Trace, type TraceEvent } from './demo/traces.ts';

const say = (text: string): void => console.log(text);

async function scoreEvent({ url, api_key }: Server, event: TraceEvent): Promise<Result> {
  const response = await fetch(`${url}/events`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': api_key },
    body: JSON.stringify(event),
  });
  if (!response.ok) throw new Error(`POST ${url}/events answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Result;
}

async function play(server: Server, trace: Trace, run: string): Promise<Played> {
  say(showTrace(trace));
  const scores: number[] = [];
  for (const [i, event] of trace.events.entries()) {
    // A session of its own for each run: what an earlier run did is not this agent's past.
    const session = { ...event.session, session_id: `${event.session.session_id}-${run}` };
    const result = await scoreEvent(server, { ...event, session });
    scores.push(result.score);
    say(showStep(i + 1, event.action, result));
  }
  return { trace, scores };
}

let server: Server | null = null;
stopBeforeEnd(async () => void (await server?.stop()));
const traces = await readTraces();
server = await findServer(process.env, say);
try {
  say(`Playing ${traces.length} traces on ${server.url}.`);
  const run = newId().slice(-8);
  const played: Played[] = [];
  for (const trace of traces) played.push(await play(server, trace, run));
  say(showSummary(played));
  process.exitCode = played.every(isAsExpected) ? 0 : 1;
} catch (error) {
  console.error(`demo: ${(error as Error).message}`);
  process.exitCode = 1;
} finally {
  await server.stop();
}
