/** «Pay the bill», «reply to her», «follow the link»: words by which a user lets a source choose a value. */
import { hashWord } from './lexer.ts';

/** Noun or verb of a request → roles whose values it hands over. */
const BY_WORD: Readonly<Record<string, string>> = {
  'bill invoice rent statement notice fee fine ticket dues tuition subscription receipt contract quote':
    'payee amount account',
  'reply respond answer sender participants attendees everyone everybody team members colleagues guests invitees respondents subscribers customers applicants candidates contacts whoever':
    'recipient principal',
  'link page site website webpage article homepage portal forum thread post blog url': 'url host',
  'file files document documents attachment attachments invoices image images photo photos picture folder directory report reports paper notes spreadsheet logs template resume cv':
    'path url',
  'instructions steps guide readme tutorial script commands makefile checklist': 'command path url',
  'repositories repository repo project projects': 'repository',
  'price cost amount sum total balance remaining difference refund everything rest cheapest': 'amount',
  'members users employees hires colleagues newcomers': 'principal recipient',
  'channel channels': 'recipient',
  'meeting event appointment invitation invite reservation document agenda schedule email': 'schedule',
};

/** By the hash of the word. */
export const ROLES_BY_WORD = new Map<number, string[]>();
for (const [words, roles] of Object.entries(BY_WORD)) {
  for (const word of words.split(' ')) {
    for (const form of [word, `${word}s`]) {
      const hash = hashWord(form);
      ROLES_BY_WORD.set(hash, [...new Set([...(ROLES_BY_WORD.get(hash) ?? []), ...roles.split(' ')])]);
    }
  }
}
const ALL = new Set([...ROLES_BY_WORD.values()].flat());

export function delegatedBy(hash: number, into: Set<string>): void {
  const roles = ROLES_BY_WORD.get(hash);
  if (roles !== undefined) for (const role of roles) into.add(role);
}

/** Every role that can be handed over. Standing forwards, secrets and rights never can. */
export function allRoles(): Iterable<string> {
  return ALL;
}

const HANDS_OVER =
  /\b(?:follow|do|complete|perform|execute|carry out|handle|process|work through|take care of|finish|implement|act on|address|fulfil+|resolve)\b[^.\n]{0,40}\b(?:instruction|task|to-?do|step|request|action|item|order|direction|assignment|checklist)s?\b|\bwhat(?:ever)? (?:he|she|it|they|the \w{1,20}) (?:say|ask|tell|want|request|need)s?\b|\b(?:handle|process|manage|triage|clean up|go through) (?:my|the) (?:inbox|e-?mails?|mail|messages|tickets|queue|backlog)\b/i;

export function handsOverAll(sentence: string): boolean {
  return HANDS_OVER.test(sentence.slice(0, 600));
}
