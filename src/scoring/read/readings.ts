/** The readings of one event, each made on first use. `scoring/facts` takes facts from them by name. */

import type { AgentEvent } from '../../events/event.ts';
import { workingCopy } from '../../events/working-copy.ts';
import type { Ontology } from '../../ontology/index.ts';
import type { Evidence, History } from '../types.ts';
import { type ActionReading, readAction } from './action/action.ts';
import { type CloudCall, readCloudCalls } from './action/content/cloud-calls.ts';
import { type ContentReading, readContent } from './action/content/content.ts';
import { inOneShape } from './action/hosts/host-shape.ts';
import { isOwnWork, staysInWorkspace } from './action/own-work.ts';
import { Structure } from './action/structure/structure.ts';
import { subjectsOfAction, subjectsOfParameters } from './action/subjects.ts';
import {
  readTarget,
  readTime,
  readVolume,
  type TargetReading,
  type TimeReading,
  type VolumeReading,
} from './action/target.ts';
import { forOwnWork } from './conversation/heeded.ts';
import { readText, type TextReading } from './conversation/text.ts';
import { goesToClosedPlace } from './data/closed-place.ts';
import { type DataReading, readData, readSink, type SinkReading } from './data/data.ts';
import type { Instruction } from './orders/instruction.ts';
import { readInstructions } from './orders/instructions.ts';
import { type PlantedOrder, readPlantedOrder } from './orders/planted-order.ts';
import { type DescriptionOrder, readDescription } from './orders/tool-description.ts';
import { type Drift, driftOf } from './past/conduct.ts';
import { type PlanReading, readPlan } from './past/plan.ts';
import { readSequence, type SequenceReading } from './past/sequence.ts';
import { readSessionShape, type SessionShape } from './past/session-shape.ts';
import type { Argument } from './values/argument.ts';
import { readArguments } from './values/arguments.ts';
import { type InjectedPayload, readPayloads } from './values/payloads.ts';
import { readValueOrigins, type ValueOrigins } from './values/value-origin.ts';
import { isExactOrder } from './will/asked/exact-order.ts';
import { type ChosenRecord, chosenRecord } from './will/chosen-record.ts';
import { isConfirmed } from './will/confirmed/confirmed.ts';
import type { Contradiction } from './will/contradiction/contradicted.ts';
import { contradictionsOf } from './will/contradiction/contradiction.ts';
import { deniedWish } from './will/contradiction/things/denied-wish.ts';
import { type Opposite, oppositeOf } from './will/contradiction/things/opposite.ts';
import { type OtherObject, otherObject } from './will/deviation.ts';
import { type IntentReading, readIntent } from './will/intent.ts';

export class Readings {
  evidence: Evidence;
  readonly event: AgentEvent;
  readonly ontology: Ontology;
  #content?: ContentReading;
  #action?: ActionReading;
  #structure?: Structure;
  #target?: TargetReading;
  #volume?: VolumeReading;
  #time?: TimeReading;
  #text?: TextReading;
  #is_own_work?: boolean;
  #stays_in_workspace?: boolean;
  #heeded_text?: TextReading;
  #arguments?: Argument[];
  #cloud_calls?: readonly CloudCall[];
  #payloads?: readonly InjectedPayload[];
  #data?: DataReading;
  #sink?: SinkReading;
  #instructions?: Instruction[];
  #description_order?: DescriptionOrder;
  #planted_order?: PlantedOrder;
  #intent?: IntentReading;
  #is_exact_order?: boolean;
  #is_confirmed?: boolean;
  #session_shape?: SessionShape;
  #drift?: Drift;
  #value_origins?: ValueOrigins;
  #action_subjects?: readonly string[];
  #parameter_subjects?: readonly string[];
  #other_object?: OtherObject;
  #contradictions?: readonly Contradiction[];
  #opposite?: Opposite;
  #chosen_record?: ChosenRecord;
  #plan?: PlanReading;
  #sequence: SequenceReading | undefined;

  constructor(evidence: Evidence, ontology: Ontology) {
    this.evidence = evidence;
    this.event = inOneShape(evidence.event, ontology);
    this.ontology = ontology;
  }

  /** For `Facts.recall`. Nothing but the sequence depends on the history. */
  recall(history: History | null): void {
    this.evidence = { ...this.evidence, history };
    this.#sequence = undefined;
  }

