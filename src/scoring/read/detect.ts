/** Values in text that the ontology's detectors recognise, within bounds on size and work. */
import type { Ontology, ValueDetector } from '../ontology.ts';
import { VALIDATORS } from '../validators.ts';
import { isTestValue, valueIn } from './detected-value.ts';
import { ANCHORS, type Anchor } from './detector-anchors.ts';
import { indexNeedles, type NeedleIndex, type TextShape } from './needle-index.ts';
import { perOntology } from './remember.ts';

export interface DetectedValue {
  detector: string;
  data_class: string;
  subclass: string;
  severity: number;
  confidence: number;
  /** The value itself, without the words that led to it. */
  value: string;
}

const NONE: readonly DetectedValue[] = [];
const NOBODY: readonly Prepared[] = [];

/** Longer strings are read at both ends: the ontology's bound of 64 kB a string. */
const MAX_TEXT = 65_536;
/** So many windows and matches of one detector in one string; more of the same changes nothing. */
const MAX_WINDOWS = 200;
const MAX_MATCHES = 50;
/** Confidence of a value that is known to be an example. */
const TEST_VALUE_CONFIDENCE = 0.2;

interface Prepared {
  detector: ValueDetector;
  anchor: Anchor;
  kind: string;
  /** Own copy with the global flag: the ontology's pattern may be shared. */
  pattern: RegExp;
  isValid: ((match: string) => boolean) | undefined;
  /** Numbers of the anchor's needles in the index; of what the text must hold. */
  needles: readonly number[];
  requires: readonly number[];
}

interface Detectors {
  all: readonly Prepared[];
  /** Those of them that need no literal in the text. */
  without_needles: readonly Prepared[];
  index: NeedleIndex;
}

const detectorsOf = perOntology((ontology): Detectors => {
  const anchors = ontology.value_detectors.map(({ id }) => ANCHORS.get(id) ?? {});
  const index = indexNeedles(anchors.flatMap(({ needles = [], requires = [] }) => [...needles, ...requires]));
  const numbersOf = (needles: readonly string[] = []): number[] => needles.map((needle) => index.numbers.get(needle)!);
  const all = ontology.value_detectors.map((detector, i) => ({
    detector,
    anchor: anchors[i]!,
    kind: kindOf(detector),
    pattern: new RegExp(detector.pattern.source, [...new Set(`${detector.pattern.flags}g`)].join('')),
    isValid: VALIDATORS.get(detector.validator),
    needles: numbersOf(anchors[i]!.needles),
    requires: numbersOf(anchors[i]!.requires),
  }));
  const without_needles = all.filter(({ anchor }) => anchor.needles === undefined && anchor.requires === undefined);
  return { all, without_needles, index };
});

/** The parts of the text that this detector has to see. */
function windowsOf({ text, positions }: TextShape, { anchor, needles }: Prepared): string[] {
  const { beginning, before = 1, after = 0 } = anchor;
  if (beginning === undefined && anchor.needles === undefined) return [text];
  const windows: string[] = [];
  const add = (at: number): void => {
    if (windows.length < MAX_WINDOWS) windows.push(text.slice(Math.max(0, at - before), at + after));
  };
  if (beginning !== undefined) for (const { index } of text.matchAll(beginning)) add(index);
  for (const needle of needles) for (const at of positions.get(needle) ?? []) add(at);
  return windows;
}

/** The match that passes its check: whole, or without the groups behind a blank that it took in (`… 0130 00 EUR`). */
function validPart(match: string, isValid: (match: string) => boolean): string | undefined {
  for (let part = match; part.length >= 8; part = part.slice(0, part.lastIndexOf(' '))) {
    if (isValid(part)) return part;
    if (!part.includes(' ')) return undefined;
  }
  return undefined;
}

function isPossible(shape: TextShape, { anchor, needles, requires }: Prepared): boolean {
  if (shape.digits < (anchor.digits ?? 0) || shape.longest_run < (anchor.run ?? 0)) return false;
  return (
    (anchor.needles === undefined || holdsAny(shape, needles)) &&
    (anchor.requires === undefined || holdsAny(shape, requires))
  );
}

