/**
 * Orders that the agent writes into a file for whoever reads it next: in signs that a person does not see, or, in a file that steers
 * agents, in the words by which attacks take over.
 */

import { PathTraits } from '../../../effects/paths.ts';
import type { AgentEvent } from '../../../events/event.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { editsOfEvent } from '../action/content/edits.ts';
import { hiddenParts } from '../conversation/hidden/hidden.ts';
import { ordersInText, STEERING } from '../conversation/order-sentences.ts';
import { slice } from '../conversation/transcript/words-of-text.ts';

export interface PlantedOrder {
  /** What is ordered; '' where nothing is. */
  excerpt: string;
  /** `hidden`: no person sees it. `steers`: a file that steers agents takes back what they were told before. */
  kind: '' | 'hidden' | 'steers';
}

const NOTHING: PlantedOrder = { excerpt: '', kind: '' };
/** Tag characters, or several signs without width in a row. */
const INVISIBLE = /[\u{e0020}-\u{e007f}]|[\u200b-\u200f\u2060-\u2064\ufeff]{4}/u;
const MAX_TEXT = 16_384;
const PIECE = 4_096;
const MAX_EXCERPT = 200;
/** The marker of text that takes back earlier instructions. */
const TAKES_BACK = 'override';

export function readPlantedOrder(event: AgentEvent, ontology: Ontology): PlantedOrder {
  for (const { path, before, after } of editsOfEvent(event, ontology)) {
    const text = after.slice(0, MAX_TEXT);
    if (INVISIBLE.test(text) && !INVISIBLE.test(before)) {
      const hidden = hiddenParts(text, ontology).parts.find(
        (part) =>
          (part.technique === 'unicode_tags' || part.technique === 'zero_width_run') &&
          ordersInText(part.text, ontology).length > 0,
      );
      if (hidden !== undefined) return { excerpt: hidden.text.slice(0, MAX_EXCERPT), kind: 'hidden' };
    }
    if (path === '' || !new PathTraits(path, '', ontology).is_agent) continue;
    const taken = takenBack(text, ontology);
    if (taken !== '' && !before.includes(taken)) return { excerpt: taken, kind: 'steers' };
  }
  return NOTHING;
}

/** The sentence that takes back earlier instructions, '' where there is none. */
function takenBack(text: string, ontology: Ontology): string {
  for (let from = 0; from < text.length; from += PIECE) {
    const piece = text.slice(from, from + PIECE);
    const order = ordersInText(piece, ontology).find(
      ({ strength, markers }) => strength >= STEERING && markers.includes(TAKES_BACK),
    );
    if (order !== undefined) return slice(order.words, order.from, order.to).slice(0, MAX_EXCERPT);
  }
  return '';
}
