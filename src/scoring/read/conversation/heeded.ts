/**
 * The conversation as it bears on everyday work: text of the user's own workspace may lead to such a step, so its orders and
 * values are no outsider's. A passage that steers like an attack stays foreign, wherever it stands.
 */
import { perOntology } from '../../../ontology/per-ontology.ts';
import { setOf } from '../../../ontology/words.ts';
import { gradeOf } from './grade.ts';
import { ordersOf, STEERING } from './order-sentences.ts';
import { memoOf, segmentsOf, type TextReading, textOfSegments } from './text.ts';
import type { Segment } from './transcript/transcript.ts';

export const betrayingMarkers = perOntology((ontology) => setOf(ontology, 'betraying_markers'));

/** The same text with passages of the workspace as the agent's own; the text itself if it has none. */
export function forOwnWork(text: TextReading): TextReading {
  return memoOf(text).get('for own work', () => {
    const segments = segmentsOf(text);
    if (!segments.some((segment) => isOfWorkspace(segment, text))) return text;
    const steering = steeringSegments(text);
    const changed = segments.map(
      (segment): Segment =>
        isOfWorkspace(segment, text) && !steering.has(segment) ? { ...segment, speaker: 'agent' } : segment,
    );
    return textOfSegments(changed, text);
  });
}

/** Characters of workspace text in which names of programs are looked for. */
const MAX_NAMES_IN = 131_072;

/** Words of the user's own workspace, without passages that steer like an attack. */
export function workspaceWords(text: TextReading): ReadonlySet<string> {
  return memoOf(text).get('workspace words', () => {
    const steering = steeringSegments(text);
    const own = segmentsOf(text).filter((segment) => isOfWorkspace(segment, text) && !steering.has(segment));
    const all = own.map((segment) => segment.text).join('\n');
    return new Set(all.slice(-MAX_NAMES_IN).match(/[\w.+-]+/g) ?? []);
  });
}

function isOfWorkspace(segment: Segment, text: TextReading): boolean {
  return segment.speaker === 'tool' && segment.text !== '' && gradeOf(segment, text) === 'workspace';
}

function steeringSegments(text: TextReading): ReadonlySet<Segment> {
  const betraying = betrayingMarkers(text.ontology);
  const found = new Set<Segment>();
  for (const { strength, markers, stretch } of ordersOf(text, text.ontology))
    if (strength >= STEERING && markers.some((marker) => betraying.has(marker))) found.add(stretch.segment);
  return found;
}
