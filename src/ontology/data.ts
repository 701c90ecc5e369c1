/** `data/`: classes, what names of fields say, and what values are by their form. */

import { readClass } from './actions.ts';
import type { Files } from './files.ts';
import { readExamples, readPattern, readSource } from './pattern.ts';
import { putOnce, type Row } from './row.ts';
import type {
  DataClassEntry,
  DetectedPart,
  DetectorSearch,
  FieldNameEntry,
  FieldNameMatching,
  Ontology,
  ValueDetector,
} from './terms.ts';
import { VALIDATORS } from './validators/index.ts';

type Classes = Pick<Ontology, 'data_classes' | 'class_labels'>;

export function readClasses(files: Files): Classes {
  const file = files.one('data/classes.yaml');
  const data_classes = new Map<string, DataClassEntry>();
  const class_labels = new Map<string, string>();
  for (const row of file.rows('classes', 'class')) {
    const name = row.text('class');
    putOnce(
      data_classes,
      name,
      { data_class: name, severity: row.integer('severity', 0, 4), meaning: row.text('meaning') },
      row,
    );
    row.textOr('note', '');
    for (const label of row.texts('labels')) {
      if (label !== label.toLowerCase())
        row.problems.add(row.where, `the label \`${label}\` has capitals; labels are compared in lower case`);
      putOnce(class_labels, label, name, row);
    }
    row.done();
  }
  file.done();
  return { data_classes, class_labels };
}

type FieldNames = Pick<Ontology, 'field_names' | 'field_name_matching'>;

export function readFieldNames(files: Files, classes: Ontology['data_classes']): FieldNames {
  const file = files.one('data/fields.yaml');
  const field_name_matching = readMatching(file.row('matching'));
  const kinds = new Map<string, FieldNameEntry>();
  const owners = new Map<string, string>();
  for (const row of file.rows('kinds', 'kind')) {
    const kind = row.text('kind');
    const names = row.texts('names');
    putOnce(
      kinds,
      kind,
      { kind, data_class: readClass(row, 'class', classes), severity: row.integer('severity', 0, 4), names },
      row,
    );
    row.textOr('note', '');
    row.done();
    for (const name of names) {
      if (!/^[a-z0-9_]+$/.test(name))
        row.problems.add(row.where, `the name \`${name}\` is not normalised; use a-z, 0-9 and underscores`);
      putOnce(owners, name, kind, row);
    }
  }
  file.done();
  return { field_names: [...kinds.values()], field_name_matching };
}

function readMatching(row: Row): FieldNameMatching {
  const matching: FieldNameMatching = {
    whole: row.number('whole', 0, 1),
    at_border: row.number('at_border', 0, 1),
    inside: row.number('inside', 0, 1),
    inside_min_length: row.integer('inside_min_length', 1, 64),
    negative_penalty: row.number('negative_penalty', 0, 1),
    negative_parts: row.texts('negative_parts'),
    ambiguous: row.texts('ambiguous'),
  };
  row.done();
  return matching;
}

export function readDetectors(
  files: Files,
  classes: Ontology['data_classes'],
  kinds: readonly FieldNameEntry[],
): ValueDetector[] {
  const file = files.one('data/detectors.yaml');
  const detectors = new Map<string, ValueDetector>();
  for (const row of file.rows('detectors', 'id')) {
    const detector: ValueDetector = {
      id: row.text('id'),
      data_class: readClass(row, 'class', classes),
      subclass: row.text('subclass'),
      severity: row.integer('severity', 0, 4),
      confidence: row.number('confidence', 0, 1),
      pattern: readPattern(row, 'g'),
      validator: row.textOr('validator', ''),
      value: readPart(row),
      search: readSearch(row),
      examples: readExamples(row),
    };
    row.textOr('note', '');
    row.text('false_positives');
    row.done();
    checkDetector(row, detector, kinds);
    putOnce(detectors, detector.id, detector, row);
  }
  for (const { id, search } of detectors.values()) {
    const { only_with } = search;
    if (only_with !== '' && only_with !== SECRET_KEY && !detectors.has(only_with))
      file.problems.add(`${file.where}: \`${id}\``, `\`only_with\` is the unknown detector \`${only_with}\``);
  }
  file.done();
  return [...detectors.values()];
}

/** Stands in `only_with` for a key that speaks of a secret. */
const SECRET_KEY = 'secret_key';
const LONGEST_WINDOW = 4_096;
const PARTS: Readonly<Record<DetectedPart, true>> = {
  whole: true,
  last_word: true,
  assigned: true,
  behind_equals_sign: true,
  behind_label: true,
  password_of_url: true,
  public_address: true,
};
const isPart = (name: string): name is DetectedPart => Object.hasOwn(PARTS, name);

function readPart(row: Row): DetectedPart {
  const part = row.textOr('value', 'whole');
  if (isPart(part)) return part;
  row.problems.add(row.where, `\`value\` is \`${part}\`; write one of ${Object.keys(PARTS).join(', ')}`);
  return 'whole';
}

const NO_SEARCH: DetectorSearch = {
  near: [],
  beginning: null,
  before: 1,
  after: 0,
  requires: [],
  digits: 0,
  run: 0,
  only_with: '',
};

function readSearch(row: Row): DetectorSearch {
  if (!row.has('search')) return NO_SEARCH;
  const fields = row.row('search');
  const count = (field: keyof typeof NO_SEARCH & string, fallback: number): number =>
    fields.has(field) ? fields.integer(field, 0, LONGEST_WINDOW) : fallback;
  const search: DetectorSearch = {
    near: fields.textsOr('near', []),
    beginning: fields.has('beginning') ? readSource(fields, 'beginning', 'g') : null,
    before: count('before', NO_SEARCH.before),
    after: count('after', NO_SEARCH.after),
    requires: fields.textsOr('requires', []),
    digits: count('digits', 0),
    run: count('run', 0),
    only_with: fields.textOr('only_with', ''),
  };
  fields.done();
  for (const literal of [...search.near, ...search.requires])
    if (!/^[\x20-\x40\x5b-\x7e]+$/.test(literal))
      fields.problems.add(fields.where, `the literal \`${literal}\` must be printable ASCII in lower case`);
  return search;
}

function checkDetector(row: Row, detector: ValueDetector, kinds: readonly FieldNameEntry[]): void {
  const { subclass, validator, examples } = detector;
  if (!kinds.some((entry) => entry.kind === subclass)) {
    row.problems.add(row.where, `\`subclass\` is the unknown kind \`${subclass}\`; see data/fields.yaml`);
  }
  if (validator !== '' && !VALIDATORS.has(validator)) {
    row.problems.add(row.where, `the validator \`${validator}\` does not exist; see src/ontology/validators/index.ts`);
  }
  for (const text of examples.matches)
    if (!detects(detector, text)) row.problems.add(row.where, `misses its example \`${text}\``);
  for (const text of examples.misses)
    if (detects(detector, text)) row.problems.add(row.where, `finds \`${text}\`, which it should miss`);
}

/** Whether the detector finds a value in the text: what its validator accepts of what its pattern matches. */
function detects({ pattern, validator }: ValueDetector, text: string): boolean {
  const isValid = VALIDATORS.get(validator);
  for (const match of text.matchAll(pattern)) if (isValid === undefined || isValid(match[1] ?? match[0])) return true;
  return false;
}
