/** The policy field `profile`: regions, sectors and frameworks of the customer, so that only binding frameworks are claimed. */

import { isObject, type Json, type JsonObject } from '../../lang/json.ts';
import { suggest } from '../../lang/suggest.ts';
import type { Ontology } from '../../ontology/index.ts';
import type { CustomerProfile } from '../types.ts';
import { strings } from './fields.ts';
import { type Problem, pointer } from './problems.ts';

const PROFILE_FIELDS = ['frameworks', 'regions', 'sectors'];
const MAX_ENTRIES = 100;
/** `EU`, an ISO 3166-1 country, or an ISO 3166-2 part of one. */
const REGION = /^[A-Z]{2}(?:-[A-Z0-9]{1,3})?$/;

/** The profile of a customer that states none. */
export const NO_PROFILE: CustomerProfile = { frameworks: new Map(), regions: null, sectors: null };

/**
 * @param ontology the known frameworks and sectors; `null` for a stored policy, which was checked when it was written
 */
export function readProfile(value: Json, ontology: Ontology | null, problems: Problem[]): CustomerProfile {
  const path = pointer('profile');
  if (!isObject(value)) {
    problems.push({ path, message: `must be an object with any of ${PROFILE_FIELDS.join(', ')}` });
    return NO_PROFILE;
  }
  for (const key of Object.keys(value)) {
    if (!PROFILE_FIELDS.includes(key))
      problems.push({
        path: pointer('profile', key),
        message: `is not a field of a profile; it has ${PROFILE_FIELDS.join(', ')}`,
      });
  }
  const { frameworks, regions, sectors } = value;
  const known_sectors = ontology === null ? null : [...ontology.sectors.keys()];
  return {
    frameworks: frameworks === undefined ? new Map() : readFrameworks(frameworks, ontology, problems),
    regions: regions === undefined ? null : readRegions(regions, problems),
    sectors: sectors === undefined ? null : readSectors(sectors, known_sectors, problems),
  };
}

function readFrameworks(value: Json, ontology: Ontology | null, problems: Problem[]): Map<string, boolean> {
  const path = pointer('profile', 'frameworks');
  const frameworks = new Map<string, boolean>();
  if (!isObject(value)) {
    problems.push({
      path,
      message: 'must be an object from framework to true (it binds the customer) or false (it does not)',
    });
    return frameworks;
  }
  for (const [name, binds] of Object.entries(value as JsonObject)) {
    const at = pointer('profile', 'frameworks', name);
    if (ontology !== null && !ontology.frameworks.has(name)) {
      const known = [...ontology.frameworks.keys()];
      const message = `is not a framework${suggest(name, known)}; there are ${known.join(', ')}`;
      problems.push({ path: at, message });
    } else if (typeof binds !== 'boolean') problems.push({ path: at, message: 'must be true or false' });
    else frameworks.set(name, binds);
  }
  return frameworks;
}

function readRegions(value: Json, problems: Problem[]): ReadonlySet<string> {
  const read = strings((text) => {
    const upper = text.toUpperCase();
    if (upper === 'UK') return { problem: '`UK` is not the code of a country; write `GB`' };
    if (REGION.test(upper)) return upper;
    return {
      problem: `\`${text}\` is not a region; write \`EU\`, a country such as \`DE\`, or a part such as \`US-CA\``,
    };
  }, MAX_ENTRIES);
  return new Set(read(value, pointer('profile', 'regions'), problems));
}

function readSectors(value: Json, known: readonly string[] | null, problems: Problem[]): ReadonlySet<string> {
  const read = strings((text) => {
    if (known === null || known.includes(text)) return text;
    return { problem: `\`${text}\` is not a sector${suggest(text, known)}; there are ${known.join(', ')}` };
  }, MAX_ENTRIES);
  return new Set(read(value, pointer('profile', 'sectors'), problems));
}
