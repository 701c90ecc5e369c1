/** Data that names speak of: declared classifications, data fields, parameter keys, column names in queries. */

import type { AgentEvent } from '../../../events/event.ts';
import { parametersOf } from '../../../events/parameters.ts';
import type { Json } from '../../../lang/json.ts';
import { asciiLower, isPlausibleName, namesNothing, snakeCase } from '../../../lang/names.ts';
import { joinedName, Recall, remembering } from '../../../lang/remember.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { setOf } from '../../../ontology/words.ts';
import { gravestKinds, matchFieldName } from '../words/field-names.ts';
import type { DetectedData } from './found/detected-data.ts';

/** An unknown label counts as restricted, so that it never looks harmless. */
const UNKNOWN_LABEL = { data_class: 'restricted', severity: 3, confidence: 0.5 };
/** A field without a known name counts as internal. */
const UNKNOWN_FIELD = { data_class: 'internal', subclass: '', severity: 1, confidence: 0.3 };
const UNJUDGEABLE_CONFIDENCE = 0.3;
const AMBIGUOUS_CONFIDENCE = 0.6;
const COLUMN_CONFIDENCE = 0.6;

const keys = perOntology((ontology) => ({
  columns: setOf(ontology, 'column_parameters'),
  queries: setOf(ontology, 'query_parameters'),
}));
const MAX_QUERY = 8192;
const MAX_COLUMNS = 200;

function classified(field: string, label: string, ontology: Ontology): DetectedData[] {
  const labels = [label, ...label.split(/[,;|/+&]/)].map((part) => asciiLower(part.trim()));
  const whole = ontology.class_labels.get(labels[0]!) ?? ontology.class_labels.get(snakeCase(label));
  const found = whole === undefined ? labels.slice(1).map((part) => ontology.class_labels.get(part)) : [whole];
  return found.map((data_class) => {
    const known = data_class === undefined ? undefined : ontology.data_classes.get(data_class);
    const what =
      known === undefined ? UNKNOWN_LABEL : { data_class: known.data_class, severity: known.severity, confidence: 1 };
    return { where: field, subclass: '', basis: 'declared', value: '', ...what };
  });
}

/**
 * What a data field's name says. A name that no program could have cannot be judged, so it may be anything of the
 * gravest kind; only a whole entry of the ontology makes an exception. What names nothing is not a field.
 */
const namedByField = perOntology((ontology) => remembering((field) => named(field, ontology)));

function named(field: string, ontology: Ontology): readonly DetectedData[] {
  if (namesNothing(field)) return [];
  const match = matchFieldName(field, ontology);
  const base = { where: field, basis: 'field_name' as const, value: '' };
  if (!isPlausibleName(field) && !(match?.is_whole && /^[A-Za-z0-9 _.-]{1,64}$/.test(field))) {
    return gravestKinds(ontology).map(({ kind: subclass, data_class, severity }) => ({
      ...base,
      data_class,
      subclass,
      severity,
      confidence: UNJUDGEABLE_CONFIDENCE,
    }));
  }
  if (match === undefined) return [{ ...base, ...UNKNOWN_FIELD }];
  const { data_class, subclass, severity } = match;
  const confidence = match.is_ambiguous ? Math.min(match.confidence, AMBIGUOUS_CONFIDENCE) : match.confidence;
  return [{ ...base, data_class, subclass, severity, confidence }];
}

const classifiedByBoth = perOntology(() => new Recall<readonly DetectedData[]>());

/** Fields that the host says were accessed. */
export function accessedFields(event: AgentEvent, ontology: Ontology): DetectedData[] {
  const byField = namedByField(ontology);
  const found: DetectedData[] = [];
  for (const entry of event.data_fields_accessed ?? []) {
    const field = typeof entry === 'string' ? entry : entry.field;
    const label = typeof entry === 'string' ? '' : (entry.classification ?? '');
    if (!namesNothing(label)) {
      const both = classifiedByBoth(ontology);
      found.push(...both.get(joinedName(field, label), () => classified(field, label, ontology)));
    }
    found.push(...byField(field));
  }
  return found;
}

/** Does the value fit an ambiguous name? A number or a word of letters and digits does, `true` and `page` do not. */
function fits(value: Json): boolean {
  if (typeof value === 'number') return true;
  return typeof value === 'string' && value.length >= 4 && /\d/.test(value);
}

/** A list or an object is when something in it is. */
function isFilled(value: Json): boolean {
  if (value === null || typeof value === 'boolean') return false;
  if (typeof value === 'string') return !namesNothing(value);
  return typeof value !== 'object' || Object.values(value).some(isFilled);
}

/** Keys of the parameters that name data and have a value. */
export function parameterKeys(event: AgentEvent, ontology: Ontology): DetectedData[] {
  const found: DetectedData[] = [];
  for (const { path, key, value } of parametersOf(event).entries) {
    if (!isFilled(value)) continue;
    const match = matchFieldName(key, ontology);
    if (match === undefined || match.severity === 0 || (match.is_ambiguous && !fits(value))) continue;
    const { data_class, subclass, severity, confidence } = match;
    found.push({
      where: `parameters.${path}`,
      data_class,
      subclass,
      severity,
      confidence,
      basis: 'field_name',
      value: '',
    });
  }
  return found;
}

/** Field names that stand as values: lists of columns, and the words of a query. */
export function requestedColumns(event: AgentEvent, ontology: Ontology): DetectedData[] {
  const { columns: lists, queries } = keys(ontology);
  const found: DetectedData[] = [];
  for (const { path, name, value } of parametersOf(event).leaves) {
    if (typeof value !== 'string') continue;
    const is_list = lists.has(name);
    if (!is_list && !queries.has(name)) continue;
    const columns =
      value
        .slice(0, MAX_QUERY)
        .replace(/'[^']*'/g, ' ')
        .match(/[A-Za-z_][A-Za-z0-9_.]{2,63}/g) ?? [];
    for (const column of new Set(columns.slice(0, MAX_COLUMNS))) {
      const match = matchFieldName(column, ontology);
      if (match === undefined || match.severity === 0 || (!is_list && (!match.is_whole || match.is_ambiguous)))
        continue;
      const { data_class, subclass, severity } = match;
      found.push({
        where: `parameters.${path}`,
        data_class,
        subclass,
        severity,
        confidence: COLUMN_CONFIDENCE,
        basis: 'field_name',
        value: '',
      });
    }
  }
  return found;
}
