/** Which frameworks bind: whom (the customer's profile against the ontology's), and for which events (the data at hand). */

import type { Ontology } from '../../ontology/index.ts';
import { perOntology } from '../../ontology/per-ontology.ts';
import type { Facts } from '../facts/fact-table.ts';
import type { Binding, Knowledge } from '../knowledge.ts';
import type { CustomerProfile } from '../types.ts';

const europe = perOntology((ontology) => new Set(ontology.lists.get('eea_countries') ?? []));

/** Does this framework bind the data and the customer at hand? Health law only with health data, card rules only with cards. */
export function binds(framework: string, facts: Facts, knowledge: Knowledge): boolean {
  const binding = knowledge.bindings.get(framework);
  if (binding === undefined) return false;
  if (!bindsCustomer(framework, binding, facts.readings.evidence.policy.profile, knowledge.ontology)) return false;
  return binding.scope === null || binding.scope.test(facts);
}

/**
 * Whom the framework binds. The customer's own word on it decides; else where it works and what it does; else, where it
 * says nothing, the ontology's default. A customer that says one of the two is only asked for that one, except for a
 * framework that binds nobody by default: there everything must fit.
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

/** `null` when the customer does not say. */
const fits = (own: ReadonlySet<string> | null, is_meant: (one: string) => boolean): boolean | null =>
  own === null ? null : [...own].some(is_meant);

/** `DE` is within `EU`, `US-CA` within `US`. A country is not within one of its parts: nobody knows which part. */
function isWithin(own: string, regions: readonly string[], ontology: Ontology): boolean {
  const country = own.slice(0, 2);
  return (
    regions.includes(own) || regions.includes(country) || (regions.includes('EU') && europe(ontology).has(country))
  );
}
