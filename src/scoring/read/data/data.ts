/** Which classes of data the action touches, what the agent has seen before, and what it carries along. */

import type { AgentEvent } from '../../../events/event.ts';
import { parametersOf } from '../../../events/parameters.ts';
import { joinedName, Recall } from '../../../lang/remember.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { setOf } from '../../../ontology/words.ts';
import type { ActionReading } from '../action/action.ts';
import { impliedByPlaces } from '../action/implied-class.ts';
import { domainOf, placesOf } from '../action/naming/action-domain.ts';
import { perPassage } from '../conversation/kept-passages.ts';
import type { TextReading } from '../conversation/text.ts';
import { classesRead } from '../past/sequence.ts';
import { matchFieldName } from '../words/field-names.ts';
import { Carrier, decodedFrom, INVISIBLE, type Technique, techniqueOf } from './carry.ts';
import { type DetectedValue, detectValues, kindOf, type Reach, TEST_VALUE_CONFIDENCE } from './found/detect.ts';
import type { DetectedData } from './found/detected-data.ts';
import { sentFiles } from './sent-files.ts';
import { accessedFields, parameterKeys, requestedColumns } from './touched-fields.ts';

export { readSink, type SinkReading } from './sink.ts';

export interface DataReading {
  /** Touched now: declared classifications, field names, parameter keys, detected values, the domain's implied class. */
  touched: DetectedData[];
  /** Values of sensitive classes in untrusted text: what the agent has already seen. */
  seen_values: DetectedData[];
  /** Classes implied by earlier reads in `preceding_actions`. */
  seen_classes: string[];
  /** Sensitive values seen earlier (or detected now) that parameters carry: plain, encoded, reversed, split, in chunks. */
  carried: { data: DetectedData; where: string; technique: Technique }[];
  /** 0-4: highest severity touched, carried included. */
  severity: number;
  /** A bound on the work left something of the parameters unread that could hold data of a kind not found. */
  was_cut: boolean;
  /** More sensitive values stand in untrusted text than are remembered. */
  seen_was_cut: boolean;
}

/** The ontology's bound on text that detectors read, of one event. */
const MAX_TEXT = 1_048_576;
/** Contact details (severity 1) stand in every mail: they are no secret that could be carried away. */
const SENSITIVE_VALUE = 2;
/** A value that is probably an example or a word was not seen as a sensitive value. */
const LEAST_CONFIDENCE = 0.5;
const MAX_SEEN = 100;
/** Findings beyond this many are kept only when they bring a new kind. */
const MAX_TOUCHED = 200;
const DOMAIN_CONFIDENCE = 0.4;
/** Texts that are read one by one; the rest of a long list is read in pieces of many, which costs a tenth. */
const MAX_SINGLE = 256;
/** Length of such a piece: short enough that the detectors' bounds on one text leave nothing of it out. */
const PIECE = 4_096;
/** Text of all parameters together in which a value is looked for that was split over several of them. */
const MAX_JOINED = 65_536;

function asData(where: string, found: DetectedValue): DetectedData {
  const { data_class, subclass, severity, confidence, value } = found;
  return { where, data_class, subclass, severity, basis: 'value', confidence, value };
}

interface TextLeaf {
  where: string;
  text: string;
  under_secret_key: boolean;
}

/** Strings and long numbers of the parameters, up to the bound on text. */
function textLeaves(event: AgentEvent, ontology: Ontology, reach: Reach): TextLeaf[] {
  const leaves: TextLeaf[] = [];
  let budget = MAX_TEXT;
  for (const { path, key, value } of parametersOf(event).leaves) {
    const text = typeof value === 'number' && value >= 1e7 ? String(value) : value;
    if (typeof text !== 'string' || text.length < 4) continue;
    if (budget <= 0) {
      reach.was_cut = true;
      break;
    }
    budget -= text.length;
    const under_secret_key = text.length >= 32 && matchFieldName(key, ontology)?.data_class === 'secret';
    leaves.push({ where: `parameters.${path}`, text, under_secret_key });
  }
  return leaves;
}

