/**
 * How long each reader takes for texts that repeat its delimiters, letters and first words: processor time of the thread that scores,
 * which is what a quiet core takes, whatever else the machine does.
 */
import { loadKnowledge } from '../../../src/engine/knowledge/knowledge.ts';
import type { AgentEvent } from '../../../src/events/event.ts';
import { NO_POLICY } from '../../../src/scoring/policy/policy.ts';
import { score } from '../../../src/scoring/score.ts';
import { filled, type HostileReader, type HostileText, textsAlone, textsOfPairs } from './hostile-reader.ts';
import { hostileReaders } from './index.ts';

export interface ReaderFigure {
  reader: string;
  texts: number;
  /** Plain text of the same length. */
  plain_ms: number;
  median_ms: number;
  p99_ms: number;
  most_ms: number;
  /** Texts that took longer than the bound, the slowest first. */
  above: { name: string; ms: number }[];
}

export interface ReaderBench {
  /** Characters of each text. */
  length: number;
  bound_ms: number;
  /** Of the pairs, every one of this many, another one in each reader; 0 for none. */
  every: number;
  /** The name of one reader, or '' for all. */
  only: string;
}

const PLAIN = 'The quarterly report is ready, and the team has read it. ';
/** Times that a text above the bound is measured again; the lowest counts. */
const TRIES = 8;

function* textsFor(reader: HostileReader, every: number, offset: number): Generator<HostileText> {
  yield* textsAlone(reader);
  if (every === 0) return;
  let n = offset;
  for (const text of textsOfPairs(reader)) if (n++ % every === 0) yield text;
}

/**
 * Milliseconds of a processor that this thread has used. Linux brings the time of a running thread up to date when the process is asked,
 * and otherwise once a tick, which may be 4 ms.
 */
function threadTime(): number {
  process.cpuUsage();
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** What `score()` takes for the texts of each reader; what is below the bound at first is measured once. */
export async function* measureReaders({ length, bound_ms, every, only }: ReaderBench): AsyncGenerator<ReaderFigure> {
  const knowledge = await loadKnowledge();
  const timeOf = (event: AgentEvent): number => {
    const before = threadTime();
    score(event, null, NO_POLICY, knowledge);
    return threadTime() - before;
  };
  const lowest = (event: AgentEvent, first: number, most: number): number => {
    let ms = first;
    for (let n = 0; n < TRIES && ms > most; n++) ms = Math.min(ms, timeOf(event));
    return ms;
  };
  for (const [offset, [reader, given]] of Object.entries(hostileReaders).entries()) {
    if (only !== '' && only !== reader) continue;
    const times: { name: string; ms: number }[] = [];
    for (const { name, make } of textsFor(given, every, offset)) {
      const event = given.event(make(length));
      times.push({ name, ms: lowest(event, timeOf(event), bound_ms) });
    }
    times.sort((a, b) => b.ms - a.ms);
    const at = (share: number): number => times[Math.floor(times.length * (1 - share))]!.ms;
    const plain = given.event(filled(PLAIN, length));
    yield {
      reader,
      texts: times.length,
      plain_ms: lowest(plain, timeOf(plain), 0),
      median_ms: at(0.5),
      p99_ms: at(0.99),
      most_ms: times[0]!.ms,
      above: times.filter(({ ms }) => ms > bound_ms),
    };
  }
}
