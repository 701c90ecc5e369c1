/** Where a fault is, in the terms of the request: a JSON pointer into the event becomes a path of proto fields. */

/** Fields of the event whose proto field has another name. */
const PROTO_NAMES: Readonly<Record<string, string>> = { data_fields_accessed: 'data_fields' };
/** Their members are fields of the context itself. */
const LEGACY = /^\/legacy(?=\/|$)/;

/** `/target/sensitivity_level` in `contexts[3]` → `contexts[3].target.sensitivity_level`. */
export function fieldPath(at: string, pointer: string): string {
  let path = at;
  for (const [i, token] of pointer.replace(LEGACY, '').split('/').slice(1).entries()) {
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~');
    path += /^\d+$/.test(name) ? `[${name}]` : `.${(i === 0 && PROTO_NAMES[name]) || name}`;
  }
  return path;
}
