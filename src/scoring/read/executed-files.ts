/** Writes to files that run, or say what runs, when somebody opens, builds, installs or logs in. */
import { pathMatcher } from '../content/paths.ts';
import type { Ontology } from '../ontology.ts';
import type { ContentReading } from './content.ts';
import { corpusOf } from './corpus.ts';
import { locate } from './locate.ts';
import { readValue } from './normalise.ts';
import { perOntology } from './remember.ts';
import type { TextReading } from './text.ts';

const matchers = perOntology((ontology) => pathMatcher(ontology.lists.get('executable_config_files') ?? []));

/** Such files that the action writes and that the user's words do not name; sorted. */
export function unnamedExecutedFiles(content: ContentReading, text: TextReading, ontology: Ontology): string[] {
  const matches = matchers(ontology);
  const files = new Set<string>();
  for (const { kind, scope, object } of content.effects) {
    if (kind !== 'writes' || scope === 'scratch' || !matches(object)) continue;
    const name = object.slice(object.lastIndexOf('/') + 1);
    const { user } = corpusOf(text);
    const is_named = !user.is_empty && locate(corpusOf(text), 'user', readValue(name, 'path')).length > 0;
    if (!is_named) files.add(object);
  }
  return [...files].sort();
}
