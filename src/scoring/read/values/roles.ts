/** The role that a value plays, from the name of its parameter, its kind and what the action does. */

import { snakeCase } from '../../../lang/names.ts';
import { Recall } from '../../../lang/remember.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { patternOf, setOf } from '../../../ontology/words.ts';
import type { ActionReading } from '../action/action.ts';
import type { Value } from '../words/normalise.ts';

type Index = ReadonlyMap<string, readonly string[]>;

/** Roles by parameter name, in the ontology's order. */
const indexOf = perOntology((ontology): Index => {
  const index = new Map<string, string[]>();
  for (const [role, names] of ontology.argument_roles) {
    for (const name of names) index.set(name, [...(index.get(name) ?? []), role]);
  }
  return index;
});

const words = perOntology((ontology) => ({
  addressing: setOf(ontology, 'addressing_groups'),
  granting: setOf(ontology, 'granting_groups'),
  /** Words that mean something else at the end of a longer name: `page_number`, `zip_code`, `sort_key`, `start_ref`. */
  whole_name_only: setOf(ontology, 'whole_name_only'),
  sender: patternOf(ontology, 'parameter_names', 'sender'),
  message_number: patternOf(ontology, 'parameter_names', 'message_number'),
  sender_account: patternOf(ontology, 'parameter_names', 'sender_account'),
  /** What is filled into a form goes to the form's page, not to the address that is filled in. */
  form_input: patternOf(ontology, 'parameter_names', 'form_input'),
  contact_number: patternOf(ontology, 'parameter_names', 'contact_number'),
  storage_key: patternOf(ontology, 'parameter_names', 'storage_key'),
}));

/** The contract of a coin is paid with, or invested in, and is nobody who is paid. */
const assets = perOntology((ontology) => patternOf(ontology, 'parameter_names', 'asset_address'));

const LONGEST_NAME = 128;
/** By verb group, of which there are two dozen, then by name. */
const rolesByGroup = perOntology(() => new Map<string, Recall<readonly string[]>>());

/** The roles that a parameter of this name may play, before its value is known. */
export function roleOfKey(ontology: Ontology, action: ActionReading, key: string): readonly string[] {
  if (key.length > LONGEST_NAME) return [];
  const groups = rolesByGroup(ontology);
  const group = action.effective_group;
  let recall = groups.get(group);
  if (recall === undefined) groups.set(group, (recall = new Recall()));
  return recall.get(key, () => findRoles(ontology, action, key));
}

function findRoles(ontology: Ontology, action: ActionReading, key: string): readonly string[] {
  const index = indexOf(ontology);
  const name = snakeCase(key);
  if (assets(ontology).test(name)) return [];
  const whole = index.get(name) ?? index.get(name.replace(/s$/, ''));
  if (whole !== undefined) return whole;
  const words = name.split('_');
  // `recipient_email`, `file_to_send`: the last words tell more than the first.
  for (let n = Math.min(words.length - 1, 3); n > 0; n--) {
    const suffix = words.slice(-n).join('_');
    const roles = index.get(suffix);
    if (roles !== undefined && isTrustedSuffix(suffix, action, ontology)) return roles;
  }
  if (words.at(-1) !== 'id') return [];
  for (let n = Math.min(words.length - 1, 3); n > 0; n--) {
    const roles = index.get(words.slice(0, n).join('_'));
    if (roles !== undefined) return roles;
  }
  return [];
}

function isTrustedSuffix(suffix: string, action: ActionReading, ontology: Ontology): boolean {
  const { addressing, whole_name_only } = words(ontology);
  if (whole_name_only.has(suffix)) return false;
  return suffix !== 'address' || addressing.has(action.effective_group) || action.effective_group === 'transfer_pay';
}

/** The one role of a value whose parameter's name allows `candidates`. */
export function roleOf(
  ontology: Ontology,
  candidates: readonly string[],
  value: Value,
  key: string,
  action: ActionReading,
): string {
  const group = action.effective_group;
  if (candidates.length === 0) return roleOfKind(ontology, value, key, action);
  const fitting = candidates.filter((role) => fits(ontology, role, value, key));
  const preferred = preferredRole(ontology, fitting, group);
  if (preferred !== undefined) return preferred;
  if (fitting.length > 0) return fitting[0]!;
  return roleOfKind(ontology, value, key, action);
}

function preferredRole(ontology: Ontology, roles: readonly string[], group: string): string | undefined {
  const { addressing, granting } = words(ontology);
  if (group === 'transfer_pay' && roles.includes('recipient')) return 'payee';
  if (granting.has(group) && roles.includes('principal')) return 'principal';
  if (addressing.has(group) && roles.includes('recipient')) return 'recipient';
  return group === 'delete' && roles.includes('path') ? 'path' : undefined;
}

/** Where the name tells no role, the value's kind does, if the action needs such a role. */
function roleOfKind(ontology: Ontology, value: Value, key: string, action: ActionReading): string {
  const { addressing, granting, sender, sender_account, form_input, message_number } = words(ontology);
  const group = action.effective_group;
  switch (value.kind) {
    case 'email':
      if (sender.test(key) || form_input.test(key) || message_number.test(key)) return '';
      return addressing.has(group) || granting.has(group) ? 'recipient' : '';
    case 'account':
    case 'card':
      if (sender_account.test(key) || assets(ontology).test(snakeCase(key))) return '';
      return group === 'transfer_pay' ? 'payee' : '';
    case 'url':
      return 'url';
    case 'host':
      return 'host';
    case 'path':
      return value.text.includes('/') ? 'path' : '';
    default:
      return '';
  }
}

function fits(ontology: Ontology, role: string, value: Value, key: string): boolean {
  const { kind } = value;
  switch (role) {
    case 'amount':
    case 'count':
      return kind === 'number' || kind === 'amount';
    case 'recipient':
      return (
        kind !== 'flag' &&
        kind !== 'amount' &&
        !(kind === 'number' && words(ontology).contact_number.test(key) && value.normal.length < 7) &&
        !isLongProse(value)
      );
    case 'payee':
    case 'principal':
      return kind !== 'flag' && kind !== 'path' && !isLongProse(value);
    case 'path':
      return (
        kind !== 'flag' &&
        kind !== 'email' &&
        kind !== 'url' &&
        !(words(ontology).storage_key.test(key) && kind === 'number') &&
        !isLongProse(value)
      );
    case 'url':
    case 'host':
    case 'webhook':
      return kind === 'url' || kind === 'host' || kind === 'email' || kind === 'identifier';
    case 'branch':
      // A parameter `ref` may hold any reference, such as a URL.
      return kind !== 'url' && kind !== 'email' && fits(ontology, 'repository', value, key);
    case 'repository':
      // `tags` may hold a sentence.
      return kind !== 'flag' && !PLAIN_WORDS.test(value.text) && !isLongProse(value);
    default:
      return true;
  }
}

/** Letters, digits and stops, with blanks between: neither a name of a branch nor code in its place. */
const PLAIN_WORDS = /^(?=\S{1,200}\s)[\p{L}\p{N}\s.,:'-]{1,400}$/u;

function isLongProse(value: Value): boolean {
  return value.kind === 'phrase' && value.text.length > 120;
}
