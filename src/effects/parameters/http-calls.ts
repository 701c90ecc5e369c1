/** The request and the addresses among the parameters of a call. */
import type { ParameterWalk } from '../../events/parameters.ts';
import { isObject, type Json } from '../../lang/json.ts';
import { snakeCase } from '../../lang/names.ts';
import type { Ontology } from '../../ontology/index.ts';
import { perOntology } from '../../ontology/per-ontology.ts';
import { setOf } from '../../ontology/words.ts';
import { isUrl } from '../hosts.ts';
import { snippetWords } from './code-languages.ts';
import type { HttpCall } from './http.ts';
import type { Hints } from './tool-names.ts';

type Parameters = { [key: string]: Json };

/** The HTTP request of a call: its parameters have a URL and a method, or its tool's name says HTTP. */
export function findHttpCall(ontology: Ontology, parameters: Parameters, hints: Hints): HttpCall | null {
  const { roleOf } = snippetWords(ontology);
  let url = '';
  let method = '';
  let hasBody = false;
  for (const key of Object.keys(parameters)) {
    const value = parameters[key];
    const role = roleOf(key);
    if (role === 'url' && typeof value === 'string' && url === '' && isUrl(value)) url = value;
    else if (role === 'method' && typeof value === 'string') method = value.toUpperCase();
    else if ((role === 'carrier' || role === 'payload') && value !== null && value !== '') hasBody = true;
  }
  if (url === '' && method !== '') url = pathOf(parameters);
  if (url === '' || (method === '' && !hints.http)) return null;
  return {
    url,
    method,
    has_body: hasBody,
    override: overridden(parameters, url, ontology),
    files: filesIn(parameters, ontology),
    given: JSON.stringify(parameters),
  };
}

const MAX_FILES = 16;
/** A file as the body, in the notation of curl, or a path that cannot be anything else. */
const AT_PATH = /^@((?:\/|~\/|\.{1,2}\/|[a-z]:\\)[^\n]{1,400})$/i;
const LOCAL_PATH = /^(?:\/|~\/|\.{1,2}\/|[a-z]:\\)[^\n?]{1,400}$/i;

/** Files that the request takes along: `body: "@/etc/passwd"`, `file: "/srv/list.csv"`, also one level down. */
function filesIn(parameters: Parameters, ontology: Ontology): string[] {
  const { uploads } = uploadWords(ontology);
  const levels = [parameters, ...Object.values(parameters).filter(isObject)];
  const found: string[] = [];
  for (const [key, value] of levels.flatMap((level) => Object.entries(level as Parameters)))
    for (const one of Array.isArray(value) ? value.slice(0, MAX_FILES) : [value]) {
      if (typeof one !== 'string') continue;
      const path = AT_PATH.exec(one)?.[1] ?? (uploads.has(snakeCase(key)) && LOCAL_PATH.test(one) ? one : '');
      if (path !== '') found.push(path);
    }
  return found.slice(0, MAX_FILES);
}

const uploadWords = perOntology((ontology) => ({ uploads: setOf(ontology, 'upload_parameters') }));

/** The method that a header or the query puts in the place of the request's own, upper case; '' where none does. */
function overridden(parameters: Parameters, url: string, ontology: Ontology): string {
  const inQuery = /[?&]_method=([a-z]{3,7})\b/i.exec(url)?.[1];
  if (inQuery !== undefined) return inQuery.toUpperCase();
  const { overrides } = overrideWords(ontology);
  const levels = [parameters, ...Object.values(parameters).filter(isObject)];
  const found = levels
    .flatMap((level) => Object.entries(level as Parameters))
    .find(([key, value]) => typeof value === 'string' && /^[a-z]{3,7}$/i.test(value) && overrides.has(snakeCase(key)));
  return found === undefined ? '' : String(found[1]).toUpperCase();
}

const overrideWords = perOntology((ontology) => ({ overrides: setOf(ontology, 'override_parameters') }));

/** The path of a request to a service that the call does not name: `method: "DELETE", path: "/logs/_all"`. */
function pathOf(parameters: Parameters): string {
  const found = Object.values(parameters).find(
    (value) =>
      typeof value === 'string' && /^\/(?!\/)[\w*,.%-]{1,200}(?:\/[\w*,.%-]{1,200}){0,12}(?:\?\S{0,400})?$/.test(value),
  );
  return typeof found === 'string' ? found : '';
}

/** URLs in parameters whose name announces a URL. */
export function urlsOf(ontology: Ontology, walk: ParameterWalk): string[] {
  const { roleOf } = snippetWords(ontology);
  const urls: string[] = [];
  for (const leaf of walk.leaves)
    if (roleOf(leaf.key) === 'url' && typeof leaf.value === 'string' && isUrl(leaf.value)) urls.push(leaf.value);
  return urls;
}
