/** The class of data that a domain and a scope stand for: `vault:*` is secret, `health:*` is PHI, `x:passwords` is secret. */

import { singular, snakeCase, wordsOf } from '../../../lang/names.ts';
import type { DomainEntry, Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { setOf } from '../../../ontology/words.ts';
import { matchFieldName } from '../words/field-names.ts';
import { domainOf, scopeOf } from './naming/action-domain.ts';

export interface ImpliedClass {
  data_class: string;
  subclass: string;
  /** Never above how sensitive the ontology takes the place to be. */
  severity: number;
}

/** Say something about data; the others only about the place. */
const specificClasses = perOntology((ontology) => setOf(ontology, 'specific_classes'));
/** Of a place alone («a database», «a host») no more than this follows about the data in it. */
const MAX_UNSPECIFIC = 2;

/** The scope as a field name or a class label: `user_passwords`, `patient_records`, `credentials`. */
function ofScopeName(scope: string, ontology: Ontology): ImpliedClass | undefined {
  const name = snakeCase(scope);
  const field = matchFieldName(name, ontology) ?? matchFieldName(singular(name), ontology);
  if (field !== undefined && field.severity >= 3 && !field.is_ambiguous) {
    return { data_class: field.data_class, subclass: field.subclass, severity: field.severity };
  }
  for (const word of wordsOf(scope)) {
    const data_class = ontology.class_labels.get(word) ?? ontology.class_labels.get(singular(word));
    const severity = ontology.data_classes.get(data_class ?? '')?.severity ?? 0;
    if (data_class !== undefined && severity >= 3) return { data_class, subclass: '', severity };
  }
  return undefined;
}

function ofPlace(domain: DomainEntry, scope: string, ontology: Ontology): ImpliedClass | undefined {
  const specific = specificClasses(ontology);
  const of_scope = scopeOf(scope, domain);
  const data_class = of_scope?.implied_class ?? domain.implied_class;
  const class_severity = ontology.data_classes.get(data_class)?.severity ?? 0;
  const place = of_scope?.sensitivity ?? domain.default_sensitivity;
  // A place two steps below the class (`travel:flight`, financial) rarely holds such data.
  if (class_severity === 0 || (specific.has(data_class) && place < class_severity - 1)) return undefined;
  const severity = Math.min(class_severity, place, specific.has(data_class) ? 4 : MAX_UNSPECIFIC);
  return { data_class, subclass: '', severity };
}

/** Everything that domain and scope imply, at most one of each kind. */
export function impliedClasses(domain_name: string, scope: string, ontology: Ontology): ImpliedClass[] {
  const domain = domainOf(domain_name, ontology);
  return impliedByPlaces(domain === undefined ? [] : [domain], scope, ontology);
}

/** Everything that the domains of an action and its scope imply. */
export function impliedByPlaces(domains: readonly DomainEntry[], scope: string, ontology: Ontology): ImpliedClass[] {
  const found = [ofScopeName(scope, ontology), ...domains.map((domain) => ofPlace(domain, scope, ontology))];
  return found.filter((implied) => implied !== undefined);
}
