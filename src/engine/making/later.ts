/** For what is at hand mostly, and has to be waited for sometimes: nobody waits a turn of the loop for what is there. */

/** A value, now or later. */
export type Later<T> = T | Promise<T>;

/** Goes on with the value as soon as it is there. */
export function whenThere<T, U>(value: Later<T>, next: (value: T) => Later<U>): Later<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}
