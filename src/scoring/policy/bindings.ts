/** Which frameworks bind a customer (by its profile and the ontology), and for which events (by the data involved). */

import type { ArticleEntry, Ontology } from '../../ontology/index.ts';
import { perOntology } from '../../ontology/per-ontology.ts';
import type { Facts } from '../facts/fact-table.ts';
import type { Binding, Knowledge } from '../knowledge.ts';
import type { CustomerProfile } from '../types.ts';

const europe = perOntology((ontology) => new Set(ontology.lists.get('eea_countries') ?? []));

/** Whether the framework binds this customer for this event: health law only with health data, card rules only with cards. */
export function binds(framework: string, facts: Facts, knowledge: Knowledge): boolean {
  const binding = knowledge.bindings.get(framework);
  if (binding === undefined) return false;
  if (!bindsCustomer(framework, binding, facts.readings.evidence.policy.profile, knowledge.ontology)) return false;
  return binding.scope === null || binding.scope.test(facts);
}

/**
 * Whether the event and the customer's profile show that the article binds: it depends on nothing that no event holds, and the event
 * has what the framework is about.
 */
export function isShownToBind(article: ArticleEntry, facts: Facts, knowledge: Knowledge): boolean {
  if (isUncertain(article, facts.readings.evidence.policy.profile, knowledge)) return false;
  const shown = knowledge.bindings.get(article.framework)?.shown ?? null;
  return shown === null || shown.test(facts);
}

/**
 * Whether the article binds this customer depends on facts that no event holds. For a framework that binds only some customers, the
 * customer's profile can settle it; for a single article that binds only some systems, nothing can.
 */
export function isUncertain(article: ArticleEntry, profile: CustomerProfile, { ontology }: Knowledge): boolean {
  if (!article.is_conditional) return false;
  if (profile.frameworks.get(article.framework) !== true) return true;
  const articles = [...(ontology.frameworks.get(article.framework)?.articles.values() ?? [])];
  return !articles.every((one) => one.is_conditional);
}

/**
 * Whether the framework binds the customer. The profile's own statement about the framework decides; otherwise its regions
 * and sectors; otherwise the ontology's default. If the profile states only one of regions and sectors, only that one must
 * match, except for a framework that binds no customer by default: there both must match.
 */
function bindsCustomer(
  framework: string,
  { binds: by_default, regions, sectors }: Binding,
  profile: CustomerProfile,
  ontology: Ontology,
): boolean {
  const said = profile.frameworks.get(framework);
  if (said !== undefined) return said;
  const in_region = regions.length === 0 ? true : fits(profile.regions, (own) => isWithin(own, regions, ontology));
  const in_sector = sectors.length === 0 ? true : fits(profile.sectors, (own) => sectors.includes(own));
  if (by_default !== 'never_without_profile') return in_region !== false && in_sector !== false;
  return regions.length + sectors.length > 0 && in_region === true && in_sector === true;
}

/** `null` if the profile does not state it. */
const fits = (own: ReadonlySet<string> | null, is_meant: (one: string) => boolean): boolean | null =>
  own === null ? null : [...own].some(is_meant);

/** `DE` is within `EU`, and `US-CA` within `US`. A country is not within one of its parts, because the part is unknown. */
function isWithin(own: string, regions: readonly string[], ontology: Ontology): boolean {
  const country = own.slice(0, 2);
  return (
    regions.includes(own) || regions.includes(country) || (regions.includes('EU') && europe(ontology).has(country))
  );
}
