/** How sensitive the target of an event is, whatever the event declares, for rights that are limited to a level. */

import { PathTraits } from '../../../effects/paths.ts';
import type { Ontology } from '../../../ontology/index.ts';
import type { ContentReading } from './content/content.ts';
import type { TargetReading } from './target.ts';

const RESTRICTED = 4;
const CONFIDENTIAL = 3;

/**
 * 0 (public) to 4 (restricted): the larger of what is declared and what is known of the resource, its domain and scope, the
 * places that it names and the places that code in its parameters reads. A declaration decides only where nothing is known;
 * where nothing is declared either, the target counts as the middle of the scale, not as harmless.
 */
export function atLeastKnown(
  declared: number | undefined,
  target: TargetReading,
  content: ContentReading,
  ontology: Ontology,
): number {
  const { resource_id } = target;
  let known = target.is_known || declared === undefined ? target.known_sensitivity : 0;
  for (const { kind } of content.effects) {
    if (kind === 'reads_credentials') known = RESTRICTED;
    else if (kind === 'reads_personal_data') known = Math.max(known, CONFIDENTIAL);
  }
  if (resource_id !== '') {
    const place = new PathTraits(resource_id, '', ontology);
    if (place.is_credential || place.is_login_key) known = RESTRICTED;
    else if (place.is_personal || place.is_account) known = Math.max(known, CONFIDENTIAL);
  }
  return Math.min(RESTRICTED, Math.max(declared ?? 0, known));
}
