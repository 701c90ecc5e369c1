/** The typed graph of an event, from its facts and findings. Pure: equal evidence gives an equal graph. */
import { perOntology } from '../../ontology/per-ontology.ts';
import { setOf } from '../../ontology/words.ts';
import type { Facts } from '../facts/fact-table.ts';
import { corpusOf } from '../read/conversation/corpus.ts';
import type { DetectedData } from '../read/data/found/detected-data.ts';
import type { Instruction } from '../read/orders/instruction.ts';
import { stepsOf } from '../read/past/sequence.ts';
import type { Readings } from '../read/readings.ts';
import type { Argument } from '../read/values/argument.ts';
import { outsidePlaces } from '../read/values/outside-places.ts';
import { show } from '../show.ts';
import type { Finding } from '../types.ts';
import { type EdgeKind, type EventGraph, type GraphEdge, type GraphNode, MOST, type NodeKind } from './event-graph.ts';
import {
  ACTION_FEATURES,
  AGENT_FEATURES,
  ARGUMENT_FEATURES,
  type ArgumentThing,
  DATA_FEATURES,
  type DataThing,
  DESTINATION_FEATURES,
  EARLIER_FEATURES,
  type Feature,
  FINDING_FEATURES,
  MESSAGE_FEATURES,
  ORDER_FEATURES,
  REQUEST_FEATURES,
  TARGET_FEATURES,
  VERDICT_FEATURES,
  type Verdict,
} from './features.ts';

/** Bound on the arguments that are looked at; of those only the ones with most against them become nodes. */
const MAX_READ = 200;
/** Places of one value that are followed to their messages. */
const MAX_PLACES = 8;

const decisiveRoles = perOntology((ontology) => setOf(ontology, 'decisive_roles'));

function valuesOf<T>(features: readonly Feature<T>[], thing: T): number[] {
  const values = new Array<number>(features.length);
  for (let i = 0; i < features.length; i += 1) values[i] = features[i]!.of(thing);
  return values;
}

function sum(values: readonly number[]): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}

/** A node that may be left out, with what its edges need to find it. */
interface Candidate {
  node: GraphNode;
  weight: number;
}

/** Those with most against them, up to the bound on their kind; equal ones in their own order. */
function gravest<C extends Candidate>(candidates: readonly C[], kind: NodeKind): readonly C[] {
  const most = MOST[kind]!;
  if (candidates.length <= most) return candidates;
  return [...candidates].sort((a, b) => b.weight - a.weight).slice(0, most);
}

function candidate(kind: NodeKind, features: readonly number[], label: () => string): Candidate {
  return { node: { kind, features, label }, weight: sum(features) };
}

/** `verdict`: the built-in findings, and the policy layer that they make. */
export function graphOfEvent(facts: Facts, verdict: Verdict): EventGraph {
  return new Builder(facts, verdict).build();
}

class Builder {
  readonly #facts: Facts;
  readonly #readings: Readings;
  readonly #verdict: Verdict;
  readonly #nodes: GraphNode[] = [];
  readonly #edges: GraphEdge[] = [];

  constructor(facts: Facts, verdict: Verdict) {
    this.#facts = facts;
    this.#readings = facts.readings;
    this.#verdict = verdict;
  }

  build(): EventGraph {
    const facts = this.#facts;
    const features = [...valuesOf(VERDICT_FEATURES, this.#verdict), ...valuesOf(ACTION_FEATURES, facts)];
    this.#nodes.push({ kind: 'action', features, label: () => show(facts.string('action'), this.#readings.ontology) });
    this.#addFindings();
    this.#addConversation();
    this.#addEarlier();
    this.#addData();
    this.#addSingles();
    return { nodes: this.#nodes, edges: this.#edges };
  }

  #add(node: GraphNode): number {
    this.#nodes.push(node);
    return this.#nodes.length - 1;
  }

  #link(kind: EdgeKind, from: number, to: number): void {
    this.#edges.push({ kind, from, to });
  }

  #addFindings(): void {
    const raising = this.#verdict.findings.filter(({ contribution, floor }) => contribution > 0 || floor > 0);
    const candidates = raising.map((finding: Finding) =>
      candidate('finding', valuesOf(FINDING_FEATURES, finding), () => finding.rule),
    );
    for (const { node } of gravest(candidates, 'finding')) this.#link('finds', this.#add(node), 0);
  }

