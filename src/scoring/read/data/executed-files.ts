/** Writes to files that run, or say what runs, when somebody opens, builds, installs or logs in. */
import { pathMatcher } from '../../../effects/paths.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import type { ContentReading } from '../action/content/content.ts';
import { corpusOf } from '../conversation/corpus.ts';
import type { TextReading } from '../conversation/text.ts';
import { locate } from '../values/locate.ts';
import { hashWord } from '../words/lexer.ts';
import { readValue } from '../words/normalise.ts';

const matchers = perOntology((ontology) => ({
  runs: pathMatcher(ontology.lists.get('executable_config_files') ?? []),
  isLoaded: pathMatcher(ontology.lists.get('self_loaded_files') ?? []),
  isWorkflow: pathMatcher(ontology.lists.get('workflow_files') ?? []),
  workflow_words: (ontology.lists.get('workflow_words') ?? []).map((word) => hashWord(word)),
}));

/** Such files that the action writes and that the user's words do not name; sorted. */
export function unnamedExecutedFiles(content: ContentReading, text: TextReading, ontology: Ontology): string[] {
  const { runs, isWorkflow, workflow_words } = matchers(ontology);
  const { user } = corpusOf(text);
  const speaksOfWorkflow = workflow_words.some((hash) => user.has(hash));
  const files = new Set<string>();
  for (const { kind, scope, object } of content.effects) {
    if (kind !== 'writes' || scope === 'scratch' || !runs(object)) continue;
    // «Set up CI» names no file and means one.
    if (speaksOfWorkflow && isWorkflow(object)) continue;
    const name = object.slice(object.lastIndexOf('/') + 1);
    const is_named = !user.is_empty && locate(corpusOf(text), 'user', readValue(name, 'path', ontology)).length > 0;
    if (!is_named) files.add(object);
  }
  return [...files].sort();
}

/** Files with code of their own that the action writes and that a tool of the project loads as soon as it starts; sorted. */
export function selfLoadedFiles(content: ContentReading, ontology: Ontology): string[] {
  const { isLoaded } = matchers(ontology);
  return content.stored_files
    .map(([path]) => path)
    .filter((path) => isLoaded(path))
    .sort();
}
