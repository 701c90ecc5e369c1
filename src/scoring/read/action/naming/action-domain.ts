/** Domain and scope of an action in the ontology's words: plurals, aliases and words inside a name count. */

import { piecesWithDigits, singular, wordsOf } from '../../../../lang/names.ts';
import { remembering } from '../../../../lang/remember.ts';
import type { DomainEntry, Ontology, ScopeEntry, ToolEntry } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { inverseOf, setOf } from '../../../../ontology/words.ts';
import type { Segments } from '../../words/claimed-verb.ts';
import { verbPlace } from '../../words/verb-lookup.ts';
import { verbLookup } from '../../words/verb-table.ts';
import { withoutServerWords } from './tools.ts';

/** Words that mean a domain in the names of actions, and too many other things to be an alias of it everywhere. */
const looseAliases = perOntology((ontology) => inverseOf(ontology, 'loose_domain_aliases'));

function byWord(word: string, ontology: Ontology): DomainEntry | undefined {
  const one = singular(word);
  return (
    ontology.domains.get(word) ??
    ontology.domains.get(one) ??
    ontology.domains.get(looseAliases(ontology).get(one) ?? '')
  );
}

/** Words that only say that something is a server or a service: `message_api` is no HTTP. */
const fillers = perOntology((ontology) => setOf(ontology, 'server_filler_words'));

const domainsByName = perOntology((ontology) => remembering((name) => findDomain(name, ontology) ?? null));

/** A domain from one segment or name: whole, then its words from the left. */
export function domainOf(name: string, ontology: Ontology): DomainEntry | undefined {
  return name === '' ? undefined : (domainsByName(ontology)(name) ?? undefined);
}

/** Every domain that the words of a name tell, in their order. */
export function domainsIn(name: string, ontology: Ontology): readonly DomainEntry[] {
  return name === '' ? NO_DOMAINS : allByName(ontology)(name);
}

const NO_DOMAINS: readonly DomainEntry[] = [];
const allByName = perOntology((ontology) => remembering((name) => findDomains(name, ontology)));

function findDomains(name: string, ontology: Ontology): readonly DomainEntry[] {
  const whole = byWord(name, ontology);
  if (whole !== undefined) return [whole];
  const words = wordsOf(name);
  const found = piecesWithDigits(name).flatMap((piece) => byWord(piece, ontology) ?? []);
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    const pair = i + 1 < words.length ? pairOf(word, words[i + 1]!, ontology) : undefined;
    if (pair !== undefined) i += 1;
    const tells = (word.length > 2 || isPlaceAtEnd(words, i, ontology)) && !fillers(ontology).has(word);
    const one = pair ?? (tells ? byWord(word, ontology) : undefined);
    if (one !== undefined) found.push(one);
  }
  const first = domainOf(name, ontology);
  return found.length === 0 && first !== undefined ? [first] : [...new Set(found)];
}

/** `GitHub` is two words of a name and one of the ontology. */
const pairOf = (before: string, after: string, ontology: Ontology): DomainEntry | undefined =>
  ontology.domains.get(`${before}_${after}`) ?? ontology.domains.get(before + after);

function findDomain(name: string, ontology: Ontology): DomainEntry | undefined {
  const whole = byWord(name, ontology);
  if (whole !== undefined) return whole;
  const words = wordsOf(name);
  for (let i = 1; i < words.length; i++) {
    const pair = pairOf(words[i - 1]!, words[i]!, ontology);
    if (pair !== undefined) return pair;
  }
  const telling = words.filter((word) => !fillers(ontology).has(word));
  for (const word of telling.length > 0 ? telling : words) {
    // Two letters are too few to tell a domain by (`x`, `im`, `ot`), unless they are the whole segment.
    const found = word.length > 2 ? byWord(word, ontology) : undefined;
    if (found !== undefined) return found;
  }
  return isPlaceAtEnd(words, words.length - 1, ontology) ? byWord(words.at(-1)!, ontology) : undefined;
}

