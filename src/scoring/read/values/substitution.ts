/** Whether the user named another value for the role that this value fills. */
import type { ActionReading } from '../action/action.ts';
import type { Corpus } from '../conversation/corpus.ts';
import type { Value } from '../words/normalise.ts';
import { namedValues } from './named-values.ts';

/** The words by which a person gives a value to a role, right before the value. */
const GIVING: Readonly<Record<string, RegExp>> = {
  recipient:
    /\b(?:to|an|à|a|for|invite|e-?mail|mail|message|notify|cc|bcc|address(?: is)?|recipient)\s*(?:the |my |[a-z]{2,20} ){0,3}(?:at |via |is |:)?[\s"'(<]*$/,
  payee:
    /\b(?:to|an|à|a|for|account|iban|payee|beneficiary|recipient)\s*(?:the |number |[a-z]{2,20} ){0,3}(?:at |is |:)?[\s"'(<]*$/,
  principal: /\b(?:to|for|user|member|grant|give|add|invite)\s*(?:the |[a-z]{2,20} ){0,2}[\s"'(<]*$/,
  url: /\b(?:from|visit|open|at|to|on|of|page|site|website|link|url|post)\s*(?:the |is |:)?[\s"'(<]*$/,
  host: /\b(?:from|visit|open|at|to|on|host|server|domain)\s*(?:the |is |:)?[\s"'(<]*$/,
  webhook: /\b(?:to|webhook|forward|at)\s*(?:is |:)?[\s"'(<]*$/,
};
/** The verb that needs the role must stand near, else the value was given for another step. */
const VERBS: Readonly<Record<string, RegExp>> = {
  transfer_pay: /\b(?:pay|transfer|send|wire|refund|top up|deposit|donate|remit|settle)\b/,
  send: /\b(?:send|e-?mail|mail|forward|reply|message|notify|invite|share|write|contact)\b/,
  share_publish: /\b(?:share|post|publish|send|invite|upload)\b/,
  grant_escalate: /\b(?:grant|give|add|invite|share|allow|assign)\b/,
};
const COMPARED = new Set(['email', 'url', 'host', 'account', 'card']);

/** The value that the user gave for the same role and the same act; '' when the user gave none. */
export function replacedValue(role: string, value: Value, action: ActionReading, corpus: Corpus): string {
  const giving = GIVING[role];
  const verb = VERBS[action.effective_group];
  if (giving === undefined || verb === undefined || !COMPARED.has(value.kind)) return '';
  const given = namedValues(corpus).filter(
    (n) =>
      n.value.kind === value.kind && n.value.normal !== value.normal && giving.test(n.before) && verb.test(n.before),
  );
  return given[0]?.value.text ?? '';
}
