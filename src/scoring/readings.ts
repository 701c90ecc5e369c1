/** The readings of one event, each made when first asked for and once. Facts are read off them by name (`facts.ts`). */
import type { Ontology } from './ontology.ts';
import { type ActionReading, readAction } from './read/action.ts';
import type { Argument } from './read/argument.ts';
import { readArguments } from './read/arguments.ts';
import { type ContentReading, readContent } from './read/content.ts';
import { type DataReading, readData, readSink, type SinkReading } from './read/data.ts';
import { type Instruction, readInstructions } from './read/instructions.ts';
import { type IntentReading, readIntent } from './read/intent.ts';
import { readSequence, type SequenceReading } from './read/sequence.ts';
import {
  readTarget,
  readTime,
  readVolume,
  type TargetReading,
  type TimeReading,
  type VolumeReading,
} from './read/target.ts';
import { readText, type TextReading } from './read/text.ts';
import type { AgentEvent, Evidence } from './types.ts';

export class Readings {
  readonly evidence: Evidence;
  readonly event: AgentEvent;
  readonly ontology: Ontology;
  #content?: ContentReading;
  #action?: ActionReading;
  #target?: TargetReading;
  #volume?: VolumeReading;
  #time?: TimeReading;
  #text?: TextReading;
  #arguments?: Argument[];
  #data?: DataReading;
  #sink?: SinkReading;
  #instructions?: Instruction[];
  #intent?: IntentReading;
  #sequence?: SequenceReading;

  constructor(evidence: Evidence, ontology: Ontology) {
    this.evidence = evidence;
    this.event = evidence.event;
    this.ontology = ontology;
  }

  get content(): ContentReading {
    return (this.#content ??= readContent(this.event, this.ontology));
  }
  get action(): ActionReading {
    return (this.#action ??= readAction(this.event, this.ontology, this.content));
  }
  get target(): TargetReading {
    return (this.#target ??= readTarget(this.event, this.ontology, this.action));
  }
  get volume(): VolumeReading {
    return (this.#volume ??= readVolume(this.event, this.content));
  }
  get time(): TimeReading {
    return (this.#time ??= readTime(this.event));
  }
  get text(): TextReading {
    return (this.#text ??= readText(this.event));
  }
  get arguments(): Argument[] {
    return (this.#arguments ??= readArguments(this.event, this.ontology, this.action, this.text));
  }
  get data(): DataReading {
    return (this.#data ??= readData(this.event, this.ontology, this.action, this.text));
  }
  get sink(): SinkReading {
    return (this.#sink ??= readSink(this.event, this.ontology, this.action, this.arguments, this.content));
  }
  get instructions(): Instruction[] {
    return (this.#instructions ??= readInstructions(this.event, this.ontology, this.action, this.arguments, this.text));
  }
  get intent(): IntentReading {
    return (this.#intent ??= readIntent(this.ontology, this.action, this.arguments, this.text));
  }
  get sequence(): SequenceReading {
    return (this.#sequence ??= readSequence(this.event, this.ontology, this.action));
  }
}
