/** The reason why a condition was refused. Compiling a condition throws no other error, whatever the input. */
export class ConditionError extends Error {
  /** Column in the condition, counted from 1; line breaks count as one character. */
  readonly position: number;
  /** What is wrong and what to write instead, without the position. */
  readonly reason: string;

  constructor(position: number, reason: string) {
    super(`column ${position}: ${reason}`);
    this.name = 'ConditionError';
    this.position = position;
    this.reason = reason;
  }
}
