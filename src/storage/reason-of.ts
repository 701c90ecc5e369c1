/** The message of a thrown value: for the log, and for the operator. */
export function reasonOf(error: unknown): string {
  // Several addresses were tried: the first failure says as much as all of them, and the aggregate has no message of
  // its own.
  if (error instanceof AggregateError) return reasonOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}
