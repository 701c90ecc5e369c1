/** «Our bank details have changed»: an account that such a message brings in, where another text names another account. */
import type { Ontology } from '../../../../ontology/index.ts';
import { corpusOf } from '../../conversation/corpus.ts';
import type { TextReading } from '../../conversation/text.ts';
import { slice } from '../../conversation/transcript/words-of-text.ts';
import { embeddedValues } from '../../words/embedded.ts';
import { foldText } from '../../words/fold.ts';
import { readValue } from '../../words/normalise.ts';
import type { Argument } from '../argument.ts';
import { outsidePlaces } from '../outside-places.ts';
import { conflictingPayees } from './payee-conflict.ts';

/** Words before and behind the account in which the change is announced. */
const AROUND = 40;
const MAX_TEXT = 65_536;

/**
 * Accounts that the action pays to and that a message announced as new, against another that was found, or against which a
 * better source has another; sorted.
 */
export function changedPayees(ontology: Ontology, args: readonly Argument[], text: TextReading): string[] {
  const phrases = ontology.lists.get('changed_details_phrases') ?? [];
  const corpus = corpusOf(text);
  const found = new Set<string>(conflictingPayees(ontology, args, text));
  for (const arg of args) {
    if (arg.kind !== 'account' || arg.provenance !== 'tool') continue;
    const isAnnounced = outsidePlaces(arg, corpus).some(({ word, length }) => {
      const { first, last } = corpus.tool.stretchOf(word);
      const said = foldText(
        slice(corpus.tool.words, Math.max(first, word - AROUND), Math.min(last, word + length + AROUND)),
      );
      return phrases.some((phrase) => said.includes(phrase));
    });
    if (isAnnounced && namesAnother(arg.value, text)) found.add(arg.value);
  }
  return [...found].sort();
}

function namesAnother(account: string, text: TextReading): boolean {
  const { normal } = readValue(account, 'payee', text.ontology);
  return text.untrusted.some((one) =>
    embeddedValues(one.text.slice(0, MAX_TEXT), text.ontology).some(
      (value) => value.kind === 'account' && value.normal !== normal,
    ),
  );
}
