/** Workflows that run words of strangers, or show secrets. */
import type { Ontology } from '../../ontology/index.ts';
import { perOntology } from '../../ontology/per-ontology.ts';
import { patternOf } from '../../ontology/words.ts';
import type { Changed } from './added-lines.ts';
import type { Edit } from './edits.ts';

export interface Exposed {
  kind: 'workflow_trusts_strangers' | 'secrets_handed_out';
  line: string;
}

const signsOf = perOntology((ontology) => {
  const printed = (name: string): RegExp => patternOf(ontology, 'printed_secrets', name);
  return {
    run: patternOf(ontology, 'strangers_words', 'run'),
    mapping: patternOf(ontology, 'strangers_words', 'mapping'),
    named: printed('named'),
    direct: printed('direct'),
    prints: printed('prints'),
    kept: printed('kept'),
    all: printed('all'),
    files: printed('files'),
  };
});

/** What the new lines of a workflow expose. */
export function exposedByWorkflow(edit: Edit, { added }: Changed, ontology: Ontology): Exposed[] {
  const { run, mapping, named, direct, prints, kept, all, files } = signsOf(ontology);
  if (!files.test(edit.path)) return [];
  const found: Exposed[] = [];
  const words = added.find((line) => run.test(line) && !mapping.test(line));
  if (words !== undefined) found.push({ kind: 'workflow_trusts_strangers', line: words });
  const secrets = edit.after.split('\n').flatMap((line) => named.exec(line)?.[1] ?? []);
  const shows = (line: string): boolean => {
    if (all.test(line)) return true;
    if (kept.test(line)) return false;
    return direct.test(line) || (prints.test(line) && secrets.some((name) => namesVariable(line, name)));
  };
  const shown = added.find(shows);
  if (shown !== undefined) found.push({ kind: 'secrets_handed_out', line: shown });
  return found;
}

/** `$NAME`, `${NAME}`, `$env:NAME`, `process.env.NAME`. */
function namesVariable(line: string, name: string): boolean {
  return [`$${name}`, `\${${name}`, `$env:${name}`, `env.${name}`, `printenv ${name}`].some((form) => {
    const at = line.indexOf(form);
    return at >= 0 && !/\w/.test(line.charAt(at + form.length));
  });
}
