/** Requests whose body is a question: a search, or a look by JSON-RPC. They send nothing that was not in the code itself. */
import { isObject, parseJson } from '../../../lang/json.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { anyOf, setOf } from '../../../ontology/words.ts';
import { CARRIED, type Data, HOLE } from '../../data.ts';
import type { World } from '../../world.ts';

const words = perOntology((ontology) => ({
  keys: setOf(ontology, 'question_keys'),
  methods: anyOf(ontology, 'asking_methods'),
  hashed: anyOf(ontology, 'hashed_things'),
}));

const LONGEST_BODY = 2_000;
/** Long words: with letters and digits, they may be an account, a key, or data in a form that is not read. */
const LONG_WORD = /[A-Za-z0-9+/_=]{12,2000}/g;
/** Long numbers and addresses of people. */
const IDENTIFYING = /\d{9}|[^\s"@]@[^\s"@]/;
/** An account of a chain, which everybody sees; a number as long as a hash is only one where a look-up takes hashes. */
const ACCOUNT = /\b0x[0-9a-f]{1,40}\b/gi;
const HASH = /\b0x[0-9a-f]{64}\b/gi;

/**
 * @param content what is sent
 * @param taint of all that goes along
 */
export function onlyAsks(world: World, content: readonly Data[], taint: number): boolean {
  const [body] = content;
  if (body === undefined || content.length > 1 || (taint & CARRIED) !== 0) return false;
  const text = body.text.trim();
  if (!text.startsWith('{') || text.length > LONGEST_BODY || text.includes(HOLE)) return false;
  const asked = parseJson(text);
  if (!isObject(asked)) return false;
  const { keys, methods, hashed } = words(world.ontology);
  const { jsonrpc, method } = asked;
  if (typeof jsonrpc === 'string' && typeof method === 'string') {
    const rest = text.replace(ACCOUNT, '').replace(HASH, (hash) => (hashed.test(method) ? '' : hash));
    return methods.test(method) && !mayIdentify(rest);
  }
  return keys.has((Object.keys(asked)[0] ?? '').toLowerCase()) && !text.includes('mutation') && !mayIdentify(text);
}

const mayIdentify = (text: string): boolean =>
  IDENTIFYING.test(text) || (text.match(LONG_WORD) ?? []).some((word) => /\d/.test(word) && /[A-Za-z]/.test(word));
