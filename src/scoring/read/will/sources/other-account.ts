/** Money that goes to an account which stands nowhere, where the look-up of the same payee or bill has another one. */
import type { AgentEvent } from '../../../../events/event.ts';
import { parametersOf } from '../../../../events/parameters.ts';
import { wordsOf } from '../../../../lang/names.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { setOf } from '../../../../ontology/words.ts';
import type { TextReading } from '../../conversation/text.ts';
import { userWords } from '../../conversation/user-words.ts';
import { foldText } from '../../words/fold.ts';
import { anchorsOf, isAbout } from './anchors.ts';

const words = perOntology((ontology) => ({ own: setOf(ontology, 'paying_account_names') }));

export interface OtherAccount {
  used: string;
  /** As the look-up has it. */
  recorded: string;
}

const MAX_LEAVES = 200;
const MAX_PASSAGES = 20;
const MAX_TEXT = 65_536;
/** Written in groups or in one. Two letters and two digits begin the accounts of some eighty countries. */
const ACCOUNT = /(?<![\p{L}\p{N}])[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]{2,4}){3,8}(?![\p{L}\p{N}])/gu;
const WHOLE = /^[A-Z]{2}\d{2}[A-Z0-9]{10,30}$/;
const LEAST_DIGITS = 8;

/** The first one; undefined where no account of the action is against a record. */
export function otherAccount(event: AgentEvent, ontology: Ontology, text: TextReading): OtherAccount | undefined {
  if (text.untrusted.length === 0) return undefined;
  const { own } = words(ontology);
  const { leaves } = parametersOf(event);
  const all = leaves
    .slice(0, MAX_LEAVES)
    .flatMap(({ path, value }) => (typeof value === 'string' && isAccount(bare(value)) ? [{ path, value }] : []));
  const given = all.filter(({ path }) => !wordsOf(foldText(path)).some((word) => own.has(word)));
  if (given.length === 0) return undefined;
  const used = new Set(all.map(({ value }) => bare(value)));
  const said = bare(userWords(text));
  const passages = text.untrusted.slice(-MAX_PASSAGES).map((passage) => passage.text.slice(0, MAX_TEXT));
  const anchors = anchorsOf(event);
  const unknown = given.find(
    ({ value }) => !said.includes(bare(value)) && passages.every((passage) => !bare(passage).includes(bare(value))),
  );
  if (unknown === undefined) return undefined;
  for (const passage of passages) {
    const recorded = [...passage.matchAll(ACCOUNT)].map(([one]) => one).filter((one) => isAccount(bare(one)));
    if (recorded.length === 0 || recorded.some((one) => used.has(bare(one))) || !isAbout(passage, anchors)) continue;
    return { used: unknown.value, recorded: recorded[0]! };
  }
  return undefined;
}

const bare = (said: string): string => said.replace(/[^\p{L}\p{N}]/gu, '').toUpperCase();
const isAccount = (value: string): boolean => WHOLE.test(value) && value.replace(/\D/g, '').length >= LEAST_DIGITS;
