/** Values in text that the ontology's detectors recognise, within bounds on size and work. */

import type { Ontology, ValueDetector } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { VALIDATORS } from '../../../../ontology/validators/index.ts';
import { isTestValue, valueIn } from './detected-value.ts';
import { indexNeedles, type NeedleIndex, type TextShape } from './needle-index.ts';

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
const NO_DETECTORS: readonly Prepared[] = [];
const NO_POSITIONS: readonly number[] = [];

/** Longer strings are read in parts, each with the end of the one before it. */
const MAX_TEXT = 65_536;
const OVERLAP = 4_096;
/** Bounds on windows and matches of one detector in one string: more of the same changes nothing once a value was found. */
const MAX_WINDOWS = 400;
const MAX_WINDOW = 2_048;
/** Places of one literal in one string that are looked at. */
const MAX_POSITIONS = 4_096;
const MAX_MATCHES = 50;
/** Confidence of a value that is known to be an example. */
export const TEST_VALUE_CONFIDENCE = 0.2;

interface Prepared {
  detector: ValueDetector;
  kind: string;
  /** Own copy with the global flag: the ontology's pattern may be shared. */
  pattern: RegExp;
  isValid: ((match: string) => boolean) | undefined;
  /** Numbers in the index of the literals that the pattern runs near, and of those that the text must hold one of. */
  needles: readonly number[];
  requires: readonly number[];
}

interface Detectors {
  all: readonly Prepared[];
  /** Those of them that need no literal in the text, and those that need this one; by place in `all`. */
  without_needles: readonly number[];
  with_needle: readonly (readonly number[])[];
  /** For a text with this literal alone: both, in order. */
  with_only: readonly (readonly number[])[];
  index: NeedleIndex;
}

const detectorsOf = perOntology((ontology): Detectors => {
  const index = indexNeedles(ontology.value_detectors.flatMap(({ search }) => [...search.near, ...search.requires]));
  const numbersOf = (needles: readonly string[]): number[] => needles.map((needle) => index.numbers.get(needle)!);
  const all = ontology.value_detectors.map((detector) => ({
    detector,
    kind: kindOf(detector),
    pattern: new RegExp(detector.pattern.source, [...new Set(`${detector.pattern.flags}g`)].join('')),
    isValid: VALIDATORS.get(detector.validator),
    needles: numbersOf(detector.search.near),
    requires: numbersOf(detector.search.requires),
  }));
  const placesWhere = (holds: (one: Prepared) => boolean): number[] =>
    all.flatMap((one, place) => (holds(one) ? [place] : []));
  const without_needles = placesWhere(({ needles, requires }) => needles.length === 0 && requires.length === 0);
  const with_needle = [...index.numbers.values()].map((needle) =>
    placesWhere(({ needles, requires }) => needles.includes(needle) || requires.includes(needle)),
  );
  const with_only = with_needle.map((places) => [...new Set([...without_needles, ...places])].sort((a, b) => a - b));
  return { all, without_needles, with_needle, with_only, index };
});

