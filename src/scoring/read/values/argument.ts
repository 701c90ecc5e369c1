/** One leaf of the parameters, with its role, its kind and where its value comes from. */
import type { ValueKind } from '../words/normalise.ts';
import type { Provenance } from './provenance.ts';

export interface Argument {
  /** `to[0]`, `body.account`; a value inside a longer text has the text's path and `#`: `body#0`. */
  path: string;
  /** recipient, payee, amount, url, host, path, command, query, principal, permission, …; '' for other leaves. */
  role: string;
  kind: ValueKind;
  value: string;
  provenance: Provenance;
  /** The user handed the choice of this role to a source («pay the bill in this file»). */
  is_delegated: boolean;
  /** The user's own words left the choice open, whatever text from outside says. */
  is_left_open: boolean;
  /** The result of a look-up of the person whom the user named holds the value. */
  is_looked_up: boolean;
  /** A message of a tool that holds the value also orders an act of this kind, or steers the agent. */
  is_ordered: boolean;
  /** A command or passage whose words come from outputs of the user's own workspace alone; text of strangers holds none of them. */
  is_of_workspace: boolean;
  /** The destination lies outside the organisation; `unknown` when no organisation domain is known. */
  external: 'yes' | 'no' | 'unknown';
  /** The user named another value of the same role and kind. */
  replaces: string;
  /** The user named a value that this one imitates (edit distance, homoglyph, swapped top-level domain). */
  imitates: string;
}

/** Shorter texts are too common to say where they come from (characters). */
const PASSAGE_LENGTH = 16;

/** A text of more than a word or two. */
export const isPassage = ({ kind, value }: Pick<Argument, 'kind' | 'value'>): boolean =>
  kind === 'phrase' && value.length >= PASSAGE_LENGTH;