  /** Orders, arguments, and the messages that they come from. */
  #addConversation(): void {
    const { instructions } = this.#readings;
    const orders = gravest(
      instructions.map((order) => ({ ...orderOf(order, this.#readings), order })),
      'order',
    );
    const args = gravest(this.#arguments(), 'argument');
    const messages = this.#messages(orders, args);
    for (const { node, order } of orders) {
      const at = this.#add(node);
      this.#link('orders', at, 0);
      const message = messages.get(order.index);
      if (message !== undefined && !order.is_in_identifier) this.#link('says', message, at);
    }
    const destinations = new Set(args.length === 0 ? [] : this.#readings.sink.destinations);
    const destination = this.#addDestination();
    for (const { node, thing, sources } of args) {
      const at = this.#add(node);
      this.#link('has_argument', at, 0);
      for (const index of sources) {
        const message = messages.get(index);
        if (message !== undefined) this.#link('provides_value', message, at);
      }
      if (destination > 0 && destinations.has(thing.argument)) this.#link('names_destination', at, destination);
    }
  }

  #arguments(): (Candidate & { thing: ArgumentThing; sources: readonly number[] })[] {
    const { ontology } = this.#readings;
    const decisive = decisiveRoles(ontology);
    const has_request = this.#facts.bool('has_request');
    return this.#readings.arguments
      .filter(({ role, provenance }) => role !== '' || provenance === 'tool')
      .slice(0, MAX_READ)
      .map((argument) => {
        const thing = { argument, is_decisive: decisive.has(argument.role), has_request };
        const label = (): string => show(`${argument.role || argument.path}: ${argument.value}`, ontology);
        const sources = argument.provenance === 'tool' ? this.#sourcesOf(argument) : NOWHERE;
        return { ...candidate('argument', valuesOf(ARGUMENT_FEATURES, thing), label), thing, sources };
      });
  }

  /** Indices of the messages in which the value stands. */
  #sourcesOf(argument: Argument): readonly number[] {
    const corpus = corpusOf(this.#readings.heeded_text);
    if (corpus.tool.is_empty) return NOWHERE;
    const found: number[] = [];
    for (const { word } of outsidePlaces(argument, corpus).slice(0, MAX_PLACES)) {
      const { index } = corpus.tool.stretchOf(word).segment;
      if (!found.includes(index)) found.push(index);
    }
    return found;
  }

  /** Adds the messages of tools and documents. By index in the conversation, the node of each. */
  #messages(
    orders: readonly { order: Instruction }[],
    args: readonly { thing: ArgumentThing; sources: readonly number[] }[],
  ): ReadonlyMap<number, number> {
    const { text, heeded_text } = this.#readings;
    const known = new Map<number, number>();
    if (text.untrusted.length === 0) return known;
    const strangers = new Set(heeded_text.untrusted.map(({ index }) => index));
    const strength = new Map<number, number>();
    for (const { order } of orders)
      if (!order.is_in_identifier) strength.set(order.index, Math.max(strength.get(order.index) ?? 0, order.strength));
    const deciding = new Set(args.flatMap(({ thing, sources }) => (thing.is_decisive ? sources : [])));
    const indices = [...new Set(text.untrusted.map(({ index }) => index))];
    const candidates = indices.map((index) => {
      const thing = {
        is_workspace: !strangers.has(index),
        order: strength.get(index) ?? 0,
        provides_decisive: deciding.has(index),
      };
      const label = (): string => (thing.is_workspace ? 'project text' : 'text from outside');
      return { ...candidate('message', valuesOf(MESSAGE_FEATURES, thing), label), index };
    });
    for (const { node, index } of gravest(candidates, 'message')) known.set(index, this.#add(node));
    return known;
  }

  #addDestination(): number {
    const facts = this.#facts;
    const sink = facts.string('sink');
    if (sink === 'none' || sink === 'user') return -1;
    const at = this.#add({
      kind: 'destination',
      features: valuesOf(DESTINATION_FEATURES, facts),
      label: () => `destination: ${sink}`,
    });
    this.#link('sends_to', at, 0);
    return at;
  }

  /** Equal kinds of earlier actions are one node, so that nothing here grows with the session. */
  #addEarlier(): void {
    const { event, ontology } = this.#readings;
    const { steps, names } = stepsOf(event, ontology);
    const kinds = new Map<number, Candidate>();
    for (const [i, { signs }] of steps.entries()) {
      const features = valuesOf(EARLIER_FEATURES, signs);
      // Each is 0 or 1.
      const key = features.reduce((bits, value) => 2 * bits + value, 0);
      if (!kinds.has(key))
        kinds.set(
          key,
          candidate('earlier_action', features, () => show(names[i]!, ontology)),
        );
    }
    for (const { node } of gravest([...kinds.values()], 'earlier_action')) this.#link('precedes', this.#add(node), 0);
  }

  #addData(): void {
    const { touched, carried } = this.#readings.data;
    const classes = new Map<string, { thing: DataThing; data: DetectedData }>();
    const put = (data: DetectedData, is_carried: boolean, is_disguised: boolean): void => {
      const known = classes.get(data.data_class)?.thing;
      const thing: DataThing = {
        severity: Math.max(known?.severity ?? 0, data.severity),
        confidence: Math.max(known?.confidence ?? 0, data.confidence),
        is_carried: is_carried || known?.is_carried === true,
        is_disguised: is_disguised || known?.is_disguised === true,
      };
      classes.set(data.data_class, { thing, data });
    };
    for (const data of touched) put(data, false, false);
    for (const { data, technique } of carried) put(data, true, technique !== 'plain');
    const candidates = [...classes.values()].map(({ thing, data }) =>
      candidate('data', valuesOf(DATA_FEATURES, thing), () => `${data.data_class} data`),
    );
    for (const { node } of gravest(candidates, 'data')) this.#link('carries', this.#add(node), 0);
  }

  /** Target, agent and request, each where there is something to say of it. */
  #addSingles(): void {
    const facts = this.#facts;
    const singles = [
      { kind: 'target', edge: 'targets', features: TARGET_FEATURES, label: 'target' },
      { kind: 'agent', edge: 'delegates', features: AGENT_FEATURES, label: 'agent and tool server' },
      { kind: 'request', edge: 'asks', features: REQUEST_FEATURES, label: 'the user’s request' },
    ] as const;
    for (const { kind, edge, features, label } of singles) {
      const values = valuesOf(features, facts);
      if (values.every((value) => value === 0)) continue;
      this.#link(edge, this.#add({ kind, features: values, label: () => label }), 0);
    }
  }
}

const NOWHERE: readonly number[] = [];

function orderOf(order: Instruction, { ontology }: Readings): Candidate {
  return candidate('order', valuesOf(ORDER_FEATURES, order), () => show(order.excerpt, ontology));
}
