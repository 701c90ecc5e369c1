/**
 * Whether a value is the answer to a call that was made for the user: an address to the look-up of a name that the user said
 * (`find_address({"name": "kofi"})` in a directory), a session token to a log-in.
 */
import { singular, singularsOf, wordsOf } from '../../../../lang/names.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { setOf } from '../../../../ontology/words.ts';
import { type Corpus, type Stretch, sideOf } from '../../conversation/corpus.ts';
import { lex } from '../../words/lexer.ts';
import type { Value, ValueKind } from '../../words/normalise.ts';
import { verbLookup } from '../../words/verb-table.ts';
import type { Vocabulary } from '../../words/vocabulary.ts';
import { hashedList } from '../../words/word-lists.ts';
import { locate, type Place } from '../locate.ts';
import { namedValues } from '../named-values.ts';

const words = perOntology((ontology) => ({
  directory: setOf(ontology, 'directory_words'),
  people: setOf(ontology, 'directory_subjects'),
  log_in: setOf(ontology, 'log_in_words'),
  owning: setOf(ontology, 'owning_words'),
}));
/** Kinds of values that tell one person from all others. */
const KEYS: ReadonlySet<ValueKind> = new Set(['email', 'identifier', 'account']);
const CALL = /^\s{0,8}([\w.-]{1,120})\(/;
const LONGEST_CALL = 2_048;
/** A shorter word of an address is not a name. */
const SHORTEST_NAME = 3;

/**
 * True when the value stands in the result of a directory look-up, and shares a word with that look-up which the user
 * said. A directory is kept by the organisation; a search in mail or pages finds what strangers wrote and does not count.
 */
export function answersLookUp(
  value: Value,
  outside: readonly Place[],
  corpus: Corpus,
  { ontology }: Vocabulary,
): boolean {
  if (outside.length === 0 || corpus.user.is_empty) return false;
  if (outside.every((place) => answersForValue(place, corpus, ontology))) return true;
  if (value.kind === 'account' && outside.some((place) => listsOwnAccounts(place, corpus, ontology))) return true;
  if (value.kind !== 'email') return false;
  const name = lex(value.normal.slice(0, value.normal.lastIndexOf('@')));
  const names = new Set<number>();
  for (let i = 0; i < name.count; i++)
    if (name.end[i]! - name.start[i]! >= SHORTEST_NAME && corpus.user.has(name.hash[i]!)) names.add(name.hash[i]!);
  if (names.size === 0) return false;
  return outside.some((place) => {
    const { tool, call } = callBefore(place, corpus);
    if (!wordsOf(tool).some((word) => words(ontology).directory.has(singular(word)))) return false;
    const { count, hash } = lex(call.slice(tool.length));
    for (let i = 0; i < count; i++) if (names.has(hash[i]!)) return true;
    return false;
  });
}

/** «Put 300 into my savings account», and the result of `get_own_accounts` holds the number: the bank says which accounts are the user's. */
function listsOwnAccounts(place: Place, corpus: Corpus, ontology: Ontology): boolean {
  const own = singularsOf(callBefore(place, corpus).tool);
  if (!own.some((word) => words(ontology).owning.has(word)) || !own.includes(ACCOUNT)) return false;
  return [...hashedList(ontology, 'own_account_words')].some((hash) => corpus.user.has(hash));
}

const ACCOUNT = 'account';

/** Words on either side of a value within which the value that was looked up stands in its record. */
const RECORD = 30;

/** `QueryUser({"email": "…"})` with an address of the user's, and the record that holds it holds the place as well. */
function answersForValue(place: Place, corpus: Corpus, ontology: Ontology): boolean {
  const { tool, call } = callBefore(place, corpus);
  if (tool === '' || !looksUpPeople(tool, ontology)) return false;
  const { first, last } = corpus.tool.stretchOf(place.word);
  return namedValues(corpus).some(
    ({ value }) =>
      KEYS.has(value.kind) &&
      call.includes(value.text) &&
      locate(corpus, 'tool', value).some(
        ({ word }) => word >= first && word < last && Math.abs(word - place.word) <= RECORD,
      ),
  );
}

/** Whether the name of the tool speaks of people and of looking, and of nothing that strangers write. */
function looksUpPeople(tool: string, ontology: Ontology): boolean {
  const { directory, people } = words(ontology);
  const lookup = verbLookup(ontology);
  const own = singularsOf(tool);
  const isPeople = (word: string): boolean => directory.has(word) || people.has(word);
  return own.some(isPeople) && own.every((word) => isPeople(word) || lookup.words.has(word));
}

/** The token that a log-in of this conversation returned: it was issued to the agent for the user's task. */
export function wasIssuedAtLogIn(place: Place, corpus: Corpus, { ontology }: Vocabulary): boolean {
  return wordsOf(callBefore(place, corpus).tool).some((word) => words(ontology).log_in.has(word));
}

/** The agent's call whose result holds the place, and the name of its tool; '' where another message comes between. */
const callBefore = (place: Place, corpus: Corpus): { tool: string; call: string } =>
  callOf(corpus.tool.stretchOf(place.word), corpus);

/** The call before a passage. */
export function callOf(stretch: Stretch, corpus: Corpus): { tool: string; call: string } {
  const at = corpus.stretches.indexOf(stretch);
  const before = corpus.stretches[at - 1];
  if (before === undefined || sideOf(before.segment.speaker) !== 'agent') return { tool: '', call: '' };
  const call = before.segment.text.slice(0, LONGEST_CALL);
  return { tool: CALL.exec(call)?.[1] ?? '', call };
}
