/** What a field's name says about its data (ontology, `fields`): whole name, part of a name, run-together name. */

import { singular, snakeCase } from '../../../lang/names.ts';
import { remembering } from '../../../lang/remember.ts';
import type { FieldNameEntry, FieldNameMatching, Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';

export interface FieldMatch {
  data_class: string;
  subclass: string;
  severity: number;
  confidence: number;
  /** A short name with many meanings: needs a value or a domain that fits. */
  is_ambiguous: boolean;
  /** The whole name is an entry, not only a part of it. */
  is_whole: boolean;
}

/** A match with less confidence is dropped. */
const LEAST = 0.5;
const MAX_PARTS = 10;
/** Severity from which a class is sensitive. */
const SENSITIVE = 3;

interface FieldTable {
  by_name: ReadonlyMap<string, FieldNameEntry>;
  /** First six letters of a run-together name → names that begin so. */
  by_beginning: ReadonlyMap<string, readonly string[]>;
  by_ending: ReadonlyMap<string, readonly string[]>;
  negative: ReadonlySet<string>;
  ambiguous: ReadonlySet<string>;
  rules: FieldNameMatching;
}

function makeTable(ontology: Ontology): FieldTable {
  const rules = ontology.field_name_matching;
  const begins = rules.inside_min_length;
  const by_name = new Map<string, FieldNameEntry>();
  const by_beginning = new Map<string, string[]>();
  const by_ending = new Map<string, string[]>();
  const push = (map: Map<string, string[]>, key: string, name: string): void => {
    const list = map.get(key);
    if (list === undefined) map.set(key, [name]);
    else list.push(name);
  };
  for (const entry of ontology.field_names) {
    for (const name of entry.names) {
      by_name.set(name, entry);
      const joined = name.replaceAll('_', '');
      if (joined.length < begins || entry.severity === 0) continue;
      by_name.set(joined, entry);
      push(by_beginning, joined.slice(0, begins), joined);
      push(by_ending, joined.slice(-begins), joined);
    }
  }
  const negative = new Set(rules.negative_parts);
  const ambiguous = new Set(rules.ambiguous);
  return { by_name, by_beginning, by_ending, negative, ambiguous, rules };
}

function match(name: string, parts: readonly string[], confidence: number, table: FieldTable): FieldMatch | undefined {
  const entry = table.by_name.get(name);
  if (entry === undefined) return undefined;
  const { rules, negative, ambiguous } = table;
  const is_whole = confidence === rules.whole;
  const sure = !is_whole && parts.some((part) => negative.has(part)) ? confidence - rules.negative_penalty : confidence;
  if (sure < LEAST) return undefined;
  const { kind: subclass, data_class, severity } = entry;
  return { data_class, subclass, severity, confidence: sure, is_ambiguous: ambiguous.has(name), is_whole };
}

/** The name's last or first parts: `customer_iban`, `iban_old`, `billing_addresses`. The longest entry wins. */
function matchAtBorder(parts: readonly string[], table: FieldTable): FieldMatch | undefined {
  for (let skip = 1; skip < parts.length; skip++) {
    const ending = parts.slice(skip).join('_');
    const beginning = parts.slice(0, parts.length - skip).join('_');
    for (const name of [ending, singular(ending), beginning]) {
      if (table.by_name.has(name)) return match(name, parts, table.rules.at_border, table);
    }
  }
  return undefined;
}

/** A name without separators that begins or ends with an entry: `clientpassword`. */
function matchJoined(parts: readonly string[], table: FieldTable): FieldMatch | undefined {
  const joined = parts.join('');
  const least = table.rules.inside_min_length;
  if (joined.length < least) return undefined;
  const begins = table.by_beginning.get(joined.slice(0, least))?.find((name) => joined.startsWith(name));
  const ends = table.by_ending.get(joined.slice(-least))?.find((name) => joined.endsWith(name));
  const name = ends ?? begins;
  return name === undefined ? undefined : match(name, parts, table.rules.inside, table);
}

/** The ontology's match for a field name, `undefined` if there is none. Leading parts of a path are dropped. */
export function matchFieldName(field: string, ontology: Ontology): FieldMatch | undefined {
  return matchesByName(ontology)(field) ?? undefined;
}

const matchesByName = perOntology((ontology) => {
  const table = makeTable(ontology);
  return remembering((field) => findMatch(field, table) ?? null);
});

function findMatch(field: string, table: FieldTable): FieldMatch | undefined {
  const leaf = field.slice(field.lastIndexOf('.') + 1);
  const name = snakeCase(leaf === '' ? field : leaf);
  if (name === '' || name.length > 128) return undefined;
  const parts = name.split('_').slice(0, MAX_PARTS);
  const whole = [name, singular(name)].find((one) => table.by_name.has(one));
  if (whole !== undefined) return match(whole, parts, table.rules.whole, table);
  if (parts.length === 1) return matchJoined(parts, table);
  const found = matchAtBorder(parts, table);
  // A public word at the border does not make the field public: `status_of_treatment`.
  if (found !== undefined && found.severity > 0) return found;
  return matchJoined(parts, table) ?? found;
}

/** The gravest kinds of every sensitive class, assumed for a name that cannot be judged at all. */
export function gravestKinds(ontology: Ontology): readonly FieldNameEntry[] {
  const highest = new Map<string, number>();
  for (const { data_class, severity } of ontology.field_names) {
    highest.set(data_class, Math.max(severity, highest.get(data_class) ?? 0));
  }
  return ontology.field_names.filter(
    ({ data_class, severity }) => severity >= SENSITIVE && severity === highest.get(data_class),
  );
}
