/** The user's request (effects, objects, limits) and whether this action fits it. */

import type { AgentEvent } from '../../../events/event.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { listOf } from '../../../ontology/words.ts';
import type { ActionReading } from '../action/action.ts';
import { corpusOf } from '../conversation/corpus.ts';
import { type Request, requestOf } from '../conversation/request.ts';
import type { TextReading } from '../conversation/text.ts';
import type { Argument } from '../values/argument.ts';
import { groupNames, vocabularyOf } from '../words/vocabulary.ts';
import { wordSet } from '../words/word-lists.ts';
import { approvalOf, wasRefused } from './approval.ts';
import { excludedGroups, excludesNamed } from './exclusions.ts';
import { fitOf } from './fit.ts';

export interface IntentReading {
  /** Verb groups the request implies. */
  readonly asked_groups: string[];
  readonly asked_domains: string[];
  /** Verb groups the user excluded («do not delete», «read-only», «draft only»). */
  readonly prohibited_groups: string[];
  /** The user forbade the effect for a thing that the action names. */
  readonly forbids_named_object: boolean;
  readonly is_read_only: boolean;
  /** «Do what the mail says»: the task itself stands in a source. */
  readonly is_open_ended: boolean;
  readonly wants_draft_only: boolean;
  /** «Continue», «it should be in a file of its own»: the user wants work done and does not say which effect. */
  readonly leaves_work_open: boolean;
  /** The request asks for this effect (or a more dangerous one) on this kind of object, or this usually prepares it. */
  readonly covers_action: boolean;
  /** Domain, verb group or object of the action stand only in untrusted text. */
  readonly is_goal_only_in_untrusted: boolean;
  /** Strength, 0-1, of the strongest order in untrusted text that speaks of this action; 0 if none does. */
  readonly outside_order_strength: number;
  /** 0, 0.5 or 1: did a person order exactly this (verb, target, values)? */
  readonly approval: number;
  /** A person refused or stopped, and said nothing else after it. */
  readonly was_refused: boolean;
}

export function readIntent(
  ontology: Ontology,
  action: ActionReading,
  args: Argument[],
  text: TextReading,
  event: AgentEvent,
): IntentReading {
  return new Intent(ontology, action, args, text, event);
}

/** Reads each part on first use: most actions need few of them. */
class Intent implements IntentReading {
  readonly #ontology: Ontology;
  readonly #action: ActionReading;
  readonly #args: Argument[];
  readonly #text: TextReading;
  readonly #request: Request;
  readonly #event: AgentEvent;
  #was_refused?: boolean;

  constructor(ontology: Ontology, action: ActionReading, args: Argument[], text: TextReading, event: AgentEvent) {
    this.#ontology = ontology;
    this.#action = action;
    this.#args = args;
    this.#text = text;
    this.#event = event;
    this.#request = requestOf(text, ontology);
  }

  get asked_groups(): string[] {
    return groupNames(this.#ontology, this.#request.groups);
  }
  get asked_domains(): string[] {
    return [...this.#request.domains].sort();
  }
  get prohibited_groups(): string[] {
    const { is_read_only, wants_draft_only, exclusions } = this.#request;
    if (!is_read_only && !wants_draft_only && exclusions.length === 0) return [];
    const order = this.#ontology.group_danger_order;
    const excluded = excludedGroups(this.#event, this.#ontology, this.#action, this.#args, this.#text);
    const prohibited = new Set(groupNames(this.#ontology, excluded));
    const looking = wordSet(this.#ontology, 'looking_groups');
    if (is_read_only)
      for (const group of order) if (!looking.has(group) && group !== 'authenticate') prohibited.add(group);
    if (wants_draft_only) for (const group of listOf(this.#ontology, 'beyond_draft_groups')) prohibited.add(group);
    return order.filter((group) => prohibited.has(group));
  }
  get forbids_named_object(): boolean {
    const { effective_group } = this.#action;
    const bit = vocabularyOf(this.#ontology).bitOf(effective_group);
    return bit !== 0 && excludesNamed(this.#event, bit, this.#ontology, this.#args, this.#text);
  }
  get is_read_only(): boolean {
    return this.#request.is_read_only;
  }
  get is_open_ended(): boolean {
    return this.#request.is_open_ended;
  }
  get wants_draft_only(): boolean {
    return this.#request.wants_draft_only;
  }
  get leaves_work_open(): boolean {
    return this.#request.leaves_work_open;
  }
  get covers_action(): boolean {
    return fitOf(this.#ontology, this.#action, this.#args, this.#text).covers;
  }
  get is_goal_only_in_untrusted(): boolean {
    // Without text from outside there is no such goal.
    if (corpusOf(this.#text).tool.is_empty) return false;
    return fitOf(this.#ontology, this.#action, this.#args, this.#text).only_outside;
  }
  get outside_order_strength(): number {
    if (corpusOf(this.#text).tool.is_empty) return 0;
    return fitOf(this.#ontology, this.#action, this.#args, this.#text).ordered;
  }
  get approval(): number {
    return approvalOf(this.#ontology, this.#action, this.#args, this.#text, this.#event);
  }
  get was_refused(): boolean {
    return (this.#was_refused ??= wasRefused(this.#ontology, this.#text));
  }
}
