/** Names of tools as words, and written again in another way. */
import { cloudWords, domainOfService } from '../../../src/effects/cloud/cloud-call.ts';
import type { Ontology } from '../../../src/ontology/index.ts';
import { isObject, partOf, type Sent, textOf, toolName, withMessages } from './change.ts';

/** Longest segment of an action. */
const MAX_SEGMENT = 64;

const CLOUD = /^(?:aws|amazon|azure|gcp|google_?cloud)/i;

/**
 * Whether a service of a cloud platform is called. Its calls are names of an interface: with another verb it is another call, or none,
 * and the server is an address.
 */
export function isCloudService(event: Sent, ontology: Ontology): boolean {
  const server = textOf(partOf(event, 'mcp_context')['server_name']);
  return CLOUD.test(server) || (server !== '' && domainOfService(server, cloudWords(ontology)) !== '');
}

/** `GmailSendEmail`, `gmail_send-email` → gmail, send, email. */
export const wordsOf = (name: string): string[] =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase());

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

export const snake = (words: readonly string[]): string => words.join('_');
export const kebab = (words: readonly string[]): string => words.join('-');
export const dotted = (words: readonly string[]): string => words.join('.');
export const camel = (words: readonly string[]): string =>
  words.map((word, i) => (i === 0 ? word : capital(word))).join('');
export const pascal = (words: readonly string[]): string => words.map(capital).join('');

/** Writes words the way `name` is written. */
export function likeName(name: string, words: readonly string[]): string {
  if (name.includes('_')) return snake(words);
  if (name.includes('-')) return kebab(words);
  if (name.includes('.')) return dotted(words);
  return /^[A-Z]/.test(name) ? pascal(words) : camel(words);
}

/** The verb that a word of a name stands for, '' for another word. */
export function verbOf(word: string, { verbs, tool_verb_prefixes }: Ontology): string {
  const meant = tool_verb_prefixes.get(word);
  if (meant !== undefined) return meant;
  return verbs.has(word) ? word : '';
}

/** Position of the first verb among the words, -1 without one. */
export const verbPlace = (words: readonly string[], ontology: Ontology): number =>
  words.findIndex((word) => verbOf(word, ontology) !== '');

/** A name as a segment of an action. */
export const segment = (name: string): string => {
  const clean = name.replaceAll(/[^A-Za-z0-9_.-]/g, '_').slice(0, MAX_SEGMENT);
  return clean === '' ? 'tool' : clean;
};

/** `tool({...` as earlier calls stand in the assistant's messages. */
const CALL = /(^|[\s;])([A-Za-z][\w.-]{1,80})\(\{/g;

/** The event with its tool, and the tools of earlier calls, under other names; `null` when its own name stays. */
export function renamed(event: Sent, rename: (name: string) => string): Sent | null {
  const name = toolName(event);
  const other = name === '' ? '' : rename(name);
  if (other === '' || other === name) return null;
  const earlier = withMessages(event, 'assistant', (text) =>
    text.replaceAll(CALL, (_call, before: string, called: string) => `${before}${rename(called) || called}({`),
  );
  return { ...(earlier ?? event), mcp_context: { ...partOf(event, 'mcp_context'), tool_name: other } };
}

/** The event with another verb as the last segment of its action. */
export function withActionVerb(event: Sent, verb: string): Sent {
  const action = textOf(event['action']);
  return { ...event, action: `${action.slice(0, action.lastIndexOf(':'))}:${verb}` };
}

/** Parameters without those whose value is no JSON object; `{}` when there are none. */
export const parametersOf = (event: Sent): Sent => {
  const parameters = event['parameters'];
  return isObject(parameters) ? parameters : {};
};
