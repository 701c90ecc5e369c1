/**
 * A yes that is for less than the act: the agent offered to look, to draft or to begin; the user chose another way, kept something out,
 * named another time or thing, or set a condition of which nothing says that it holds.
 */
import { acceptedLess, agreesConditionally, answersProposal } from '../../conversation/answers.ts';
import type { OrderParts } from '../asked/exact-order.ts';
import { deedOf } from './confirmed.ts';
import { holdsSince, isAtAnotherTime, takesWhatIsKept } from './restrictions.ts';
import { takesSibling } from './siblings.ts';

/** Characters of an answer; a longer one may be about other things as well. */
const LONGEST = 240;

/** `less`, `kept`, `time`, `other` or `condition`; '' where the answer holds nothing back, and where it answers no question. */
export function heldBack(parts: OrderParts): string {
  const { ontology, heeded_text: text } = parts;
  const deed = deedOf(parts);
  if (text.last_user_message.length > LONGEST || !answersProposal(ontology, text, deed)) return '';
  if (acceptedLess(ontology, text, deed)) return 'less';
  if (takesWhatIsKept(parts)) return 'kept';
  if (isAtAnotherTime(parts)) return 'time';
  if (takesSibling(parts, deed)) return 'other';
  return agreesConditionally(ontology, text) && !holdsSince(parts) ? 'condition' : '';
}
