/** The operators of PowerShell as they are written: signs, and words behind a dash. */

import type { Ontology } from '../../ontology/index.ts';
import type { Scanner } from './scan.ts';
import { powershellWords } from './words.ts';

const OPERATOR = /-([a-z]{1,16})(?![\w-])/iy;
const SIGN = /\.\.|\+(?![+=])|\*(?!=)|\/(?!=)|%(?!=)|-(?![\w=-])|,|\?\?(?!=)/y;
const COMPARISON = 1;
/** How tightly an operator binds; all that are not here bind like comparisons. */
const LEVEL: Readonly<Record<string, number>> = {
  logical: 0,
  '+': 2,
  '-': 2,
  '*': 3,
  '/': 3,
  '%': 3,
  format: 4,
  '..': 5,
  ',': 6,
};

export interface Operator {
  /** The sign, or the word without its dash and without the `i` or `c` that says how capitals count. */
  name: string;
  /** How tightly it binds. */
  level: number;
}

/** The operator that stands here; the position is behind it, or where it was when there is none. */
export function readOperator(scan: Scanner, ontology: Ontology): Operator | undefined {
  const sign = scan.match(SIGN)?.[0];
  if (sign !== undefined) return { name: sign, level: LEVEL[sign] ?? COMPARISON };
  const start = scan.at;
  const word = scan.match(OPERATOR)?.[1]?.toLowerCase();
  if (word === undefined) return undefined;
  const { operators } = powershellWords(ontology);
  const plain = operators.has(word) || !/^[ic]/.test(word) ? word : word.slice(1);
  const kind = operators.get(plain);
  if (kind === undefined || (plain !== word && kind !== 'cased')) {
    scan.at = start;
    return undefined;
  }
  return { name: plain, level: LEVEL[kind] ?? COMPARISON };
}
