/** `data/`: classes, what names of fields say, and what values are by their form. */

import { readClass } from './actions.ts';
import type { Files } from './files.ts';
import { readExamples, readPattern } from './pattern.ts';
import { putOnce, type Row } from './row.ts';
import type { DataClassEntry, FieldNameEntry, FieldNameMatching, Ontology, ValueDetector } from './terms.ts';
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
      examples: readExamples(row),
    };
    row.textOr('note', '');
    row.text('false_positives');
    row.done();
    checkDetector(row, detector, kinds);
    putOnce(detectors, detector.id, detector, row);
  }
  file.done();
  return [...detectors.values()];
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
