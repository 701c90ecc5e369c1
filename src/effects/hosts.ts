/** Hosts of URLs and remote names. Parsed here, because pure modules have no `URL`. */
import type { Ontology } from '../ontology/index.ts';
import { perOntology } from '../ontology/per-ontology.ts';
import { setOf } from '../ontology/words.ts';
import { HOLE } from './data.ts';

const URL_START = /^[\s'"]*([a-z][a-z0-9+.-]{1,15}):\/\/(?:[^/?#\s@]*@)?(\[[0-9a-fA-F:.]+\]|[^/?#\s:'"]*)/i;
const BARE_HOST =
  /^(?:[a-z0-9-]{1,63}\.){1,127}[a-z]{2,24}(?=$|[/:?#])|^(?:\d{1,3}\.){3}\d{1,3}(?=$|[/:?#])|^localhost(?=$|[/:?#])/i;

/** Host of a URL, lower case; '' when the text is no URL or the host is known only at run time. */
export function hostOfUrl(text: string): string {
  const match = URL_START.exec(text);
  if (match === null || match[1]!.toLowerCase() === 'file') return '';
  const host = match[2]!.toLowerCase();
  return host.includes(HOLE) ? '' : host.replace(/\.$/, '');
}

export function isUrl(text: string): boolean {
  return URL_START.test(text);
}

/** Host of a URL, of `user@host:path`, `host:port` or a bare host; '' when it is none of these. */
export function hostOf(text: string): string {
  const url = hostOfUrl(text);
  if (url !== '') return url;
  const bare = text
    .trim()
    .replace(/^[^@\s/]{1,64}@/, '')
    .toLowerCase();
  return BARE_HOST.exec(bare)?.[0] ?? '';
}

/** Whether the host is this machine itself. */
export function isLoopback(host: string): boolean {
  return (
    host === 'localhost' ||
    host === '[::1]' ||
    host === '::1' ||
    /^127\.\d+\.\d+\.\d+$/.test(host) ||
    host === '0.0.0.0'
  );
}

export const metadataHosts = perOntology((ontology) => setOf(ontology, 'metadata_hosts'));

/** Whether the host is an address at which cloud machines get their credentials. */
export function isMetadataService(host: string, ontology: Ontology): boolean {
  return metadataHosts(ontology).has(host);
}

const SHARE = /^\\\\(?![?.]\\)([\w.-]{1,128})(?:@\w{1,8})?\\([^\\]{1,128})/;

/** Host of a share of Windows (`\\\\host\\share\\file`), lower case; '' for any other path and for this machine. */
export function hostOfShare(path: string): string {
  const host = SHARE.exec(path)?.[1]?.toLowerCase() ?? '';
  return isLoopback(host) || host.startsWith('wsl') ? '' : host;
}

/** Whether the path is on a share that only administrators of the other machine may write to. */
export function isAdminShare(path: string): boolean {
  return SHARE.exec(path)?.[2]?.endsWith('$') === true;
}
