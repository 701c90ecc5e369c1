/**
 * Fair scheduling of events. As many events as keep the machine busy are in work at a time. The rest wait in one queue for each
 * customer, and the queues are served in turn: a customer that sends a thousand events at once delays its own events, and an event
 * of another customer waits for one turn. The number of waiting events and their waiting time are bounded.
 */
import type { Clock } from '../platform/clock.ts';
import { WeirError } from '../platform/errors.ts';

export interface TurnLimits {
  /** Events in work at a time. */
  in_work: number;
  /** The same for accepted events, whose callers do not wait, while no other event waits for a turn. */
  later_in_work: number;
  /** Events of one customer that may wait; beyond, they are refused with 429. */
  waiting_each: number;
  /** Events of all customers that may wait; beyond, they are refused with 503. */
  waiting: number;
  /** An event that waited longer, in milliseconds, is refused unscored: its caller has given up or soon will. */
  wait_ms: number;
}

const LIMITS: TurnLimits = {
  // Twice what one group of the store gathers while another one is written. More would make every event wait longer for little
  // gain (docs/decisions/0014-overload.md).
  in_work: 64,
  // A backlog is scored in a thread and written in groups; with 64 both were idle part of the time, with 128 it is a tenth faster.
  later_in_work: 128,
  // Four full streams, or four BatchEvaluateRisk at once.
  waiting_each: 1_024,
  waiting: 4_096,
  wait_ms: 2_000,
};

/** Why an event got no turn: its customer's queue is full, all queues are full, it waited too long, its caller has disconnected. */
export type Refusal = 'customer_full' | 'full' | 'waited' | 'left';

export interface Turns {
  /**
   * A turn for an event whose caller waits: `null` when it may begin at once. Every turn ends with one `done()`. `checkWanted` throws
   * when the caller has disconnected; it is called when the turn comes up, and its error is passed on. Throws or rejects with
   * `rate_limited` or `overloaded`; then there is no turn to end.
   */
  take(customer_id: string, checkWanted?: () => void): Promise<void> | null;
  /** Throws what `take` would throw now, so that doors can refuse a request before they read it, which is most of its cost. */
  checkRoom(customer_id: string): void;
  /**
   * A turn for an accepted event, which is never refused. While callers wait, accepted events get every fourth turn, so that a backlog
   * neither delays answers nor stands still; while none wait, they may have `later_in_work` turns.
   */
  takeLater(customer_id: string): Promise<void> | null;
  /**
   * Further turns for the holder of one: as many of the wanted ones as are free now, or none if those are few. The last half of all
   * turns is never given out this way, so that other events find one. Answers how many.
   */
  takeMore(wanted: number): number;
  done(): void;
  /**
   * A turn for events that gave theirs up for a wait, which is never refused. While others wait too, every second turn is for them:
   * a thousand waits that end together must not stop everything else.
   */
  takeAgain(customer_id: string): Promise<void> | null;
  load(): { in_work: number; waiting: number; later: number };
}

/** The sentences of refusals. */
export interface TurnWords {
  /** After a number. */
  yours: string;
  all: string;
  one: string;
}

const EVENTS: TurnWords = {
  yours: 'of your events wait to be scored already',
  all: 'too many events wait to be scored; nothing was stored',
  one: 'this event waited too long to be scored; nothing was stored',
};

export interface TurnParts {
  clock: Clock;
  limits?: Partial<TurnLimits>;
  words?: TurnWords;
  /** Called for every event that got no turn. */
  onRefusal?: (reason: Refusal) => void;
}

/** Scoring fewer further events together costs more than it saves. */
const LEAST_MORE = 7;
/** One turn in so many goes to accepted events while others wait. */
const LATER_SHARE = 4;

export function createTurns({ clock, limits: given, words = EVENTS, onRefusal = () => {} }: TurnParts): Turns {
  const limits = { ...LIMITS, ...given };
  const answered = createLines();
  const later = createLines();
  const resumed = createLines();
  let in_work = 0;
  let turns = 0;

  /** The next waiting event; those that are refused on the way are rejected. Null: none waits, or too many are in work. */
  function next(): Waiting | null {
    for (;;) {
      turns += 1;
      const is_beyond = in_work > limits.in_work && answered.size() > 0;
      // A backlog gives the turns beyond `in_work` back out of its own share.
      if (is_beyond && turns % LATER_SHARE === 0) return null;
      const one = shiftFirst(orderOf(turns));
      if (one === null) return null;
      const error = refusalOf(one);
      if (error === null) return one;
      one.reject(error);
    }
  }

  /** The lines in the order in which this turn looks for an event. */
  function orderOf(turn: number): readonly Lines[] {
    if (turn % LATER_SHARE === 0) return [later, resumed, answered];
    return turn % 2 === 1 ? [resumed, answered, later] : [answered, resumed, later];
  }

  function refusalOf({ since, checkWanted }: Waiting): unknown {
    try {
      checkWanted?.();
    } catch (error) {
      onRefusal('left');
      return error;
    }
    if (since === null || clock.ticks() - since <= limits.wait_ms) return null;
    onRefusal('waited');
    return overloaded(words.one);
  }

  function checkRoom(customer_id: string): void {
    if (in_work < limits.in_work) return;
    if (answered.lengthOf(customer_id) >= limits.waiting_each) {
      onRefusal('customer_full');
      throw new WeirError('rate_limited', {
        detail: `\`${limits.waiting_each}\` ${words.yours}; send fewer at a time, or try again in 1 s`,
        retry_after_s: 1,
      });
    }
    if (answered.size() >= limits.waiting) {
      onRefusal('full');
      throw overloaded(words.all);
    }
  }

  return {
    checkRoom,
    take(customer_id, checkWanted) {
      if (in_work < limits.in_work) {
        in_work += 1;
        return null;
      }
      checkRoom(customer_id);
      return new Promise((resolve, reject) => {
        answered.push(customer_id, { since: clock.ticks(), checkWanted, resolve, reject });
      });
    },
    takeLater(customer_id) {
      if (in_work < limits.later_in_work && answered.size() === 0) {
        in_work += 1;
        return null;
      }
      return new Promise((resolve, reject) => {
        later.push(customer_id, { since: null, checkWanted: undefined, resolve, reject });
      });
    },
    takeMore(wanted) {
      const taken = Math.min(wanted, limits.in_work / 2 - in_work);
      if (taken < Math.min(wanted, LEAST_MORE)) return 0;
      in_work += taken;
      return taken;
    },
    done() {
      const one = next();
      // The turn passes to the next event.
      if (one === null) in_work -= 1;
      else one.resolve();
    },
    takeAgain(customer_id) {
      if (in_work < limits.in_work) {
        in_work += 1;
        return null;
      }
      return new Promise((resolve, reject) => {
        resumed.push(customer_id, { since: null, checkWanted: undefined, resolve, reject });
      });
    },
    load: () => ({ in_work, waiting: answered.size(), later: later.size() }),
  };
}

