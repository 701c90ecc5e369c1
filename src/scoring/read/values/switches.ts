/** Parameters that speak of the call itself: approvals that it states, checks that it switches off. */

import type { AgentEvent } from '../../../events/event.ts';
import { type Leaf, parametersOf } from '../../../events/parameters.ts';
import { asciiLower, namesNothing, wordsOf } from '../../../lang/names.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { setOf } from '../../../ontology/words.ts';
import type { ActionReading } from '../action/action.ts';
import { perCallNames } from '../action/content/call-names.ts';
import type { ContentReading } from '../action/content/content.ts';
import { wordSet } from '../words/word-lists.ts';
import type { Argument } from './argument.ts';

const words = perOntology((ontology) => ({
  on: setOf(ontology, 'on_words'),
  off: setOf(ontology, 'off_words'),
  skipping: setOf(ontology, 'skipping_words'),
  checks: setOf(ontology, 'skipped_checks'),
  /** States of an approval that is not there yet. */
  open: setOf(ontology, 'open_approval_words'),
  routing: setOf(ontology, 'routing_groups'),
}));
const LONGEST_KEY = 64;
/** Who is to decide, where something is handed in; elsewhere who has decided. */
const APPROVER = 'approver';

const wordOf = ({ value }: Leaf): string => asciiLower(String(value).trim());

/** The first parameter of the list that is switched on, '' when none is. */
export function switchedOn(event: AgentEvent, ontology: Ontology, list: string): string {
  const { on } = words(ontology);
  return find(event, ontology, list, (leaf) => on.has(wordOf(leaf)))?.key ?? '';
}

/** The first parameter of the list that is switched off, '' when none is. */
export function switchedOff(event: AgentEvent, ontology: Ontology, list: string): string {
  const { off } = words(ontology);
  return find(event, ontology, list, (leaf) => off.has(wordOf(leaf)))?.key ?? '';
}

function find(event: AgentEvent, ontology: Ontology, list: string, holds: (leaf: Leaf) => boolean): Leaf | undefined {
  const names = wordSet(ontology, list);
  return parametersOf(event).leaves.find(
    (leaf) => leaf.key.length <= LONGEST_KEY && names.has(leaf.name) && holds(leaf),
  );
}

/** A parameter that states an approval which the user's own words do not hold, '' when there is none. */
export function approvalClaim(
  event: AgentEvent,
  ontology: Ontology,
  { effective_group }: ActionReading,
  args: readonly Argument[],
): string {
  const { off, open, routing } = words(ontology);
  const isUsers = (leaf: Leaf): boolean => args.some((arg) => arg.path === leaf.path && arg.provenance === 'user');
  const claim = find(event, ontology, 'approval_parameters', (leaf) => {
    const word = wordOf(leaf);
    if (leaf.name === APPROVER && routing.has(effective_group)) return false;
    return word !== '' && !off.has(word) && !open.has(word) && !namesNothing(word) && !isUsers(leaf);
  });
  return claim?.key ?? '';
}

/** A parameter has the name of such a switch. */
const maySwitchConfirmation = perCallNames(
  ({ names, is_cut }, ontology) =>
    is_cut ||
    names.some((name) => skipsCheck(name, ontology)) ||
    ['confirmation_switches', 'confirmation_guards'].some((list) => names.some((n) => wordSet(ontology, list).has(n))),
);

/** The parameter, or the option in a shell command, that skips a confirmation; '' when there is none. */
export function confirmationSwitch(event: AgentEvent, ontology: Ontology, content: ContentReading): string {
  const parameter =
    maySwitchConfirmation(event, ontology) && !takesSavedPlan(event, ontology)
      ? switchedOn(event, ontology, 'confirmation_switches') ||
        switchedOff(event, ontology, 'confirmation_guards') ||
        skippedCheck(event, ontology)
      : '';
  if (parameter !== '' || !content.languages.some((l) => l === 'shell' || l === 'powershell' || l === 'cmd'))
    return parameter;
  const flags = wordSet(ontology, 'command_confirmation_flags');
  for (const { value } of parametersOf(event).leaves) {
    if (typeof value !== 'string' || !value.includes('-')) continue;
    for (const word of unquoted(value).split(/[\s;|&]+/)) if (flags.has(word.split('=', 1)[0]!)) return word;
  }
  return '';
}

/** What a saved plan will do was shown when it was made, so that the tool asks nothing when it is applied. */
const takesSavedPlan = (event: AgentEvent, ontology: Ontology): boolean =>
  parametersOf(event).leaves.some(
    ({ name, value }) =>
      typeof value === 'string' && value !== '' && wordSet(ontology, 'saved_plan_parameters').has(name),
  );

/** `skipReview`, `overrideAlerts`: a word for skipping before a word for a check. */
function skippedCheck(event: AgentEvent, ontology: Ontology): string {
  const { on } = words(ontology);
  const found = parametersOf(event).leaves.find(
    (leaf) => leaf.key.length <= LONGEST_KEY && on.has(wordOf(leaf)) && skipsCheck(leaf.name, ontology),
  );
  return found?.key ?? '';
}

function skipsCheck(name: string, ontology: Ontology): boolean {
  const { skipping, checks } = words(ontology);
  const [first = '', ...rest] = wordsOf(name);
  // `bypassWindowCheck`: the last word says what it is, those before it of what.
  return skipping.has(first) && (checks.has(rest.join('_')) || checks.has(rest.at(-1) ?? ''));
}

/** Without text in quotation marks: a program is given such text as data, not as an option. */
const unquoted = (command: string): string => command.slice(0, 16_384).replace(/'[^']*'|"[^"]*"/g, ' ');
