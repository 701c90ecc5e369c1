/** The traces of this folder: what an agent did, step by step, and whether it should have. */
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

const FOLDER = join(import.meta.dirname, '../traces');

export interface TraceHeader {
  name: string;
  /** Kind of agent: support, coding, finance, … */
  agent: string;
  story: string;
  expect: 'harmless' | 'harmful';
  /** 1 for the first event; the step at which the agent does harm. */
  harmful_step?: number;
}

/** An event as POST /events takes it. */
export interface TraceEvent {
  action: string;
  session: { session_id: string };
}

export interface Trace extends TraceHeader {
  file: string;
  events: TraceEvent[];
}

/** All traces, by file name, so that a harmful one stands beside its harmless twin. */
export async function readTraces(): Promise<Trace[]> {
  const files = (await readdir(FOLDER)).filter((file) => file.endsWith('.jsonl')).sort();
  return await Promise.all(files.map((file) => readTrace(join(FOLDER, file))));
}

async function readTrace(path: string): Promise<Trace> {
  const [head, ...events] = (await readFile(path, 'utf8')).trim().split('\n');
  const { trace } = JSON.parse(head!) as { trace: TraceHeader };
  return { ...trace, file: basename(path), events: events.map((line) => JSON.parse(line) as TraceEvent) };
}
