/** Hosts from which the packages come that a command line installs. */
import { hostOfUrl, isUrl } from '../../../../effects/hosts.ts';
import { type Called, readLine, type StructureWords } from './words.ts';

/** A package of the source that the options name: `left-pad`, `@north/ui@1.2`, `requests[socks]==2.31`. Nothing with an address. */
const PACKAGE = /^(?:@[\w.-]{1,128}\/)?[\w.-]{1,128}(?:\[[\w,-]{1,128}\])?(?:(?:@|[=<>~!]=?=?)[\w.^~*+-]{1,64})?$/;
const LOCAL = /^\.{1,2}$/;

export const PLAIN_HOST = /^(?:[a-z0-9-]{1,63}\.){0,8}[a-z0-9-]{1,63}$|^\[[0-9a-f:.]{2,45}\]$/;

/** The host of a URL that is written plainly; `null` for anything else. */
export function plainHost(url: string): string | null {
  const host = isUrl(url) ? hostOfUrl(url) : '';
  return PLAIN_HOST.test(host) ? host : null;
}

/** Every source of a call; `null` where the call leaves one to settings or files. */
export function registriesOf(call: Called, words: StructureWords): readonly string[] | null {
  if (words.installers.get(call.program)?.has(call.subcommand) !== true) return null;
  const values = new Set([...words.sources, ...words.more_sources]);
  const line = readLine(call.rest, words.installer_switches, values);
  if (line === null || line.operands.length === 0 || call.leading.length > 0) return null;
  if (!line.operands.every((one) => PACKAGE.test(one) && !LOCAL.test(one))) return null;
  const given = line.options.filter(([name]) => values.has(name));
  if (!given.some(([name]) => words.sources.has(name))) return null;
  const hosts = given.map(([, value]) => plainHost(value));
  return hosts.every((host) => host !== null) ? (hosts as string[]) : null;
}
