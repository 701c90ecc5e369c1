/**
 * Whether the user asks to delete what is old («keep 30 daily snapshots, delete the older ones», «purge visits older than six
 * months»), and the action deletes only what is old: a date bounds it, or a look-up of the agent gave the dates.
 */
import type { AgentEvent } from '../../../../events/event.ts';
import { parametersOf } from '../../../../events/parameters.ts';
import { standsAlone } from '../../../../lang/stands-alone.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { anyOf, patternOf } from '../../../../ontology/words.ts';
import { readCalls, sureResults } from '../../conversation/calls.ts';
import type { TextReading } from '../../conversation/text.ts';
import { perRequest } from '../../conversation/user-words.ts';
import { foldText } from '../../words/fold.ts';
import { askedQuantities, type Quantity, quantitiesIn } from '../contradiction/values/quantities.ts';
import { type OrderParts, removesOwnNames } from './exact-order.ts';
import { objectNames } from './object-names.ts';

const words = perOntology((ontology) => ({
  wishes: anyOf(ontology, 'retention_wishes'),
  holds: patternOf(ontology, 'retention_holds', 'set'),
  bound: patternOf(ontology, 'retention_bounds', 'before'),
  span: patternOf(ontology, 'retention_bounds', 'span'),
}));

const MAX_NAMES = 200;
const MAX_TEXT = 16_384;
const DATE = /(?<!\d)(20\d\d)-(\d\d)-(\d\d)(?!\d)/g;
const DAY_SECONDS = 86_400;
/** Months differ in length, and a nightly job may run some hours early. */
const TOLERANCE = 0.95;
const TIME = 'units_time';

const wantsRetention = perRequest((said, ontology) => words(ontology).wishes.test(foldText(said).slice(0, MAX_TEXT)));

/** False where nothing shows the age of one of the deleted things, or a result says that one of them is held. */
export function isAskedRetention(parts: OrderParts): boolean {
  const { event, ontology, action, content, heeded_text: text, intent } = parts;
  if (action.effective_group !== 'delete' || !text.has_request || !wantsRetention(text)) return false;
  if (intent.was_refused || intent.outside_order_strength > 0) return false;
  if (content.has_unbounded_statement && !removesOwnNames(content)) return false;
  const age = ageOf(event, ontology);
  if (age === null) return areOldest(parts);
  const asked = askedAges(text);
  return age.seconds > 0 && (asked.length === 0 || reachesAge(age, asked));
}

/** The least age of what an action takes. */
export interface Age {
  seconds: number;
  /** Path of the parameter that says it, and how it says it. */
  path: string;
  text: string;
}

/**
 * By the date before which the action takes everything (`older_than: 2025-03-01`, `where: "visited_at < '2025-03-01'"`) or by a span
 * (`ts < current_date - 180`, `older_than: 90d`); null where it says none.
 */
export function ageOf(event: AgentEvent, ontology: Ontology): Age | null {
  const { bound, span } = words(ontology);
  for (const { name, path, value } of parametersOf(event).leaves) {
    if (typeof value !== 'string' && typeof value !== 'number') continue;
    const read = `${name} ${String(value).slice(0, MAX_TEXT)}`;
    const date = bound.exec(read)?.[1];
    // A second date may open the other end.
    if (date !== undefined && (read.match(DATE) ?? []).length === 1)
      return { seconds: (Date.parse(event.timestamp ?? '') - Date.parse(date)) / 1_000, path, text: date };
    const found = span.exec(read);
    if (found === null || read.match(COMPARISON)?.length === 2) continue;
    const [, number, unit] = found.filter((part) => part !== undefined);
    const quantity = quantitiesIn(`${number} ${unit ?? DAYS}`, ontology)[0];
    if (quantity !== undefined) return { seconds: quantity.value, path, text: found[0].trim() };
  }
  return null;
}

const DAYS = 'days';
const COMPARISON = /[<>]|\b(?:or|between)\b/gi;

/** The ages from which on the user wants things deleted. */
export const askedAges = (text: TextReading): readonly Quantity[] =>
  wantsRetention(text)
    ? askedQuantities(text).filter(({ value, dimensions }) => dimensions.includes(TIME) && value >= DAY_SECONDS)
    : [];

export const reachesAge = ({ seconds }: Age, asked: readonly Quantity[]): boolean =>
  asked.some(({ value }) => seconds >= value * TOLERANCE);

/** Whether a look-up gave each thing with its date, and gave younger ones that stay. */
function areOldest({ event, ontology, content }: OrderParts): boolean {
  const names = objectNames({ event, ontology, content })?.filter((name) => /\d/.test(name)) ?? [];
  if (names.length === 0 || names.length > MAX_NAMES) return false;
  const calls = readCalls(event, ontology);
  const lines = calls
    .flatMap((call) => sureResults(call, calls))
    .flatMap((result) => result.slice(0, MAX_TEXT).split('\n'));
  let newest_gone = '';
  let newest_kept = '';
  const seen = new Set<string>();
  for (const line of lines) {
    const dates = line.match(DATE) ?? [];
    const named = names.filter((name) => standsAlone(name, line));
    if (named.length > 0 && words(ontology).holds.test(line)) return false;
    if (dates.length === 0) continue;
    const newest = dates.reduce((a, b) => (a > b ? a : b));
    if (named.length === 0) newest_kept = newest > newest_kept ? newest : newest_kept;
    else newest_gone = newest > newest_gone ? newest : newest_gone;
    for (const name of named) seen.add(name);
  }
  return seen.size === new Set(names).size && newest_gone < newest_kept;
}
