/** Targets of assignments in PowerShell: variables, and properties of values. */
import { giveKnown } from '../deeds/give-variable.ts';
import { readSetting } from './members.ts';
import type { Session } from './session.ts';
import { NOTHING, type Value } from './values.ts';

/** What is left of `=`: a variable, or a property of a value. */
export interface Assigned {
  variable: string;
  owner: Value | null;
  property: string;
}

/** The value that a target has before an assignment. */
export function currentValue(session: Session, target: Assigned): Value {
  return target.owner === null
    ? session.variable(target.variable)
    : (target.owner.fields?.get(target.property) ?? NOTHING);
}

/** Sets a variable, or a property of a value. `excerpt` shows the assignment in what a setting reports. */
export function assignTo(session: Session, target: Assigned, value: Value, excerpt: string): void {
  if (target.owner === null) {
    session.assign(target.variable, value);
    if (/^env:/i.test(target.variable)) giveKnown(session.world, target.variable.slice(4).toUpperCase(), value);
    return;
  }
  readSetting(session, target.owner, target.property, value, excerpt);
  if (target.owner.fields === undefined) target.owner.fields = new Map();
  if (target.owner.fields.size < 64) target.owner.fields.set(target.property, value);
}
