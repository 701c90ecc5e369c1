/**
 * Whether a look-up of the agent's returned an id. Text from a tool that only names the id proves nothing: the judged party could
 * have it written there. What counts is the answer to a recorded call of a tool of the same kind, which holds one list of
 * records, in a field of the record that holds ids.
 */

import type { AgentEvent } from '../../../events/event.ts';
import { lastWord, singularsOf, snakeCase } from '../../../lang/names.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { setOf } from '../../../ontology/words.ts';
import { type Call, callsIn, hasResult } from '../conversation/calls.ts';
import { memoOf, segmentsOf, type TextReading } from '../conversation/text.ts';
import { objectLines, recordsInForm } from '../conversation/transcript/record-forms.ts';
import { scanRecords } from '../conversation/transcript/records.ts';
import { speakerOfRole } from '../conversation/transcript/transcript.ts';
import { verbLookup } from '../words/verb-table.ts';
import { wordSet } from '../words/word-lists.ts';

/** Messages at the end of a conversation that are read. */
const MAX_MESSAGES = 200;
/** Calls that no message has answered yet. */
const MAX_WAITING = 16;
/** Characters of one result, and of all of them. */
const MAX_RESULT = 262_144;
const MAX_ALL = 524_288;

const idKeys = perOntology((ontology) => setOf(ontology, 'id_key_words'));
const failureKeys = perOntology((ontology) => setOf(ontology, 'failure_keys'));

/** One message of a tool that answers recorded calls. */
interface Answer {
  calls: readonly Call[];
  /** Its records where it is sure, else all of it. */
  text: string;
  /** Field in snake case → the values that records of the answer hold there. */
  fields: ReadonlyMap<string, ReadonlySet<string>>;
  /** It has one record or list of records, and answers its call for sure. */
  is_sure: boolean;
  /** An empty list: nothing was found. */
  is_empty: boolean;
}

/** What an id is looked for with. */
export interface WantedId {
  id: string;
  /** The parameter that holds it. */
  name: string;
  /** Names of the action and of its server: a look-up by a tool that shares no noun with them is of another kind. */
  about: readonly string[];
  /** Name of the action's own tool, which looks nothing up. */
  tool: string;
}

/**
 * `yes`: an answer holds the id in a field of its records, or a look-up that was given the id answered with a record. `no`: answers of
 * look-ups of this kind are records with such ids, and none of them does. `unknown`: no look-up of this kind answered with records, so that
 * only the text of answers can tell.
 */
export function lookedUp({ id, name, about, tool }: WantedId, event: AgentEvent, text: TextReading): LookUp {
  const { ontology } = text;
  const own = nounsOf([name, tool, ...about], ontology);
  const keys = idKeys(ontology);
  let found: LookUp = 'unknown';
  for (const answer of answersIn(event, text)) {
    const ofKind = answer.calls.filter(
      (call) => call.name !== tool && nounsOf([call.name], ontology).some((word) => own.includes(word)),
    );
    if (ofKind.length === 0) continue;
    if (answer.is_sure && (holdsWhole(answer, id, keys) || opens(ofKind, answer, id, ontology))) return 'yes';
    if (answer.is_empty || [...answer.fields.keys()].some((key) => isSameKind(key, name, keys))) found = 'no';
  }
  return found;
}

/** Whether the calls of an answer took the id, and it is a record and no message about a failure. */
function opens(calls: readonly Call[], { fields }: Answer, id: string, ontology: Ontology): boolean {
  if (fields.size < 2 || [...fields.keys()].some((key) => failureKeys(ontology).has(key))) return false;
  return calls.some(({ args }) => [...args.values()].includes(id));
}

/** Whether a field of a record holds ids of the parameter's kind: `id`, the same name, or its end as in `to_account_number`. */
function isSameKind(key: string, name: string, keys: ReadonlySet<string>): boolean {
  const wanted = snakeCase(name);
  return (
    key === 'id' || key === wanted || (keys.has(lastWord(key)) && key !== lastWord(key) && wanted.endsWith(`_${key}`))
  );
}

/** In a field of ids, or as a whole text of any field or list. */
function holdsWhole({ fields, text }: Answer, id: string, keys: ReadonlySet<string>): boolean {
  if (text.includes(`"${id}"`) || text.includes(`'${id}'`)) return true;
  return [...fields].some(([key, values]) => keys.has(lastWord(key)) && values.has(id));
}

export type LookUp = 'yes' | 'no' | 'unknown';

function nounsOf(names: readonly string[], ontology: Ontology): string[] {
  const lookup = verbLookup(ontology);
  const keys = idKeys(ontology);
  const preparing = wordSet(ontology, 'preparing_groups');
  const tells = (word: string): boolean =>
    word.length > 1 && !keys.has(word) && !preparing.has(lookup.words.get(word)?.group ?? '');
  return names.flatMap((name) => singularsOf(name)).filter(tells);
}

function answersIn(event: AgentEvent, text: TextReading): readonly Answer[] {
  return memoOf(text).get('answers of look-ups', () => readAnswers(event, text));
}

/**
 * Whether a message of a tool that holds the value, by its index, answers a recorded call that leads to it: a call of another tool
 * about the same thing, which did not hold the value itself. Of an answer in words nothing more can be told.
 */
export function leadsTo(wanted: WantedId, indices: ReadonlySet<number>, event: AgentEvent, text: TextReading): boolean {
  const { ontology } = text;
  const own = nounsOf([wanted.name, wanted.tool, ...wanted.about], ontology);
  return groupsIn(event, text).some(
    (group) =>
      isSure(group) &&
      group.messages.some((index) => indices.has(index)) &&
      group.calls.some(
        ({ name, text: args }) =>
          name !== wanted.tool &&
          !args.includes(wanted.id) &&
          nounsOf([name], ontology).some((word) => own.includes(word)),
      ),
  );
}

