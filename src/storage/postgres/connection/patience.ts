/**
 * Time limits for what the database sends, counted in checks and not by one timer. After a long turn of a busy thread its timers
 * come before what its sockets have received: by one timer, an answer that is there would count as missing. Between two checks the
 * sockets are read.
 */

/** Checks of one limit. */
const CHECKS = 5;

/**
 * The outcome of `work`, or a rejection with `failure` after about `limit_ms` in which `progress` had the same value in each
 * check. Without `progress` nothing counts as progress.
 */
export function patiently<T>(
  work: Promise<T>,
  limit_ms: number,
  failure: () => Error,
  progress: () => number = () => 0,
): Promise<T> {
  return new Promise((resolve, reject) => {
    let before = progress();
    let still = 0;
    const checking = setInterval(() => {
      const now = progress();
      still = now === before ? still + 1 : 0;
      before = now;
      if (still < CHECKS) return;
      clearInterval(checking);
      reject(failure());
    }, limit_ms / CHECKS);
    work.then(resolve, reject).finally(() => clearInterval(checking));
  });
}
