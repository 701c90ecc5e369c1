/** Whether somebody may decide about a held event, by the rules of the customer's policy in force. Pure. */
import { WeirError } from '../platform/errors.ts';
import type { Decider, Decision, HeldEvent } from '../records/hold.ts';
import type { ApprovalGroup, ApprovalRule } from '../scoring/types.ts';

/** A named person, as far as a rule looks. */
export interface Approver {
  person_id: string;
  email: string;
  name: string;
  role: string;
}

/** The caller that decides. */
export interface Who {
  decider: Decider;
  /** `null`: an API key, or the operator. */
  person: Approver | null;
}

/** A right that another person has lent to this one. */
export interface LentBy {
  from: Approver;
  to: Approver;
}

export interface Standing {
  /** The decider, with the person whose right it uses where it is lent. */
  decider: Decider;
  /** Whose right is used; `null` where no rule applies. */
  authority: Approver | null;
  /** People that it takes; a rejection always takes one. */
  people: number;
}

/**
 * Throws `forbidden` or `invalid` with the rule's demand. Without a rule for the level of the event, anyone who has the scope decides.
 *
 * @param lent delegations of the customer that are in force
 */
export function standingOf(
  rules: readonly ApprovalRule[],
  { risk_level, session_user, held_at, now }: HeldEvent,
  { decision, reason }: { decision: Decision; reason: string | null },
  { decider, person }: Who,
  lent: readonly LentBy[],
): Standing {
  const rule = rules.find(({ levels }) => levels.has(risk_level));
  if (rule === undefined) return { decider, authority: null, people: 1 };
  if (person === null)
    throw refused(`events of level ${risk_level} are decided by named people; sign in, no key decides them`);
  const age_minutes = (Date.parse(now) - Date.parse(held_at)) / 60_000;
  const isAllowed = (one: Approver): boolean => mayDecide(rule, one, age_minutes);
  const lenders = lent.filter(({ to }) => to.person_id === person.person_id).map(({ from }) => from);
  const authority = isAllowed(person) ? person : lenders.find(isAllowed);
  if (authority === undefined)
    throw refused(
      `events of level ${risk_level} are decided by ${describe(rule, age_minutes)}; you are not among them`,
    );
  // Also a person who uses the right of the session's user: a right that is lent stays that person's.
  if (rule.not_own && decision === 'approve' && [person, authority].some((one) => isUser(one, session_user)))
    throw refused('nobody approves what was done in a session of their own');
  if (rule.needs_reason && (reason ?? '').trim() === '') {
    const message = 'is required by the policy for this decision';
    throw new WeirError('invalid', { detail: `\`/reason\` ${message}`, errors: [{ path: '/reason', message }] });
  }
  const on_behalf_of =
    authority === person ? {} : { on_behalf_of: { id: authority.person_id, email: authority.email } };
  return { decider: { ...decider, ...on_behalf_of }, authority, people: decision === 'approve' ? rule.people : 1 };
}

function mayDecide({ by, escalation }: ApprovalRule, person: Approver, age_minutes: number): boolean {
  if (by === null || isIn(by, person)) return true;
  return escalation !== null && age_minutes >= escalation.after_minutes && isIn(escalation.by, person);
}

const isIn = ({ roles, emails }: ApprovalGroup, { role, email }: Approver): boolean =>
  roles.has(role) || emails.has(email);

/** `session.user_id` names a person by email, by its part before the `@`, or by id. */
function isUser({ person_id, email }: Approver, session_user: string | null): boolean {
  if (session_user === null) return false;
  const user = session_user.trim().toLowerCase();
  return [person_id, email, email.split('@')[0]].includes(user);
}

function describe({ by, escalation }: ApprovalRule, age_minutes: number): string {
  const groups = [by, ...(escalation !== null && age_minutes >= escalation.after_minutes ? [escalation.by] : [])];
  return groups.flatMap((group) => (group === null ? [] : [...group.roles, ...group.emails])).join(', ');
}

function refused(why: string): WeirError {
  return new WeirError('forbidden', { detail: `the policy does not permit this decision: ${why}` });
}
