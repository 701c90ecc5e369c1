/** Another member of a list than the one that the user named: a topic that stands beside the named one in what a tool listed. */
import type { AgentEvent } from '../../../../../events/event.ts';
import { parametersOf } from '../../../../../events/parameters.ts';
import { standsAlone, wordsBefore } from '../../../../../lang/stands-alone.ts';
import type { Ontology } from '../../../../../ontology/index.ts';
import { perOntology } from '../../../../../ontology/per-ontology.ts';
import { setOf } from '../../../../../ontology/words.ts';
import { readCalls } from '../../../conversation/calls.ts';
import { perPassage } from '../../../conversation/kept-passages.ts';
import type { TextReading } from '../../../conversation/text.ts';
import { scanRecords } from '../../../conversation/transcript/records.ts';
import { foldedUserWords, saysAny } from '../../../conversation/user-words.ts';
import { foldText } from '../../../words/fold.ts';
import type { Contradiction } from '../contradicted.ts';

const words = perOntology((ontology) => ({
  quantifiers: setOf(ontology, 'quantifier_words'),
  leading: setOf(ontology, 'leading_to_others'),
}));

const MAX_PASSAGES = 12;
const MAX_PASSAGE = 16_384;
const MAX_MEMBERS = 400;
const MAX_LEAVES = 100;
const SHORTEST = 3;
const LONGEST = 80;
/** Words before the name that may say that it is not what is meant, or only leads to it. */
const BEFORE = 3;
/** Behind the name as a part of a sentence. */
const BORDERS = { before: /[\p{L}\p{N}_./:@-]/u, behind: /^[\p{L}\p{N}_/@-]|^[.:][\p{L}\p{N}]/u };

/** The listed member that the action takes, and the listed one that the user named; nothing where the user speaks of several. */
export function listedSiblings(event: AgentEvent, ontology: Ontology, text: TextReading): readonly Contradiction[] {
  if (text.untrusted.length === 0 || saysAny(text, words(ontology).quantifiers)) return [];
  const folded = foldedUserWords(text);
  const { leaves } = parametersOf(event);
  const values = leaves.slice(0, MAX_LEAVES).filter(({ value }) => typeof value === 'string' && value.length <= 512);
  const isUsed = (name: string): boolean =>
    values.some(({ value }) => foldText(String(value)).includes(foldText(name))) ||
    foldText(event.target?.resource_id ?? '').includes(foldText(name));
  for (const passage of text.untrusted.slice(-MAX_PASSAGES)) {
    for (const members of listsOf(passage, ontology)) {
      const used = values.find(({ value }) => members.has(String(value)) && !isNamed(String(value), folded));
      if (used === undefined) continue;
      const asked = [...members].filter((name) => isMeant(name, folded, ontology));
      const [only] = asked;
      const name = String(used.value);
      if (only === undefined || asked.some(isUsed) || ledTo(event, ontology, asked, name)) continue;
      return [{ parameter: used.path, asked: only, used: name, kind: 'name', factor: 1, is_less: false }];
    }
  }
  return [];
}

const isNamed = (name: string, said: string): boolean => standsAlone(foldText(name), said, BORDERS);

/** The user names it, and not to lead to something else: «not X», «like X», «the ones below X». */
function isMeant(name: string, said: string, ontology: Ontology): boolean {
  if (!isNamed(name, said)) return false;
  return !wordsBefore(said, said.indexOf(foldText(name)), BEFORE).some((word) => words(ontology).leading.has(word));
}

/** Whether the agent looked up what the user named, and the answer gave the other name. */
function ledTo(event: AgentEvent, ontology: Ontology, asked: readonly string[], used: string): boolean {
  return readCalls(event, ontology).some(
    ({ args, results }) =>
      [...args.values()].some((value) => asked.some((name) => value.includes(name))) &&
      results.some((result) => result.includes(used)),
  );
}

/** A name that no word of a language is: with a digit or a sign inside, of letters, digits and signs that join them. */
function isTelling(name: string): boolean {
  if (name.length < SHORTEST || name.length > LONGEST || /[^\p{L}\p{N}_./:@-]/u.test(name)) return false;
  return /\d/.test(name) || /[\p{L}\p{N}][-_./:@][\p{L}\p{N}]/u.test(name);
}

/** Telling names that stand in the same place of a list: under one key of its records, or first in its lines. */
const listsOf = perPassage((said): readonly ReadonlySet<string>[] => {
  const passage = said.slice(0, MAX_PASSAGE);
  const by_key = new Map<string, Set<string>>();
  const note = (key: string, name: string): void => {
    const members = by_key.get(key) ?? new Set<string>();
    if (members.size < MAX_MEMBERS && isTelling(name)) by_key.set(key, members.add(name));
  };
  if (passage.includes('{')) {
    for (const fields of scanRecords(passage).records) for (const [key, value] of fields) note(key, value);
  } else
    for (const line of passage.split('\n').slice(0, MAX_MEMBERS))
      note('', /^[\s*•-]{0,8}(\S{3,80})(?=\s|$)/.exec(line)?.[1] ?? '');
  return [...by_key.values()].filter(({ size }) => size > 1);
});
