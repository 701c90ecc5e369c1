/** Whether the user's words speak of delicate files at hand: the agent's instructions («add to CLAUDE.md»), credentials. */
import type { AgentEvent } from '../../../../events/event.ts';
import { parametersOf } from '../../../../events/parameters.ts';
import { singular, wordsOf } from '../../../../lang/names.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import type { ContentReading } from '../../action/content/content.ts';
import { corpusOf, type Places } from '../../conversation/corpus.ts';
import { type HiddenPart, hiddenParts } from '../../conversation/hidden/hidden.ts';
import { ordersInText } from '../../conversation/order-sentences.ts';
import { segmentsOf, type TextReading } from '../../conversation/text.ts';
import { hashWord } from '../../words/lexer.ts';
import { wordSet } from '../../words/word-lists.ts';

/** Shorter words are part of every name. */
const SHORTEST = 3;
const SHORTEST_FILE = 6;
/** Shorter parameters hold no passage. */
const SHORTEST_TEXT = 16;
const MAX_TEXT = 16_384;

/**
 * True if all agent files that the content changes are texts for readers, and what is written neither hides text nor steers its
 * readers like an attack. Settings, permissions and lists of tools are no such texts.
 */
export function changesAgentTexts(event: AgentEvent, content: ContentReading, ontology: Ontology): boolean {
  const changed = content.effects.filter(({ kind }) => kind === 'modifies_agent');
  return (
    changed.length > 0 && !steersReaders(event, ontology) && changed.every(({ object }) => isRuleText(object, ontology))
  );
}

/** By its ending; a file without one is a text. */
function isRuleText(path: string, ontology: Ontology): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot <= 0 || wordSet(ontology, 'rule_file_endings').has(name.slice(dot + 1).toLowerCase());
}

/** True if only such texts are changed, and the user's words have a word of each one's name or folder. */
export function userNamesAgentFiles(
  event: AgentEvent,
  content: ContentReading,
  text: TextReading,
  ontology: Ontology,
): boolean {
  const changed = content.effects.filter(({ kind }) => kind === 'modifies_agent');
  const { user } = corpusOf(text);
  return (
    changesAgentTexts(event, content, ontology) &&
    changed.every(({ object }) => {
      const [name = '', folder = ''] = object.split('/').reverse();
      const dot = name.lastIndexOf('.');
      if (ordersRules(text, ontology)) return true;
      if (name.length >= SHORTEST_FILE && userAnsweredAbout(name, text)) return true;
      return saysOne([...wordsOf(folder), ...wordsOf(dot > 0 ? name.slice(0, dot) : name)], user);
    })
  );
}

const SLASH_COMMAND = /^\s{0,8}\/([a-z][\w:-]{1,40})(?=\s|$)/i;

/** The user's newest words are a command of the host that writes rules for agents: `/init`. */
function ordersRules(text: TextReading, ontology: Ontology): boolean {
  const said = segmentsOf(text).filter(({ speaker }) => speaker === 'user');
  // The newest words stand beside the conversation, and are not told twice.
  const newest = said.find(({ index }) => index < 0) ?? said.at(-1);
  const [, command] = SLASH_COMMAND.exec(newest?.text ?? '') ?? [];
  return command !== undefined && wordSet(ontology, 'rule_commands').has(command.toLowerCase());
}

/** The agent spoke of the file, and the user answered: what is done to it goes on under the user's eyes. */
function userAnsweredAbout(name: string, text: TextReading): boolean {
  const segments = segmentsOf(text);
  const last = segments.findLastIndex(({ speaker, index }) => speaker === 'user' && index >= 0);
  return segments.some(({ speaker, text: said }, i) => i < last && speaker === 'agent' && said.includes(name));
}

/** Whether what is written hides text, or steers its readers like an attack: no user asks for that. */
function steersReaders(event: AgentEvent, ontology: Ontology): boolean {
  const betraying = wordSet(ontology, 'betraying_markers');
  return parametersOf(event).leaves.some(({ value }) => {
    if (typeof value !== 'string' || value.length < SHORTEST_TEXT) return false;
    return (
      hiddenParts(value.slice(0, MAX_TEXT), ontology).parts.some((part) => isTelling(part, ontology)) ||
      ordersInText(value, ontology).some(({ markers }) => markers.some((marker) => betraying.has(marker)))
    );
  });
}

/** A comment that orders nothing, such as the mark of a section, hides nothing from a reader. */
const isTelling = ({ text, is_telling }: HiddenPart, ontology: Ontology): boolean =>
  is_telling || ordersInText(text, ontology).length > 0;

/** Whether the user's words speak of secrets, or name a place of credentials that the content reads. */
export function userSpeaksOfSecrets(content: ContentReading, text: TextReading, ontology: Ontology): boolean {
  const { user } = corpusOf(text);
  if (saysOne([...wordSet(ontology, 'secret_words')], user)) return true;
  return content.effects.some(({ kind, object }) => kind === 'reads_credentials' && saysOne(wordsOf(object), user));
}

function saysOne(words: readonly string[], user: Places): boolean {
  return words.some(
    (word) => word.length >= SHORTEST && [word, singular(word), `${word}s`].some((form) => user.has(hashWord(form))),
  );
}