/** The parts of the text that this detector has to see. */
function windowsOf({ text, positions }: TextShape, { detector, needles }: Prepared, reach: Reach): readonly string[] {
  const { beginning, before, after } = detector.search;
  if (beginning === null && needles.length === 0) return [text];
  const windows: string[] = [];
  let from = 0;
  let to = -1;
  // Windows that overlap are one, so that a page full of the same sign is read once and to its end.
  const add = (at: number): void => {
    if (to >= 0 && at >= from && at - before <= to && at + after - from <= MAX_WINDOW) {
      to = Math.max(to, at + after);
      return;
    }
    close();
    from = Math.max(0, at - before);
    to = at + after;
  };
  const close = (): void => {
    if (to >= 0 && windows.length < MAX_WINDOWS) windows.push(text.slice(from, to));
    else if (to >= 0) reach.is_full = true;
    to = -1;
  };
  // Most texts have no such beginning, and a search costs less than what `matchAll` makes.
  if (beginning !== null && text.search(beginning) >= 0) for (const { index } of text.matchAll(beginning)) add(index);
  for (const needle of needles) {
    const found = positions.get(needle) ?? NO_POSITIONS;
    if (found.length > MAX_POSITIONS) reach.is_full = true;
    for (const at of found) add(at);
  }
  close();
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

function isPossible(shape: TextShape, { detector, needles, requires }: Prepared): boolean {
  const { digits, run } = detector.search;
  if (shape.digits < digits || shape.longest_run < run) return false;
  return (needles.length === 0 || holdsAny(shape, needles)) && (requires.length === 0 || holdsAny(shape, requires));
}

function holdsAny({ positions }: TextShape, needles: readonly number[]): boolean {
  for (const needle of needles) if (positions.has(needle)) return true;
  return false;
}

/** The detectors that can match in this text, in the ontology's order. This check costs less than running their patterns. */
function possibleIn(shape: TextShape, detectors: Detectors): readonly Prepared[] {
  let possible: Prepared[] | null = null;
  for (const place of placesFor(shape, detectors)) {
    const one = detectors.all[place]!;
    if (isPossible(shape, one)) (possible ??= []).push(one);
  }
  return possible ?? NO_DETECTORS;
}

function placesFor(
  { positions }: TextShape,
  { all: { length: count }, without_needles, with_needle, with_only }: Detectors,
): readonly number[] {
  if (positions.size === 0) return without_needles;
  if (positions.size === 1) for (const needle of positions.keys()) return with_only[needle]!;
  const is_wanted = new Uint8Array(count);
  for (const place of without_needles) is_wanted[place] = 1;
  for (const needle of positions.keys()) for (const place of with_needle[needle]!) is_wanted[place] = 1;
  const places: number[] = [];
  for (let place = 0; place < count; place++) if (is_wanted[place] === 1) places.push(place);
  return places;
}

/** The ontology's detectors that may match in a short text. */
export function detectorsFor(text: string, ontology: Ontology): ValueDetector[] {
  const detectors = detectorsOf(ontology);
  return possibleIn(detectors.index.shapeOf(text, MAX_POSITIONS + 1), detectors).map((one) => one.detector);
}

/** The values that one detector finds; notes where it stopped early, and where it had found nothing real by then. */
function matchesIn(shape: TextShape, one: Prepared, ontology: Ontology, reach: Reach): readonly DetectedValue[] {
  const was_full = reach.is_full;
  reach.is_full = false;
  const found = boundedMatches(shape, one, ontology, reach);
  if (reach.is_full && !found.some(({ confidence }) => confidence > TEST_VALUE_CONFIDENCE)) reach.was_cut = true;
  reach.is_full ||= was_full;
  return found;
}

function boundedMatches(shape: TextShape, one: Prepared, ontology: Ontology, reach: Reach): readonly DetectedValue[] {
  const { detector, pattern, isValid } = one;
  let found: DetectedValue[] | null = null;
  let seen: Set<string> | null = null;
  for (const window of windowsOf(shape, one, reach)) {
    // `matchAll` would make a copy of the pattern each time, which costs more than most matches.
    pattern.lastIndex = 0;
    for (let match = pattern.exec(window); match !== null; match = pattern.exec(window)) {
      if (match[0] === '') pattern.lastIndex += 1;
      if (found !== null && found.length >= MAX_MATCHES) {
        reach.is_full = true;
        return found;
      }
      seen ??= new Set();
      if (seen.has(match[0])) continue;
      seen.add(match[0]);
      const valid = isValid === undefined ? match[0] : validPart(match[1] ?? match[0], isValid);
      if (valid === undefined) continue;
      const end = match.index + match[0].length;
      const value = valueIn(detector.value, valid, match[1] !== undefined, window.slice(end, end + 8), ontology);
      if (value === undefined) continue;
      const confidence = isTestValue(value, ontology) ? TEST_VALUE_CONFIDENCE : detector.confidence;
      const { id, data_class, subclass, severity } = detector;
      found ??= [];
      found.push({ detector: id, data_class, subclass, severity, confidence, value });
    }
  }
  return found ?? NONE;
}

/** Values with the same kind are interchangeable: in a long list one of them is enough. */
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
  reach: Reach,
): boolean {
  const others = possible.filter((one) => !known_kinds.has(one.kind));
  return others.every((one) => matchesIn(shape, one, ontology, reach).length === 0);
}

