/**
 * Parts of the ontology that can be taken out, by name: a rule, a list, an entry of programs, a table of tools. The documents are
 * changed in memory and loaded as the files are, so nothing in the scorer knows of it.
 */
import { resolve } from 'node:path';
import { prepareEffects } from '../../../src/effects/prepare.ts';
import { ONTOLOGY_ROOT, readYamlDocuments } from '../../../src/engine/knowledge/load-ontology.ts';
import type { Json, JsonObject } from '../../../src/lang/json.ts';
import { buildOntology, type OntologyDocument } from '../../../src/ontology/index.ts';
import { CliError } from '../../../src/platform/terminal/output.ts';
import type { Knowledge } from '../../../src/scoring/knowledge.ts';
import { compileRules } from '../../../src/scoring/rules/rules.ts';

export interface Ablation {
  name: string;
  /** The rule that is taken out; '' for a part of the ontology. */
  rule: string;
  /** Throws `OntologyError` where the rest cannot do without this part. */
  knowledge: () => Knowledge;
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * What a name stands for: `RULE`, `rules/FAMILY` (each rule), `lists/FILE:LIST`, `lists/FILE` (each list), `programs/FILE:PROGRAM`,
 * `programs/FILE` (each entry), `actions/tools/FILE`, or a folder of such files.
 *
 * @throws CliError for a name that stands for nothing
 */
export function ablationsOf(name: string, knowledge: Knowledge): Ablation[] {
  const rules = knowledge.rules.filter(
    ({ id, document }) => id === name || `rules/${document.family}` === name || name === 'rules',
  );
  if (rules.length > 0) return rules.map(({ id }) => withoutRule(id, knowledge));
  const [given, entry] = name.replace(/\.yaml$/, '').split(':') as [string, string | undefined];
  const path = given === 'tools' ? 'actions/tools' : given.replace(/\.yaml$/, '');
  const documents = readYamlDocuments(resolve(ONTOLOGY_ROOT), (file) => !/^(?:rules|reducers)\//.test(file));
  const found = documents.filter(({ path: file }) => file === `${path}.yaml` || file.startsWith(`${path}/`));
  if (found.length === 0) throw new CliError(`\`${name}\` is no rule and no file or folder of the ontology`);
  const parts = found.flatMap((document) => partsOf(document, entry));
  if (parts.length === 0) throw new CliError(`\`${found[0]!.path}\` has no list or entry \`${entry}\``);
  return parts.map(({ name: part, content }) => ({
    name: part.name,
    rule: '',
    knowledge: () => ({ ...knowledge, ontology: rebuilt(documents, part.path, content) }),
  }));
}

function withoutRule(id: string, knowledge: Knowledge): Ablation {
  return {
    name: id,
    rule: id,
    knowledge: () => {
      const rest = knowledge.rules.filter((rule) => rule.id !== id);
      const index = compileRules(rest.map(({ document }) => document));
      return {
        ...knowledge,
        index,
        rules: index.rules,
        rule_by_id: new Map(index.rules.map((rule) => [rule.id, rule])),
      };
    },
  };
}

function rebuilt(documents: readonly OntologyDocument[], path: string, content: Json | null) {
  const changed = documents.flatMap((document) =>
    document.path !== path ? [document] : content === null ? [] : [{ ...document, content }],
  );
  const ontology = buildOntology(changed, 'ablated');
  prepareEffects(ontology);
  return ontology;
}

interface Part {
  name: { name: string; path: string };
  /** The document without the part; null: without the whole document. */
  content: Json | null;
}

function partsOf({ path, content }: OntologyDocument, entry: string | undefined): Part[] {
  const file = path.replace(/\.yaml$/, '');
  const part = (name: string, rest: Json | null): Part => ({ name: { name, path }, content: rest });
  if (path.startsWith('actions/tools/')) return entry === undefined ? [part(file, null)] : [];
  if (!isObject(content)) return [];
  if (path.startsWith('programs/')) return programParts(content, file, entry, part);
  return listNames(content)
    .filter(({ name }) => entry === undefined || name === entry)
    .map(({ name, within }) => part(`${file}:${name}`, emptied(content, within, name)));
}

/** Lists and tables stand at the top of a file, or one level below in `lists`, `tables` and the like. */
const HOLDERS = ['lists', 'tables', 'patterns', 'values'];

function listNames(content: JsonObject): { name: string; within: string }[] {
  return Object.entries(content).flatMap(([name, value]) => {
    if (HOLDERS.includes(name) && isObject(value))
      return Object.keys(value).map((own) => ({ name: own, within: name }));
    const is_list = Array.isArray(value) || isObject(value);
    return is_list && !['one_home', 'overlapping_tables'].includes(name) ? [{ name, within: '' }] : [];
  });
}

function emptied(content: JsonObject, within: string, name: string): JsonObject {
  const holder = within === '' ? content : (content[within] as JsonObject);
  const changed = { ...holder, [name]: Array.isArray(holder[name]) ? [] : {} };
  return within === '' ? changed : { ...content, [within]: changed };
}

function programParts(
  content: JsonObject,
  file: string,
  entry: string | undefined,
  part: (name: string, rest: Json) => Part,
): Part[] {
  const programs = (content['programs'] as JsonObject[]) ?? [];
  const without = (row: JsonObject, names: Json[]): JsonObject => ({
    ...content,
    programs: programs.flatMap((one) => (one !== row ? [one] : names.length === 0 ? [] : [{ ...one, names }])),
  });
  return programs.flatMap((row) => {
    const names = row['names'] as string[];
    if (entry === undefined) return [part(`${file}:${names[0]}`, without(row, []))];
    return names.includes(entry)
      ? [
          part(
            `${file}:${entry}`,
            without(
              row,
              names.filter((name) => name !== entry),
            ),
          ),
        ]
      : [];
  });
}
