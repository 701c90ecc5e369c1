/**
 * A backend cannot start as it is set up. `message` is one line for the person who starts Weir: what is wrong, with
 * the value in backticks, and what to do. Unlike `StoreUnavailable` it does not pass by itself.
 */
export class StartError extends Error {
  override name = 'StartError';
}
