/** Domain and scope of an action in the ontology's words: plurals, aliases and words inside a name count. */

import { singular, wordsOf } from '../../../lang/names.ts';
import { remembering } from '../../../lang/remember.ts';
import type { DomainEntry, Ontology, ScopeEntry } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { inverseOf, setOf } from '../../../ontology/words.ts';

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

function findDomain(name: string, ontology: Ontology): DomainEntry | undefined {
  const whole = byWord(name, ontology);
  if (whole !== undefined) return whole;
  const words = wordsOf(name);
  // `GitHub` is two words of a name and one of the ontology.
  for (let i = 1; i < words.length; i++) {
    const [before, after] = [words[i - 1]!, words[i]!];
    const pair = ontology.domains.get(`${before}_${after}`) ?? ontology.domains.get(before + after);
    if (pair !== undefined) return pair;
  }
  const telling = words.filter((word) => !fillers(ontology).has(word));
  for (const word of telling.length > 0 ? telling : words) {
    // Two letters are too few to tell a domain by (`x`, `im`, `ot`), unless they are the whole segment.
    const found = word.length > 2 ? byWord(word, ontology) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

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
