/** One parameter that holds another value than the request names for it. */
export interface Contradiction {
  /** Path of the parameter. */
  parameter: string;
  asked: string;
  used: string;
  /** `quantity` with a unit, `count` of things, `name`, `address`, `date`, `direction` of a copy, or `kept` for what is to be left alone. */
  kind: string;
  /** Of quantities: the larger by the smaller, at most 1,000; 1 for names and addresses. */
  factor: number;
  /** Less than what was asked: part of it may have been done before. */
  is_less: boolean;
}