const placePrepositions = perOntology((ontology) => setOf(ontology, 'place_prepositions'));

/** `post_on_x`, `upload_to_vk`: behind such a preposition the last word is a place, however short it is. */
const isPlaceAtEnd = (words: readonly string[], at: number, ontology: Ontology): boolean =>
  at > 1 && at === words.length - 1 && placePrepositions(ontology).has(words[at - 1]!);

/** The scope in its domain: whole, then its words from the right, since the head noun of a name comes last. */
export function scopeOf(scope: string, domain: DomainEntry): ScopeEntry | undefined {
  const whole = domain.scopes.get(scope) ?? domain.scopes.get(singular(scope));
  if (whole !== undefined) return whole;
  const words = wordsOf(scope);
  for (let i = words.length - 1; i >= 0; i--) {
    const word = words[i]!;
    const found = domain.scopes.get(word) ?? domain.scopes.get(singular(word));
    if (found !== undefined) return found;
  }
  return undefined;
}

const metaDomains = perOntology((ontology) => setOf(ontology, 'meta_domains'));

/** What an action is about, as far as the names of action, tool and server tell. */
export interface ToldDomains {
  /** The domain that counts as the action's, '' when nothing tells one. */
  known: string;
  /** Domains that the action or the name of its tool tells, without repetitions: whichever is the gravest says how sensitive they are. */
  own: readonly DomainEntry[];
  /** What the name of the server tells; it may be about more than this call. */
  of_server: readonly DomainEntry[];
}

/**
 * The domains that the names of a call tell, wherever they stand: `payments:transfer:create` with the tool `binance_withdraw` is
 * about payments and about crypto, and so is the same tool on a server for payments. Of agents and protocols only the action
 * itself can speak, because their words in other names say who acts.
 */
export function toldDomains(
  action: Segments,
  tool: ToolEntry | undefined,
  names: { tool: string; server: string },
  ontology: Ontology,
): ToldDomains {
  const meta = metaDomains(ontology);
  const place = (name: string): DomainEntry | undefined => {
    const found = domainOf(name, ontology);
    return found === undefined || meta.has(found.domain) ? undefined : found;
  };
  const own_place = (name: string): DomainEntry | undefined => place(withoutServerWords(name, names.server));
  const prefix = domainOf(action.domain, ontology);
  const scope = domainOf(action.scope, ontology);
  const of_scope = own_place(action.scope);
  const of_tool = place(withoutVerb(withoutServerWords(names.tool, names.server), ontology));
  const of_server = domainsIn(names.server, ontology).filter(({ domain }) => !meta.has(domain));
  const listed = tool === undefined ? undefined : ontology.domains.get(tool.action.slice(0, tool.action.indexOf(':')));
  const claimed =
    prefix ??
    of_scope ??
    of_tool ??
    of_server[0] ??
    scope ??
    listed ??
    domainOf(names.server, ontology) ??
    domainOf(names.tool, ontology);
  const own = [prefix ?? of_scope ?? scope, of_tool].filter((one) => one !== undefined);
  return { known: claimed?.domain ?? '', own: [...new Set(own)], of_server };
}

/** Whether the name of the server alone tells the domain. The operator of a server chooses its name, so such a domain lowers nothing. */
export const isOfServer = ({ known, own, of_server }: ToldDomains): boolean =>
  own.length === 0 && of_server.some(({ domain }) => domain === known);

/** The verb of a tool's name says what is done, and not where: `checkout_cart` is about a cart. */
function withoutVerb(name: string, ontology: Ontology): string {
  const words = wordsOf(name);
  const at = words.length > 1 ? verbPlace(words, verbLookup(ontology)) : -1;
  return at < 0 ? name : words.toSpliced(at, 1).join('_');
}

/** Every domain that the names of a call tell. */
export function placesOf({ known, own, of_server }: ToldDomains, ontology: Ontology): readonly DomainEntry[] {
  const others = [...of_server, ontology.domains.get(known)].filter((one) => one !== undefined);
  return [...new Set([...own, ...others])];
}
