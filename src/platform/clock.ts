/** Time, as wall time and as monotonic time. Tests pass their own. */
export interface Clock {
  /** Wall time in milliseconds since 1970: for people and for timestamps. */
  now(): number;
  /** Milliseconds that never go backwards: for durations, rates and time-outs. */
  ticks(): number;
}

export const systemClock: Clock = { now: () => Date.now(), ticks: () => performance.now() };
