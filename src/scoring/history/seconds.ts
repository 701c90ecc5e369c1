/** Counts the actions that were added in each of the last seconds, so that a memory can be compared with the stored events. */

/** A whole second since 1970 and a count; oldest first, only seconds with an action. */
export type Seconds = [second: number, n: number][];

/** More seconds than pass until the comparison, which takes place after four or five. */
const MAX_SECONDS = 12;
const MS_PER_SECOND = 1_000;

export const secondOf = (at: number): number => Math.floor(at / MS_PER_SECOND);

/** Counts one action. Changes `seconds`. Events of several nodes come a little out of order. */
export function addToSeconds(seconds: Seconds, at: number): void {
  const second = secondOf(at);
  let place = seconds.length;
  while (place > 0 && seconds[place - 1]![0] > second) place -= 1;
  const same = seconds[place - 1];
  if (same?.[0] === second) same[1] += 1;
  else seconds.splice(place, 0, [second, 1]);
  if (seconds.length > MAX_SECONDS) seconds.shift();
}
