/** Kubernetes manifests and compositions of containers, as text or as parameters, that give containers access to their host. */
import type { Leaf } from '../../events/parameters.ts';
import type { Ontology } from '../../ontology/index.ts';
import { perOntology } from '../../ontology/per-ontology.ts';
import { patternOf } from '../../ontology/words.ts';

export const manifestWords = perOntology((ontology) => ({
  is_manifest: patternOf(ontology, 'cluster_manifests', 'is_manifest'),
  binds_all: patternOf(ontology, 'cluster_manifests', 'binds_all'),
  opens_host: patternOf(ontology, 'cluster_manifests', 'opens_host'),
  switches: patternOf(ontology, 'cluster_manifests', 'switches'),
  host_path: patternOf(ontology, 'cluster_manifests', 'host_path'),
  is_composition: patternOf(ontology, 'cluster_manifests', 'is_composition'),
  mounts_host: patternOf(ontology, 'cluster_manifests', 'mounts_host'),
}));
/** Shortest text, in characters, that is taken for a manifest. */
const SHORTEST = 24;

/** The setting of a manifest that opens a container to its host; '' when there is none or the text is not a manifest. */
export function hostOpening(ontology: Ontology, text: string): string {
  const { is_manifest, opens_host, is_composition, mounts_host } = manifestWords(ontology);
  const opens = is_manifest.test(text) ? opens_host : is_composition.test(text) ? mounts_host : null;
  return opens?.exec(text)?.[0] ?? '';
}

/** The binding in a manifest that gives somebody every right in the cluster; '' when there is none or the text is not a manifest. */
export function boundRights(ontology: Ontology, text: string): string {
  const { is_manifest, binds_all } = manifestWords(ontology);
  return is_manifest.test(text) && binds_all.test(text) ? 'cluster-admin' : '';
}

/** The same among the parameters of a tool. */
export const boundByCall = (ontology: Ontology, leaves: readonly Leaf[]): string =>
  leaves.some(
    ({ value }) => typeof value === 'string' && value.length >= SHORTEST && boundRights(ontology, value) !== '',
  )
    ? 'cluster-admin'
    : '';

/** The settings among the parameters of a tool that open a container to its host. */
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
