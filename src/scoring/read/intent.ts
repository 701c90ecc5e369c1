/** What the user asked for: effects, objects, limits; and whether this action fits. */
import type { Ontology } from '../ontology.ts';
import type { ActionReading } from './action.ts';
import { approvalOf, wasRefused } from './approval.ts';
import type { Argument } from './argument.ts';
import { excludedGroups } from './exclusions.ts';
import { fitOf } from './fit.ts';
import { requestOf } from './request.ts';
import type { TextReading } from './text.ts';
import { groupNames } from './vocabulary.ts';

export interface IntentReading {
  /** Verb groups the request implies. */
  asked_groups: string[];
  asked_domains: string[];
  /** Verb groups the user excluded («do not delete», «read-only», «draft only»). */
  prohibited_groups: string[];
  is_read_only: boolean;
  wants_draft_only: boolean;
  /** The request asks for this effect (or a more dangerous one) on this kind of object, or this usually prepares it. */
  covers_action: boolean;
  /** Domain, verb group or object of the action stand only in untrusted text. */
  is_goal_only_in_untrusted: boolean;
  /** 0, 0.5 or 1: did a person order exactly this (verb, target, values)? */
  approval: number;
  /** A person refused or stopped, and said nothing else after it. */
  was_refused: boolean;
}

const LOOKING = new Set(['read', 'list_search']);
/** What a draft is not: anything that reaches somebody else. */
const BEYOND_DRAFT = ['send', 'share_publish', 'transfer_pay', 'execute', 'deploy_change', 'delete', 'commit_legal'];

export function readIntent(
  ontology: Ontology,
  action: ActionReading,
  args: Argument[],
  text: TextReading,
): IntentReading {
  const request = requestOf(text, ontology);
  const fit = fitOf(ontology, action, args, text);
  const prohibited = new Set(groupNames(ontology, excludedGroups(ontology, action, args, text)));
  if (request.is_read_only)
    for (const group of ontology.group_danger_order)
      if (!LOOKING.has(group) && group !== 'authenticate') prohibited.add(group);
  if (request.wants_draft_only) for (const group of BEYOND_DRAFT) prohibited.add(group);
  return {
    asked_groups: groupNames(ontology, request.groups),
    asked_domains: [...request.domains].sort(),
    prohibited_groups: ontology.group_danger_order.filter((group) => prohibited.has(group)),
    is_read_only: request.is_read_only,
    wants_draft_only: request.wants_draft_only,
    covers_action: fit.covers,
    is_goal_only_in_untrusted: fit.only_outside,
    approval: approvalOf(ontology, action, args, text),
    was_refused: wasRefused(ontology, text),
  };
}
