/** Values of Ruby, PHP, Perl, Lua and Go that follow from other values: joined texts, elements, members. */
import { NOTHING, text, unknown, type Value } from '../code/values.ts';
import { built, HOLE } from '../data.ts';

/** Values that one call or list takes. */
export const MAX_ARGUMENTS = 64;
/** Characters of a chain of members beyond which the next one counts as a member of something unknown. */
export const MAX_REF = 200;

export function joined(a: Value, b: Value): Value {
  if (a === NOTHING || b === NOTHING) return a === NOTHING ? b : a;
  return text(built(a.text + b.text), a.taint | b.taint);
}

export function indexed(base: Value, at: Value): Value {
  const entry = base.entries?.get(at.text);
  if (entry !== undefined) return entry;
  if (base.items !== undefined && at.number !== undefined) return base.items.at(at.number) ?? unknown(base.taint);
  return { ...unknown(base.taint), ref: base.ref === '' ? '' : `${base.ref}[]` };
}

export function memberOf(base: Value, name: string): Value {
  const ref = base.ref === '' || base.ref.length > MAX_REF ? `.${name}` : `${base.ref}.${name}`;
  return { text: HOLE, taint: base.taint, ref, base };
}