function holdsAny({ positions }: TextShape, needles: readonly number[]): boolean {
  for (const needle of needles) if (positions.has(needle)) return true;
  return false;
}

/** The detectors that can match somewhere in this text, in the ontology's order: a pattern costs more than to know. */
function possibleIn(shape: TextShape, { all, without_needles }: Detectors): readonly Prepared[] {
  const possible: Prepared[] = [];
  for (const one of shape.positions.size === 0 ? without_needles : all) if (isPossible(shape, one)) possible.push(one);
  return possible.length === 0 ? NOBODY : possible;
}

/** The ontology's detectors that may match in a short text. */
export function detectorsFor(text: string, ontology: Ontology): ValueDetector[] {
  const detectors = detectorsOf(ontology);
  return possibleIn(detectors.index.shapeOf(bounded(text), MAX_WINDOWS), detectors).map((one) => one.detector);
}

function matchesIn(shape: TextShape, one: Prepared, ontology: Ontology): DetectedValue[] {
  const { detector, pattern, isValid } = one;
  const found: DetectedValue[] = [];
  for (const window of windowsOf(shape, one)) {
    for (const match of window.matchAll(pattern)) {
      if (found.length >= MAX_MATCHES) return found;
      const valid = isValid === undefined ? match[0] : validPart(match[1] ?? match[0], isValid);
      if (valid === undefined) continue;
      const value = valueIn(detector.id, valid, match[1] !== undefined);
      if (value === undefined) continue;
      const confidence = isTestValue(value, ontology) ? TEST_VALUE_CONFIDENCE : detector.confidence;
      const { id, data_class, subclass, severity } = detector;
      found.push({ detector: id, data_class, subclass, severity, confidence, value });
    }
  }
  return found;
}

function bounded(text: string): string {
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT / 2)}\n${text.slice(-MAX_TEXT / 2)}`;
}

/** What two values have in common of which one is enough in a long list. */
export const kindOf = ({
  data_class,
  subclass,
  severity,
}: Omit<DetectedValue, 'detector' | 'confidence' | 'value'>): string => `${data_class} ${subclass} ${severity}`;

/** Can only detectors of known kinds find something here? */
function isOfKnownKinds(
  shape: TextShape,
  possible: readonly Prepared[],
  known_kinds: ReadonlySet<string>,
  ontology: Ontology,
): boolean {
  const others = possible.filter((one) => !known_kinds.has(one.kind));
  return others.every((one) => matchesIn(shape, one, ontology).length === 0);
}

export interface DetectOptions {
  /** Leaves the lighter detectors out. */
  min_severity?: number;
  /** The text stands under a key that speaks of a secret, which lets in what else would be guesswork. */
  under_secret_key?: boolean;
  /** Kinds of which no more are wanted: a text with nothing else is passed over. */
  known_kinds?: ReadonlySet<string> | undefined;
}

/** All values that the detectors find in `text`, each once. */
export function detectValues(
  text: string,
  ontology: Ontology,
  { min_severity = 0, under_secret_key = false, known_kinds }: DetectOptions = {},
): readonly DetectedValue[] {
  if (text.length < 4) return NONE;
  const detectors = detectorsOf(ontology);
  const shape = detectors.index.shapeOf(bounded(text), MAX_WINDOWS);
  const possible = possibleIn(shape, detectors);
  if (possible.length === 0) return NONE;
  if (known_kinds !== undefined && isOfKnownKinds(shape, possible, known_kinds, ontology)) return NONE;
  const found = new Map<string, DetectedValue>();
  const ids = new Set<string>(under_secret_key ? ['secret_key'] : []);
  for (const one of possible) {
    const { anchor, detector } = one;
    if (detector.severity < min_severity) continue;
    if (anchor.only_with !== undefined && !ids.has(anchor.only_with)) continue;
    for (const value of matchesIn(shape, one, ontology)) {
      ids.add(value.detector);
      const key = `${value.data_class}\n${value.value}`;
      const other = found.get(key);
      if (other === undefined || other.severity < value.severity) found.set(key, value);
    }
  }
  return [...found.values()];
}
