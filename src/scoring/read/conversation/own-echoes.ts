/**
 * Results that repeat what the agent itself wrote: the message of its commit, the name of its test. An order in such words is no
 * outsider's. Where the agent took the words from text of others, they stand there, too, in an earlier result, and are an order as
 * before. What strangers may have written repeats nothing of the agent's: an agent that notes down an order before it opens the page
 * with that order would make it its own.
 */
import { fileParameters } from '../../../effects/parameters/file-tools.ts';
import type { Message } from '../../../events/event.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { lex, type Words } from '../words/lexer.ts';
import { type Call, callsIn } from './calls.ts';
import { gradeOf } from './grade.ts';
import { eventOfText, type TextReading } from './text.ts';
import { type Segment, speakerOfRole } from './transcript/transcript.ts';

/** The words of an order, and where they stand. */
interface Sentence {
  words: Words;
  from: number;
  to: number;
  stretch: { segment: Segment };
  is_decoded: boolean;
}

/** Words that have to follow one another as in a call of the agent: fewer stand together by chance. */
const RUN = 5;
/** Part of the sentence that such runs have to hold. */
const LEAST_SHARE = 0.6;
const MAX_ORDER = 200;
/** Characters of the agent's own calls that are looked at, the newest first. */
const MAX_OWN = 65_536;
const PRIME = 0x01000193;

/** The orders that are more than an echo of what the agent wrote before. */
export function withoutOwnEchoes<Order extends Sentence>(orders: Order[], text: TextReading): Order[] {
  const history = eventOfText(text)?.conversation_history ?? [];
  if (orders.length === 0 || history.length === 0) return orders;
  const own = new OwnRuns(history, text.ontology);
  return orders.filter(
    (order) => order.is_decoded || !own.holds(order) || gradeOf(order.stretch.segment, text) !== 'workspace',
  );
}

/** Runs of words in the agent's calls → the first message in which they stand. */
class OwnRuns {
  readonly #first = new Map<number, number>();

  constructor(history: readonly Message[], ontology: Ontology) {
    let room = MAX_OWN;
    for (let i = history.length - 1; i >= 0 && room > 0; i--) {
      const { role } = history[i]!;
      // What looks like a call in a result is text of the author of the result.
      if (typeof role !== 'string' || speakerOfRole(role.trim().toLowerCase(), ontology) !== 'agent') continue;
      for (const call of callsIn(history[i]!, i)) {
        const read = withoutPaths(call, ontology).slice(0, Math.max(0, room));
        room -= read.length;
        const { hash, count } = lex(read);
        for (let at = 0; at + RUN <= count; at++) this.#first.set(runAt(hash, at), i);
      }
    }
  }

  holds({ words, from, to, stretch }: Sentence): boolean {
    const last = Math.min(to, from + MAX_ORDER);
    let held = 0;
    let end = from;
    for (let at = from; at + RUN <= last; at++) {
      const first = this.#first.get(runAt(words.hash, at));
      if (first === undefined || first >= stretch.segment.index) continue;
      held += at + RUN - Math.max(end, at);
      end = at + RUN;
    }
    return held > 0 && held >= LEAST_SHARE * (last - from);
  }
}

/** What the call says besides the names of files: anyone who reads a file that is named like an order has written none of it. */
function withoutPaths({ args, text }: Call, ontology: Ontology): string {
  const { paths } = fileParameters(ontology);
  let left = text;
  for (const [key, value] of args) {
    if (!paths.test(key) || value === '') continue;
    // Arguments are kept as they were written, which may be JSON.
    left = left.replaceAll(value, ' ').replaceAll(JSON.stringify(value).slice(1, -1), ' ');
  }
  return left;
}

function runAt(hash: ArrayLike<number>, at: number): number {
  let run = 0;
  for (let i = at; i < at + RUN; i++) run = Math.imul(run ^ hash[i]!, PRIME);
  return run;
}
