/**
 * Names of the tools and prompts of several servers in one list. A name that one server alone has stays as it is. One that several
 * have, or that begins with the prefix of a server, becomes `<server>__<name>` for each: so that no server takes another's place.
 */

export interface Named {
  server: string;
  /** As the server calls it. */
  name: string;
}

export const SEPARATOR = '__';

/** Without `__`, also where a name is joined to a prefix: so that each joined name has one reading. */
export const SERVER_NAME = /^[A-Za-z0-9]+(?:[-_.][A-Za-z0-9]+)*$/;

/** Shown name → server and own name, in the order of the servers. `owned`: the names that each server has. */
export function shownNames(owned: ReadonlyMap<string, readonly string[]>): Map<string, Named> {
  const owners = new Map<string, number>();
  for (const names of owned.values()) for (const name of new Set(names)) owners.set(name, (owners.get(name) ?? 0) + 1);
  const servers = [...owned.keys()];
  const is_plain = (name: string): boolean =>
    servers.length === 1 ||
    (owners.get(name) === 1 && !servers.some((server) => name.startsWith(`${server}${SEPARATOR}`)));
  return new Map(
    [...owned].flatMap(([server, names]) =>
      names.map((name) => [is_plain(name) ? name : `${server}${SEPARATOR}${name}`, { server, name }] as const),
    ),
  );
}
