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
  mounts: patternOf(ontology, 'cluster_manifests', 'mounts'),
  mounted: patternOf(ontology, 'cluster_manifests', 'mounted'),
  host_itself: patternOf(ontology, 'cluster_manifests', 'host_itself'),
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

/** `host:container`, with how it may be used behind it. */
const BOUND = /^((?:[A-Za-z]:)?[^:]{1,200}):\/[^:]{0,200}(?::([\w,]{1,24}))?$/;
/** The folder of the host as the key of an entry: `{"/": {"bind": "/host"}}`. */
const AS_KEY = /\.(\/[^\s]{0,200})\.mode$/i;

/** The folder of the host that a parameter lets a container write, in the forms of command lines and of libraries; '' if it names none. */
function mountedFolder(ontology: Ontology, { key, path, value }: Leaf): string {
  const { mounts, mounted } = manifestWords(ontology);
  if (typeof value !== 'string' || value.length > 512 || !mounts.test(path)) return '';
  const [, folder = '', use = ''] = BOUND.exec(value) ?? [];
  if (folder !== '') return use.split(',').includes('ro') ? '' : folder;
  if (mounted.test(key)) return value;
  return key.toLowerCase() === 'mode' && value !== 'ro' ? (AS_KEY.exec(path)?.[1] ?? '') : '';
}

/** The settings among the parameters of a tool that open a container to its host. */
export function hostOpenings(ontology: Ontology, leaves: readonly Leaf[]): string[] {
  const { switches, host_path, host_itself } = manifestWords(ontology);
  const found: string[] = [];
  for (const leaf of leaves) {
    const { key, path, value } = leaf;
    const folder = mountedFolder(ontology, leaf);
    if (folder !== '' && host_itself.test(folder)) {
      found.push(`${key}: ${folder}`);
      continue;
    }
    if (typeof value === 'string' && value.length >= SHORTEST) {
      const opening = hostOpening(ontology, value);
      if (opening !== '') found.push(opening);
    } else if ((switches.test(key) && /^true$/i.test(String(value))) || host_path.test(path))
      found.push(`${key}: ${String(value)}`);
  }
  return found;
}
