/** Manifests of a cluster: what they ask of the machine that runs them, whether as text or as parameters. */
import type { Leaf } from '../../events/parameters.ts';
import type { Ontology } from '../../ontology/index.ts';
import { perOntology } from '../../ontology/per-ontology.ts';
import { patternOf } from '../../ontology/words.ts';

export const manifestWords = perOntology((ontology) => ({
  is_manifest: patternOf(ontology, 'cluster_manifests', 'is_manifest'),
  opens_host: patternOf(ontology, 'cluster_manifests', 'opens_host'),
  switches: patternOf(ontology, 'cluster_manifests', 'switches'),
  host_path: patternOf(ontology, 'cluster_manifests', 'host_path'),
}));
/** Shorter texts are no manifest. */
const SHORTEST = 24;

/** What in a manifest opens a container towards its host; '' when nothing does, or when the text is none. */
export function hostOpening(ontology: Ontology, text: string): string {
  const { is_manifest, opens_host } = manifestWords(ontology);
  return is_manifest.test(text) ? (opens_host.exec(text)?.[0] ?? '') : '';
}

/** What manifests among the parameters of a tool ask of the machine that runs them. */
export function hostOpenings(ontology: Ontology, leaves: readonly Leaf[]): string[] {
  const { switches, host_path } = manifestWords(ontology);
  const found: string[] = [];
  for (const { key, path, value } of leaves) {
    if (typeof value === 'string' && value.length >= SHORTEST) {
      const opening = hostOpening(ontology, value);
      if (opening !== '') found.push(opening);
    } else if ((switches.test(key) && /^true$/i.test(String(value))) || host_path.test(path))
      found.push(`${key}: ${String(value)}`);
  }
  return found;
}
