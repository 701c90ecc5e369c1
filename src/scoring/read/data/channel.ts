/** How data are transferred: over unprotected connections, into other regions, from production to a place for tests. */

import type { AgentEvent } from '../../../events/event.ts';
import { parametersOf } from '../../../events/parameters.ts';
import { asciiLower, splitWords, wordsOf } from '../../../lang/names.ts';
import type { Ontology } from '../../../ontology/index.ts';
import type { ActionReading } from '../action/action.ts';
import type { Argument } from '../values/argument.ts';
import { hostOf, sideOf } from '../values/hosts.ts';
import { switchedOff, switchedOn } from '../values/switches.ts';
import { wordSet } from '../words/word-lists.ts';

const SCHEME = /^([a-z][a-z0-9+.-]{1,15}):\/\//i;

/** The scheme without encryption, or the parameter that no longer checks the other side; '' when the way is protected. */
export function unprotectedChannel(event: AgentEvent, ontology: Ontology, args: readonly Argument[]): string {
  const plain = wordSet(ontology, 'plain_schemes');
  for (const { kind, value } of args) {
    if (kind !== 'url') continue;
    const scheme = asciiLower(SCHEME.exec(value.slice(0, 64))?.[1] ?? '');
    // A private address or name in development never leaves the machine or its network.
    if (plain.has(scheme) && sideOf(hostOf(value)?.host ?? 'localhost', '', ontology) !== 'internal') return scheme;
  }
  return switchedOn(event, ontology, 'insecure_switches') || switchedOff(event, ontology, 'verification_guards');
}

/** A region or country outside the EEA and outside those with an adequacy decision; '' when none is named. */
export function regionOutsideEea(event: AgentEvent, ontology: Ontology): string {
  const names = wordSet(ontology, 'region_parameters');
  const inside = wordSet(ontology, 'eea_countries');
  const adequate = wordSet(ontology, 'adequate_countries');
  for (const { name, value } of parametersOf(event).leaves) {
    if (typeof value !== 'string' || value.length > 40 || !names.has(name)) continue;
    const code = value.trim().toUpperCase();
    if (/^[A-Z]{2}$/.test(code) && code !== 'EU' && !inside.has(code) && !adequate.has(code)) return value;
    const region = asciiLower(value.trim());
    for (const start of wordSet(ontology, 'outside_regions')) if (region.startsWith(start)) return value;
  }
  return '';
}

type Kind = 'production' | 'test' | 'personal' | '';

/** The kind of place that a name names. Production wins, so that a name cannot lower its own risk. */
function placeOf(name: string, ontology: Ontology): Kind {
  if (/\s/.test(name.trim()) || name.length > 200) return '';
  const words = splitWords(name);
  const has = (list: string): boolean => words.some((word) => wordSet(ontology, list).has(word));
  if (has('production_words')) return 'production';
  if (has('non_production_words')) return 'test';
  return has('personal_places') ? 'personal' : '';
}

/** A destination for tests or of one person's own, while the source (or what is acted on) is production; '' otherwise. */
export function testPlaceForProduction(event: AgentEvent, ontology: Ontology, action: ActionReading): string {
  const sources = wordSet(ontology, 'source_parameters');
  const destinations = wordSet(ontology, 'destination_parameters');
  let destination = '';
  let isProduction = false;
  for (const { name, value } of parametersOf(event).leaves) {
    if (typeof value !== 'string' || !(sources.has(name) || destinations.has(name))) continue;
    const place = placeOf(value, ontology);
    if (sources.has(name) && place === 'production') isProduction = true;
    if (destinations.has(name) && (place === 'test' || place === 'personal')) destination ||= value;
  }
  // Most actions name no such destination; what they act on need not be read then.
  if (destination === '' || isProduction) return destination;
  const own = [wordsOf(action.domain).join('_'), wordsOf(action.scope).join('_'), event.target?.resource_id ?? ''];
  return own.some((name) => placeOf(name, ontology) === 'production') ? destination : '';
}