/** The leaves, those of a long list from some place on joined by lines; what is under a secret's key stays apart. */
function inPieces(leaves: readonly TextLeaf[]): readonly TextLeaf[] {
  if (leaves.length <= MAX_SINGLE) return leaves;
  const pieces = leaves.slice(0, MAX_SINGLE);
  for (const under_secret_key of [false, true]) {
    const rest = leaves.filter((leaf, at) => at >= MAX_SINGLE && leaf.under_secret_key === under_secret_key);
    for (let from = 0, to = 0; from < rest.length; from = to) {
      const texts: string[] = [];
      for (let room = PIECE; to < rest.length && (room > 0 || to === from); to += 1) {
        texts.push(rest[to]!.text);
        room -= rest[to]!.text.length + 1;
      }
      pieces.push({ where: rest[from]!.where, text: texts.join('\n'), under_secret_key });
    }
  }
  return pieces;
}

/** Values that the detectors find in the parameters; after many, only those of a kind that is new. */
function valuesIn(leaves: readonly TextLeaf[], ontology: Ontology, reach: Reach): DetectedData[] {
  const values: DetectedData[] = [];
  for (let at = 0; at < leaves.length; at += 1) {
    if (values.length >= MAX_TOUCHED) {
      newKindsIn(leaves.slice(at), values, ontology, reach);
      break;
    }
    const { where, text, under_secret_key } = leaves[at]!;
    for (const found of detectValues(text, ontology, { under_secret_key, reach })) values.push(asData(where, found));
  }
  return values;
}

/** Adds values of kinds that are not among the known ones, and those that stand beside them. */
function newKindsIn(leaves: readonly TextLeaf[], known: DetectedData[], ontology: Ontology, reach: Reach): void {
  const known_kinds = new Set<string>();
  // Examples say nothing about whether a real value of the same kind follows.
  const note = (found: DetectedData): void => {
    if (found.confidence > TEST_VALUE_CONFIDENCE) known_kinds.add(kindOf(found));
  };
  for (const data of known) note(data);
  for (const { where, text, under_secret_key } of leaves) {
    for (const found of detectValues(text, ontology, { under_secret_key, known_kinds, reach })) {
      const data = asData(where, found);
      known.push(data);
      note(data);
    }
  }
}

/** The sensitive values of a result, and what of it was left out. */
const sensitiveIn = perPassage((said, ontology) => {
  const reach: Reach = { is_full: false, was_cut: false };
  // A page with characters of no width inside a word shows the same word.
  const visible = said.replace(INVISIBLE, '');
  return { values: detectValues(visible, ontology, { min_severity: SENSITIVE_VALUE, reach }), reach };
});

function seenValues(text: TextReading, ontology: Ontology, reach: Reach): DetectedData[] {
  if (text.untrusted.length === 0) return [];
  const seen = new Map<string, DetectedData>();
  let budget = MAX_TEXT;
  for (const passage of text.untrusted) {
    if (budget <= 0 || seen.size >= MAX_SEEN) {
      reach.is_full = true;
      break;
    }
    budget -= passage.text.length;
    const sensitive = sensitiveIn(passage, ontology);
    reach.is_full ||= sensitive.reach.is_full;
    reach.was_cut ||= sensitive.reach.was_cut;
    for (const found of sensitive.values) {
      if (found.confidence < LEAST_CONFIDENCE) continue;
      if (seen.size >= MAX_SEEN) reach.is_full = true;
      else seen.set(`${found.data_class}\n${found.value}`, asData(`conversation_history[${passage.index}]`, found));
    }
  }
  return [...seen.values()];
}

/** Sensitive values that a parameter holds only in encoded form: encoding suggests that they are meant to be hidden. */
function disguised(leaves: readonly TextLeaf[], ontology: Ontology, reach: Reach): DataReading['carried'] {
  const carried: DataReading['carried'] = [];
  for (const { where, text: whole } of leaves) {
    for (const [technique, text] of decodedFrom(whole)) {
      if (technique === 'url' && text.length === whole.length) continue;
      for (const value of detectValues(text, ontology, { min_severity: SENSITIVE_VALUE, reach }))
        carried.push({ data: asData(where, value), where, technique });
    }
  }
  return carried;
}

