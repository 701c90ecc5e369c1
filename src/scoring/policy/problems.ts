/** What is wrong with a policy: all of it at once, each problem with its place. */

export interface Problem {
  /** JSON pointer into the policy: `/custom_rules/night_delete/condition`. */
  path: string;
  message: string;
}

/** A policy that does not compile; the one in force stays. */
export class PolicyError extends Error {
  override name = 'PolicyError';
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(problems.map((problem) => `${problem.path}: ${problem.message}`).join('; '));
    this.problems = problems;
  }
}

/** A name in a message or a pointer is cut here. */
export const MAX_NAME = 128;

/** RFC 6901. Names are cut, so that a problem is never as long as what caused it. */
export const pointer = (...segments: string[]): string =>
  segments.map((segment) => `/${segment.slice(0, MAX_NAME).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
