/** Manifests of a cluster: what they ask of the machine that runs them, whether as text or as parameters. */
import type { Leaf } from '../../events/parameters.ts';

const MANIFEST = /["']?apiVersion["']?\s{0,8}:/;
/** Settings that open a container towards its host. */
const OPENS =
  /["']?(?:privileged|hostPID|hostIPC|hostNetwork)["']?\s{0,8}:\s{0,8}["']?true\b|["']?hostPath["']?\s{0,8}:|-\s{0,8}["']?(?:SYS_ADMIN|SYS_PTRACE|SYS_MODULE|ALL)\b["']?/;
const OPEN_SWITCH = /^(?:privileged|host_?pid|host_?ipc|host_?network)$/i;
const HOST_PATH = /(?:^|\.)host_?path(?:\.path)?$/i;
/** Shorter texts are no manifest. */
const SHORTEST = 24;

/** What in a manifest opens a container towards its host; '' when nothing does, or when the text is none. */
export function hostOpening(text: string): string {
  return MANIFEST.test(text) ? (OPENS.exec(text)?.[0] ?? '') : '';
}

/** What manifests among the parameters of a tool ask of the machine that runs them. */
export function hostOpenings(leaves: readonly Leaf[]): string[] {
  const found: string[] = [];
  for (const { key, path, value } of leaves) {
    if (typeof value === 'string' && value.length >= SHORTEST) {
      const opening = hostOpening(value);
      if (opening !== '') found.push(opening);
    } else if ((OPEN_SWITCH.test(key) && /^true$/i.test(String(value))) || HOST_PATH.test(path))
      found.push(`${key}: ${String(value)}`);
  }
  return found;
}