function carriedValues(
  leaves: readonly TextLeaf[],
  pieces: readonly TextLeaf[],
  seen: readonly DetectedData[],
  ontology: Ontology,
  reach: Reach,
): DataReading['carried'] {
  const carried = disguised(pieces, ontology, reach);
  if (leaves.length === 0 || seen.length === 0) return carried;
  const carriers = leaves.map(({ where, text }) => new Carrier(where, text));
  const all = joinedCarrier(leaves);
  for (const data of seen) {
    let is_found = false;
    for (const carrier of carriers) {
      const technique = techniqueOf(carrier, data.value);
      if (technique === undefined) continue;
      is_found = true;
      carried.push({ data, where: carrier.where, technique });
    }
    if (is_found || leaves.length < 2) continue;
    if (all === undefined) reach.was_cut = true;
    else if (techniqueOf(all, data.value) !== undefined) {
      carried.push({ data, where: 'parameters', technique: 'split' });
    }
  }
  return carried;
}

/** All parameters as one text: a value may be split over several of them. */
function joinedCarrier(leaves: readonly TextLeaf[]): Carrier | undefined {
  const joined = leaves.length < 2 ? '' : leaves.map(({ text }) => text).join('');
  return joined.length > 0 && joined.length <= MAX_JOINED ? new Carrier('parameters', joined) : undefined;
}

/** The first ones, and of the rest those of a new kind; a list can hold a hundred thousand. */
function withinBounds(found: DetectedData[]): DetectedData[] {
  if (found.length <= MAX_TOUCHED) return found;
  const kinds = new Map<string, Map<string, Set<string>>>();
  return found.filter(({ data_class, subclass, severity, basis, confidence }, i) => {
    let subclasses = kinds.get(data_class);
    if (subclasses === undefined) kinds.set(data_class, (subclasses = new Map()));
    let known = subclasses.get(subclass);
    if (known === undefined) subclasses.set(subclass, (known = new Set()));
    const kind = `${severity} ${basis} ${confidence}`;
    const is_kept = i < MAX_TOUCHED || !known.has(kind);
    known.add(kind);
    return is_kept;
  });
}

const impliedData = perOntology(() => new Recall<readonly DetectedData[]>());

export function readData(event: AgentEvent, ontology: Ontology, action: ActionReading, text: TextReading): DataReading {
  const reach: Reach = { is_full: false, was_cut: false };
  const seen_reach: Reach = { is_full: false, was_cut: false };
  const leaves = textLeaves(event, ontology, reach);
  const pieces = inPieces(leaves);
  const values = valuesIn(pieces, ontology, reach);
  const specific = setOf(ontology, 'specific_classes');
  const told = placesOf(action.domains, ontology);
  // Of a shell that only the tool or the server tells, nothing follows about the data that a command touches.
  const places = action.only_runs_content
    ? told.filter((place) => specific.has(place.implied_class) || place === domainOf(action.domain, ontology))
    : told;
  const implied = impliedData(ontology).get(
    joinedName(places.map(({ domain }) => domain).join(' '), action.scope),
    () =>
      impliedByPlaces(places, action.scope, ontology).map((one) => ({
        ...one,
        where: 'action',
        basis: 'domain' as const,
        confidence: DOMAIN_CONFIDENCE,
        value: '',
      })),
  );
  const touched = withinBounds([
    ...values,
    ...accessedFields(event, ontology),
    ...parameterKeys(event, ontology),
    ...requestedColumns(event, ontology),
    ...sentFiles(event, ontology, action),
    // A shell is a sensitive place whatever runs in it. Which data a command touches, its effects say.
    ...(action.runs_understood_content ? implied.filter(({ data_class }) => specific.has(data_class)) : implied),
  ]);
  const seen_values = seenValues(text, ontology, seen_reach);
  const carried = carriedValues(leaves, pieces, seen_values, ontology, reach);
  let severity = 0;
  for (const data of touched) severity = Math.max(severity, data.severity);
  for (const { data } of carried) severity = Math.max(severity, data.severity);
  return {
    touched,
    seen_values,
    seen_classes: classesRead(event, ontology),
    carried,
    severity,
    was_cut: reach.was_cut,
    seen_was_cut: seen_reach.is_full,
  };
}