/** Runs a wait without the turns of the work that waits; the work goes on with one turn. */
export type Aside = <T>(waiting: () => Promise<T>) => Promise<T>;

/**
 * Runs work of a customer that holds the turn `first` and may take further turns; all of them end with it. Meanwhile it may wait
 * `aside`: its turns then go to other events.
 */
export async function inTurns<T>(
  turns: Turns,
  customer_id: string,
  first: Promise<void> | null,
  work: (takeMore: Turns['takeMore'], aside: Aside) => Promise<T>,
): Promise<T> {
  if (first !== null) await first;
  let taken = 1;
  const takeMore = (wanted: number): number => {
    const more = turns.takeMore(wanted);
    taken += more;
    return more;
  };
  const aside: Aside = async (waiting) => {
    for (; taken > 0; taken -= 1) turns.done();
    try {
      return await waiting();
    } finally {
      await turns.takeAgain(customer_id);
      taken = 1;
    }
  };
  try {
    return await work(takeMore, aside);
  } finally {
    for (; taken > 0; taken -= 1) turns.done();
  }
}

function shiftFirst(lines: readonly Lines[]): Waiting | null {
  for (const line of lines) {
    const one = line.shift();
    if (one !== null) return one;
  }
  return null;
}

interface Waiting {
  /** By `clock.ticks()`; `null`: it may wait without limit. */
  since: number | null;
  checkWanted: (() => void) | undefined;
  resolve: () => void;
  reject: (error: unknown) => void;
}

interface Lines {
  push(customer_id: string, one: Waiting): void;
  /** The first event of the next queue, which then moves behind the others; `null` when none waits. */
  shift(): Waiting | null;
  size(): number;
  lengthOf(customer_id: string): number;
}

function createLines(): Lines {
  // In the order of their turns: a queue that was served is put back at the end.
  const lines = new Map<string, Waiting[]>();
  let size = 0;
  return {
    push(customer_id, one) {
      const line = lines.get(customer_id);
      if (line === undefined) lines.set(customer_id, [one]);
      else line.push(one);
      size += 1;
    },
    shift() {
      const first = lines.entries().next();
      if (first.done) return null;
      const [customer_id, line] = first.value;
      lines.delete(customer_id);
      const one = line.shift()!;
      if (line.length > 0) lines.set(customer_id, line);
      size -= 1;
      return one;
    },
    size: () => size,
    lengthOf: (customer_id) => lines.get(customer_id)?.length ?? 0,
  };
}

function overloaded(what: string): WeirError {
  return new WeirError('overloaded', { detail: `${what}, try again in 1 s`, retry_after_s: 1 });
}

/** Most events that go on together; the others wait for the next turn of the event loop. */
export const TOGETHER = 32;
/**
 * Longest turn of the event loop that a group should take, in milliseconds. In a new process, whose code is not compiled yet, and on
 * a busy machine an event takes ten times its usual time: 32 of them would keep the loop for a second, in which no answer is read
 * and every time limit of the process runs out.
 */
const TURN_MS = 50;

/**
 * Waits until every request that has arrived by now is read. Events that came together are then scored in turn,
 * which takes a third less time than scoring each between the reading of two requests: the processor's caches hold the scoring or
 * the reading, not both. A single event does not wait.
 *
 * After a group of events the event loop turns, reads the database's answers and sends it the next group: else the database would
 * be idle while this process scores, and this process while the database writes. A group has as many events as the last ones say
 * fit into `TURN_MS`, and at most `TOGETHER`.
 */
export function createEndOfTurn(clock: Pick<Clock, 'ticks'>): () => Promise<void> {
  const waiting: (() => void)[] = [];
  let size = 1;
  let is_going = false;

  function release(): void {
    const now = waiting.splice(0, size);
    const begun = clock.ticks();
    for (const resolve of now) resolve();
    // Behind all that these events do before they wait for something.
    setImmediate(() => {
      const took = clock.ticks() - begun;
      if (took > TURN_MS) size = Math.max(1, Math.floor((now.length * TURN_MS) / took));
      else if (now.length === size) size = Math.min(TOGETHER, 2 * size);
      if (waiting.length > 0) release();
      else is_going = false;
    });
  }

  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (is_going) return;
      is_going = true;
      setImmediate(release);
    });
}