/** Notes what the bounds on work left unread. */
export interface Reach {
  /** A detector stopped early. */
  is_full: boolean;
  /** It had found no real value by then, so that one could stand behind. */
  was_cut: boolean;
}

export interface DetectOptions {
  /** Leaves the lighter detectors out. */
  min_severity?: number;
  /** The text stands under a key that speaks of a secret, which lets in what else would be guesswork. */
  under_secret_key?: boolean;
  /** Kinds of which no more are wanted: a text with nothing else is passed over. */
  known_kinds?: ReadonlySet<string> | undefined;
  reach?: Reach;
}

/** All values that the detectors find in `text`, each once. */
export function detectValues(text: string, ontology: Ontology, options: DetectOptions = {}): readonly DetectedValue[] {
  if (text.length <= MAX_TEXT) return detectIn(text, ontology, options);
  const found = new Map<string, DetectedValue>();
  for (let from = 0; from < text.length; from += MAX_TEXT - OVERLAP) {
    for (const value of detectIn(text.slice(from, from + MAX_TEXT), ontology, options)) keepGravest(value, found);
    if (from + MAX_TEXT >= text.length) break;
  }
  return [...found.values()];
}

function keepGravest(value: DetectedValue, found: Map<string, DetectedValue>): void {
  const key = `${value.data_class}\n${value.value}`;
  const other = found.get(key);
  if (other === undefined || other.severity < value.severity) found.set(key, value);
}

function detectIn(
  text: string,
  ontology: Ontology,
  {
    min_severity = 0,
    under_secret_key = false,
    known_kinds,
    reach = { is_full: false, was_cut: false },
  }: DetectOptions,
): readonly DetectedValue[] {
  if (text.length < 4) return NONE;
  const detectors = detectorsOf(ontology);
  const shape = detectors.index.shapeOf(text, MAX_POSITIONS + 1);
  const possible = possibleIn(shape, detectors);
  if (possible.length === 0) return NONE;
  if (known_kinds !== undefined && isOfKnownKinds(shape, possible, known_kinds, ontology, reach)) return NONE;
  let values: readonly DetectedValue[] = NONE;
  const checked: DetectedValue[] = [];
  for (const one of possible) {
    const { severity, search } = one.detector;
    if (severity < min_severity) continue;
    if (search.only_with !== '' && !isBeside(search.only_with, values, under_secret_key)) continue;
    const found = matchesIn(shape, one, ontology, reach);
    if (found.length > 0) values = values.length === 0 ? found : [...values, ...found];
    if (one.isValid !== undefined) checked.push(...found);
  }
  if (values.length < 2) return values;
  const found = new Map<string, DetectedValue>();
  for (const value of values) if (!isPartOfOther(value, checked)) keepGravest(value, found);
  return [...found.values()];
}

/** Digits of an account in groups may pass for a card: the longer value, which carries a check of its own, is what they are. */
const isPartOfOther = (value: DetectedValue, checked: readonly DetectedValue[]): boolean =>
  checked.includes(value) &&
  checked.some((other) => other.value.length > value.value.length && other.value.includes(value.value));

/** Was a value of this detector found, or does the key say as much? */
function isBeside(detector: string, values: readonly DetectedValue[], under_secret_key: boolean): boolean {
  return (under_secret_key && detector === 'secret_key') || values.some((value) => value.detector === detector);
}
