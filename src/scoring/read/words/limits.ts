/** Limits that the user puts on everything: look only, draft only. */
import type { Vocabulary } from './vocabulary.ts';

const READ_ONLY =
  /\bread[- ]only\b|\bonly (?:read|look|view|show|list|check|tell|summari[sz]e)\b|\bjust (?:look|read|view|show me|tell me)\b|\b(?:do not|don'?t|without) (?:chang|modify|edit|touch|alter|updat|writ)\w{0,6} (?:anything|any files?|a thing)\b|\b(?:no|without any) changes\b|\bnur (?:lesen|ansehen|anzeigen)\b|\bsolo (?:leer|ver)\b|\bseulement (?:lire|voir)\b/i;
const DRAFT_ONLY =
  /\bdraft(?:s|ing)? only\b|\b(?:only|just) (?:a )?(?:draft|propose|preview|suggest)\b|\b(?:do not|don'?t|without) (?:actually )?(?:send|submit|publish|post|execut|run|apply)(?:ing)?\b.{0,20}\b(?:yet|it|them|anything)\b|\bdry[- ]run\b|\b(?:preview|plan) only\b|\bdraft\b.{0,60}\b(?:for my review|for review|before sending)|\bnur (?:ein )?entwurf\b/i;
/** A letter to be drafted, and nobody said that it should leave the house. */
const DRAFT_LETTER = /\bdraft\b.{0,30}\b(?:reply|answer|response|e-?mail|message|letter)\b/i;

/** The part of a request that limits are read into; `groups` are the verb groups asked for. */
interface Limited {
  groups: number;
  is_read_only: boolean;
  wants_draft_only: boolean;
}

export function readLimits(text: string, request: Limited, { bitOf }: Vocabulary): void {
  const words = text.slice(0, 16_384);
  const leaves = bitOf('send') | bitOf('share_publish');
  if (DRAFT_ONLY.test(words) || (DRAFT_LETTER.test(words) && (request.groups & leaves) === 0))
    request.wants_draft_only = true;
  if (request.wants_draft_only && /\b(?:then|and) (?:send|submit|publish|post) (?:it|them|the)\b/i.test(words))
    request.wants_draft_only = false;
  if (!READ_ONLY.test(words)) return;
  // Somebody who also asks for a change did not ask only to look, unless it was said of everything.
  const looks = bitOf('read') | bitOf('list_search');
  const asksChange = (request.groups & ~looks) !== 0;
  if (!asksChange || /\bread[- ]only\b|\bno changes\b|\banything\b/i.test(words)) request.is_read_only = true;
}
