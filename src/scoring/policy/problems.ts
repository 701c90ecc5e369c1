/** Problems of a policy: all of them at once, each with its position. */

export interface Problem {
  /** JSON pointer into the policy: `/custom_rules/night_delete/condition`. */
  path: string;
  message: string;
}

/** A policy that does not compile. The policy in force stays in force. */
export class PolicyError extends Error {
  override name = 'PolicyError';
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(problems.map((problem) => `${problem.path}: ${problem.message}`).join('; '));
    this.problems = problems;
  }
}

/** Names in messages and pointers are cut to this length (characters). */
export const MAX_NAME = 128;

/** A JSON pointer (RFC 6901). Long names are cut, so that the size of a problem is bounded. */
export const pointer = (...segments: string[]): string =>
  segments.map((segment) => `/${segment.slice(0, MAX_NAME).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
