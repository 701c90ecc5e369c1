/**
 * Orders in the description of the tool that is called. The tool server writes it and the agent reads it as part of its own
 * instructions, so a description that steers beyond the use of the tool is an attack (tool poisoning).
 */

import { PathTraits } from '../../../effects/paths.ts';
import type { AgentEvent } from '../../../events/event.ts';
import { parametersOf } from '../../../events/parameters.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { betrayingMarkers } from '../conversation/heeded.ts';
import { hiddenParts } from '../conversation/hidden/hidden.ts';
import { type Order, ordersInText, STEERING } from '../conversation/order-sentences.ts';
import { slice } from '../conversation/transcript/words-of-text.ts';
import { type Steering, steeringIn } from './steering-description.ts';

export interface DescriptionOrder {
  /** The sentence; '' if the description orders nothing beyond the use of the tool. */
  excerpt: string;
  /**
   * `steers`: as attacks do. `credentials`: it sends the agent to a place of credentials. `hidden`: people do not see it. `commands`,
   * `starts`, `values`, `sends`, `says`: what it makes the agent do beside the call.
   */
  kind: 'steers' | 'credentials' | 'hidden' | Steering['kind'];
}

const NOTHING: DescriptionOrder = { excerpt: '', kind: '' };
/** Descriptions are searched in pieces of this length, which overlap so that a sentence at a border is read whole. */
const PIECE = 4_096;
const OVERLAP = 512;
const MAX_DESCRIPTION = 16_384;
const MAX_EXCERPT = 200;
/** Words with a folder or an ending, which may name a file. */
const FILE = /(?<![\w/~.-])(?:~|\.{1,2})?\/?[\w.-]{1,64}(?:\/[\w.-]{1,64}){0,8}/g;
const NAMES_A_FILE = /\/|\.\w/;
const MAX_FILES = 256;

/** `runsCode`: the tool itself is handed code. */
export function readDescription(event: AgentEvent, runsCode: boolean, ontology: Ontology): DescriptionOrder {
  const text = event.mcp_context?.tool_description?.slice(0, MAX_DESCRIPTION) ?? '';
  if (text === '') return NOTHING;
  const { parts } = hiddenParts(text, ontology);
  const [hidden] = parts.filter(({ text: inner }) => ordersInText(inner, ontology).length > 0);
  if (hidden !== undefined) return { excerpt: hidden.text.slice(0, MAX_EXCERPT), kind: 'hidden' };
  for (let from = 0; from < text.length; from += PIECE - OVERLAP) {
    const piece = text.slice(from, from + PIECE);
    const orders = ordersInText(piece, ontology);
    const steering = orders.find((order) => steers(order, ontology));
    if (steering !== undefined) return { excerpt: excerptOf(steering), kind: 'steers' };
    const [first] = orders;
    if (first !== undefined && namesCredentials(piece, ontology))
      return { excerpt: excerptOf(first), kind: 'credentials' };
  }
  const { excerpt, kind } = steeringIn(text, parametersOf(event).leaves, runsCode, ontology);
  return kind === '' ? NOTHING : { excerpt: excerpt.slice(0, MAX_EXCERPT), kind };
}

const excerptOf = ({ words, from, to }: Order): string => slice(words, from, to).slice(0, MAX_EXCERPT);

/** Many descriptions say «always» and «before»; what attacks say beside it no description needs. */
function steers({ strength, markers }: Order, ontology: Ontology): boolean {
  const betraying = betrayingMarkers(ontology);
  return strength >= STEERING && markers.filter((marker) => betraying.has(marker)).length > 0;
}

function namesCredentials(text: string, ontology: Ontology): boolean {
  let count = 0;
  for (const [file] of text.matchAll(FILE)) {
    // Plain words, also at the end of a sentence, use nothing of the limit up: an attacker can write any number before the order.
    if (!NAMES_A_FILE.test(file)) continue;
    if (count++ >= MAX_FILES) return false;
    if (new PathTraits(file, '', ontology).is_credential) return true;
  }
  return false;
}