  get content(): ContentReading {
    return (this.#content ??= readContent(this.event, this.ontology));
  }
  get action(): ActionReading {
    return (this.#action ??= readAction(this.event, this.ontology, this.content));
  }
  /** What the action reaches by its parsed structure alone. */
  get structure(): Structure {
    return (this.#structure ??= new Structure(this.event, this.ontology, this.action, this.content));
  }
  get cloud_calls(): readonly CloudCall[] {
    return (this.#cloud_calls ??= readCloudCalls(this.event, this.content, this.ontology));
  }
  get payloads(): readonly InjectedPayload[] {
    return (this.#payloads ??= readPayloads(this.event, this.action, this.ontology));
  }
  get target(): TargetReading {
    return (this.#target ??= readTarget(this.event, this.ontology, this.action));
  }
  get volume(): VolumeReading {
    return (this.#volume ??= readVolume(this.event, this.ontology, this.content, this.action));
  }
  get time(): TimeReading {
    return (this.#time ??= readTime(this.event));
  }
  get text(): TextReading {
    return (this.#text ??= readText(this.event, this.ontology));
  }
  /** The action is everyday work on the user's own project. */
  get is_own_work(): boolean {
    return (this.#is_own_work ??= isOwnWork(this.event, this.ontology, this.action, this.content, this.text));
  }
  /** What the action does stays within the workspace, as its code or its edit shows. */
  get stays_in_workspace(): boolean {
    return (this.#stays_in_workspace ??= staysInWorkspace(this.event, this.ontology, this.action, this.content));
  }
  /**
   * The text in which orders and values count as an outsider's: of everyday work, and of what stays within the workspace, the text
   * without that of the workspace.
   */
  get heeded_text(): TextReading {
    if (this.text.untrusted.length === 0) return this.text;
    return (this.#heeded_text ??= this.is_own_work || this.stays_in_workspace ? forOwnWork(this.text) : this.text);
  }
  get arguments(): Argument[] {
    const { internal_domains } = this.evidence.policy;
    return (this.#arguments ??= readArguments(
      this.event,
      this.ontology,
      this.action,
      this.heeded_text,
      internal_domains,
    ));
  }
  get data(): DataReading {
    return (this.#data ??= readData(this.event, this.ontology, this.action, this.text));
  }
  get sink(): SinkReading {
    const { internal_domains } = this.evidence.policy;
    return (this.#sink ??= readSink(
      this.event,
      this.ontology,
      this.action,
      this.arguments,
      this.content,
      internal_domains,
      goesToClosedPlace(this.event, this.ontology, this.text),
    ));
  }
  get description_order(): DescriptionOrder {
    const runsCode = this.content.languages.length > 0;
    return (this.#description_order ??= readDescription(this.event, runsCode, this.ontology));
  }

  get planted_order(): PlantedOrder {
    return (this.#planted_order ??= readPlantedOrder(this.event, this.ontology));
  }

  get instructions(): Instruction[] {
    return (this.#instructions ??= readInstructions(
      this.event,
      this.ontology,
      this.action,
      this.arguments,
      this.heeded_text,
    ));
  }
  get intent(): IntentReading {
    return (this.#intent ??= readIntent(this.ontology, this.action, this.arguments, this.heeded_text, this.event));
  }
  /** The user orders exactly this, thing by thing. */
  get is_exact_order(): boolean {
    return (this.#is_exact_order ??= isExactOrder(this));
  }
  /** A person confirmed exactly this in the conversation. */
  get is_confirmed(): boolean {
    return (this.#is_confirmed ??= isConfirmed(this));
  }
  get session_shape(): SessionShape {
    return (this.#session_shape ??= readSessionShape(this.event, this.ontology, this.action));
  }
  get drift(): Drift {
    return (this.#drift ??= driftOf(this.event, this.ontology, this.action, this.text));
  }
  get value_origins(): ValueOrigins {
    return (this.#value_origins ??= readValueOrigins(this.event, this.ontology, this.arguments, this.heeded_text));
  }
  /** Kinds of things that the names of action, tool and type of target speak of. */
  get action_subjects(): readonly string[] {
    return (this.#action_subjects ??= subjectsOfAction(this.event, this.action, this.ontology));
  }
  /** Kinds of things that the target's id, parameters, data fields and earlier results speak of. */
  get parameter_subjects(): readonly string[] {
    return (this.#parameter_subjects ??= subjectsOfParameters(this.event, this.text, this.ontology));
  }
  get other_object(): OtherObject {
    return (this.#other_object ??= otherObject(
      this.ontology,
      this.action,
      this.arguments,
      this.heeded_text,
      this.event,
    ));
  }
  /** Parameters that hold another value than the request names for them. */
  get contradictions(): readonly Contradiction[] {
    return (this.#contradictions ??= contradictionsOf(
      this.event,
      this.ontology,
      this.arguments,
      this.heeded_text,
      this.content,
    ));
  }
  /** The way that the user asked for and the opposite one that the action goes. */
  get opposite(): Opposite {
    if (this.#opposite === undefined) {
      const found = oppositeOf(this.event, this.ontology, this.action, this.text);
      this.#opposite = found.asked === '' ? deniedWish(this.event, this.ontology, this.content, this.text) : found;
    }
    return this.#opposite;
  }
  /** Whether the ids that the action uses are those of the records that the user described. */
  get chosen_record(): ChosenRecord {
    return (this.#chosen_record ??= chosenRecord(this.event, this.ontology, this.action, this.text));
  }
  /** What harm the step does after the steps before it, in the physical world. */
  get plan(): PlanReading {
    return (this.#plan ??= readPlan(this.event, this.ontology, this.action));
  }
  get sequence(): SequenceReading {
    return (this.#sequence ??= sequenceOf(this));
  }
}

/**
 * Merges the past that the event claims with the past that the server saw. Each is read by itself, so that a long claim hides
 * no action that the server saw, and the server's actions add to the claim and remove nothing.
 */
function sequenceOf({ event, evidence, ontology, action }: Readings): SequenceReading {
  const claimed = readSequence(event, ontology, action);
  const { history } = evidence;
  if (history === null || (history.earlier_actions.length === 0 && history.repeats === 0)) return claimed;
  const seen = readSequence(workingCopy({ ...event, preceding_actions: history.earlier_actions }), ontology, action);
  return {
    groups: [...seen.groups, ...claimed.groups],
    has_read_secret: seen.has_read_secret || claimed.has_read_secret,
    has_read_sensitive: seen.has_read_sensitive || claimed.has_read_sensitive,
    has_read_untrusted: seen.has_read_untrusted || claimed.has_read_untrusted,
    has_packaged: seen.has_packaged || claimed.has_packaged,
    has_granted: seen.has_granted || claimed.has_granted,
    has_discovered: seen.has_discovered || claimed.has_discovered,
    has_changed_payee: seen.has_changed_payee || claimed.has_changed_payee,
    repeats: Math.max(claimed.repeats, history.repeats),
  };
}