/** Names of the tools that the agent called, each once. */
export function toolsCalled(event: AgentEvent, text: TextReading): readonly string[] {
  return memoOf(text).get('tools called', () => [
    ...new Set(groupsIn(event, text).flatMap(({ calls }) => calls.map(({ name }) => name))),
  ]);
}

/** Where more messages than calls follow, one of them answers none, and nothing tells which. */
const isSure = ({ calls, messages }: Group): boolean => messages.length <= calls.length;

/** Whether the host records the calls of the agent, with what follows them. */
export const hasCalls = (event: AgentEvent, text: TextReading): boolean => groupsIn(event, text).length > 0;

/**
 * Indices of the messages of tools that answer recorded calls, as many as there are calls at most: what was put there answers none.
 * `null` in a conversation without recorded calls.
 */
export const sureAnswers = (event: AgentEvent, text: TextReading): ReadonlySet<number> | null =>
  memoOf(text).get('sure answers', () => {
    const groups = groupsIn(event, text);
    return groups.length === 0 ? null : new Set(groups.flatMap((group) => (isSure(group) ? group.messages : [])));
  });

interface Group {
  calls: readonly Call[];
  messages: number[];
}

const groupsIn = (event: AgentEvent, text: TextReading): readonly Group[] =>
  memoOf(text).get('calls and what follows', () => groupsOf(event, text.ontology));

/** Calls with the messages that follow them. A result may follow behind another call, so it is counted for both. */
function groupsOf(event: AgentEvent, ontology: Ontology): Group[] {
  const history = event.conversation_history ?? [];
  const groups: Group[] = [];
  let open: Group[] = [];
  for (let i = Math.max(0, history.length - MAX_MESSAGES); i < history.length; i++) {
    const message = history[i]!;
    const speaker = speakerOfRole(typeof message.role === 'string' ? message.role.trim().toLowerCase() : '', ontology);
    if (speaker === 'tool' || hasResult(message)) for (const group of open) group.messages.push(i);
    else if (speaker === 'agent') {
      const calls = callsIn(message, i);
      if (calls.length === 0) continue;
      const group = { calls, messages: [] };
      open = [...open.filter(({ messages }) => messages.length === 0).slice(-MAX_WAITING), group];
      groups.push(group);
    } else open = [];
  }
  return groups.filter(({ messages }) => messages.length > 0);
}

function readAnswers(event: AgentEvent, text: TextReading): Answer[] {
  const groups = groupsIn(event, text);
  if (groups.length === 0) return [];
  const byMessage = new Map<number, string[]>();
  for (const { speaker, index, text: own, records_text: said = own } of segmentsOf(text))
    if (speaker === 'tool') byMessage.set(index, [...(byMessage.get(index) ?? []), said]);
  const answers: Answer[] = [];
  let left = MAX_ALL;
  for (const group of groups.toReversed()) {
    for (const index of group.messages) {
      for (const said of byMessage.get(index) ?? []) {
        const result = said.slice(0, Math.min(MAX_RESULT, left)).trim();
        left -= result.length;
        const records = isSure(group) ? recordsAlone(result) : '';
        answers.push({
          calls: group.calls,
          text: records || result,
          fields: fieldsOf(records || result),
          is_sure: records !== '',
          is_empty: /^\[\s{0,8}\]$/.test(result),
        });
      }
    }
  }
  return answers;
}

/** The objects of JSON that stand in lines of their own. Their strings hold no line end, so that none of them adds a line. */
const objectLinesIn = (text: string): string =>
  /^\{[^\n]{0,65536}\}\s{0,8}$/m.test(text)
    ? objectLines(text)
        .objects.map(({ line }) => line)
        .join('\n')
    : '';

function fieldsOf(result: string): ReadonlyMap<string, ReadonlySet<string>> {
  const fields = new Map<string, Set<string>>();
  for (const record of scanRecords(result).records) {
    for (const [key, value] of record) {
      const known = fields.get(snakeCase(key));
      if (known === undefined) fields.set(snakeCase(key), new Set([value]));
      else known.add(value);
    }
  }
  return fields;
}

/**
 * The one list or object in a text, whole or cut off: what opens it closes behind its last record or nowhere. Words, quotes and tags
 * that a host puts around it are left out and prove nothing; '' where there are several, or none. A text of nothing but records, an
 * object in each line or another form, is one list.
 */
function recordsAlone(text: string): string {
  const lines = objectLinesIn(text);
  if (lines !== '') return lines;
  if (!(text.includes('{') && /^[{[]/.test(text)) && recordsInForm(text).length > 0) return text;
  const start = text.search(/[[{]/);
  if (start < 0) return '';
  let depth = 0;
  let quote = '';
  for (let at = start; at < text.length; at++) {
    const sign = text[at]!;
    if (quote !== '') {
      if (sign === '\\') at++;
      else if (sign === quote && (quote === '"' || !/\w/.test(text[at + 1] ?? ' '))) quote = '';
    } else if (sign === '"' || (sign === "'" && !/\w/.test(text[at - 1] ?? ' '))) quote = sign;
    else if (sign === '[' || sign === '{') depth++;
    else if (sign === ']' || sign === '}') {
      depth--;
      if (depth === 0) return /[[{]/.test(text.slice(at + 1)) ? '' : text.slice(start, at + 1);
    }
  }
  return text.slice(start);
}
