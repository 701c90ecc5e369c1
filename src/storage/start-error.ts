/**
 * A backend cannot start as configured. `message` is one line for the operator: what is wrong, with the value in
 * backticks, and what to do. Unlike `StoreUnavailable` it does not pass by itself.
 */
export class StartError extends Error {
  override name = 'StartError';
}
