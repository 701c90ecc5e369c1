/**
 * Splits the conversation into segments by speaker, in order. `readText` joins them; other readings use the segments themselves,
 * because order and neighbourhood tell where a value comes from.
 */

import type { AgentEvent, Message } from '../../../../events/event.ts';
import { isObject, type Json } from '../../../../lang/json.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { inverseOf, patternOf } from '../../../../ontology/words.ts';
import { besideText, textOfBlocks, withoutEnvelope } from './envelope.ts';
import { flatten } from './flatten.ts';
import { splitQuoted } from './quoted.ts';
import { recordsTextOf, unnested } from './unnest.ts';

/** `user` and `system` are trusted, `tool` is everything that came from outside, `agent` neither. */
export type Speaker = 'user' | 'system' | 'agent' | 'tool';

export interface Segment {
  speaker: Speaker;
  text: string;
  /** Index in conversation_history, -1 for user_context. */
  index: number;
  /** Name of the tool, '' if the message has none. */
  source: string;
  /** The text in which its records are looked for, where it is another one. */
  records_text?: string;
}

export interface Transcript {
  segments: Segment[];
  is_truncated: boolean;
}

export const MAX_MESSAGE = 1024 * 1024;
/** As much as an event may have: cutting a conversation could hide an attacker's text. */
export const MAX_ALL = 1024 * 1024;
const HEAD = MAX_MESSAGE * 0.75;

/** The ontology's words of messages, see `ontology/lists/messages.yaml`. */
const wordsOf = perOntology((ontology) => ({
  speaker_by_role: inverseOf(ontology, 'speaker_roles'),
  role_prefix: patternOf(ontology, 'transcript', 'role_prefix'),
  output: patternOf(ontology, 'transcript', 'output'),
  structured: patternOf(ontology, 'transcript', 'structured'),
}));

/** The speaker whose words a message of this role (in lower case) holds; words of an unknown role came from outside. */
export function speakerOfRole(role: string, ontology: Ontology): Speaker {
  const speaker = wordsOf(ontology).speaker_by_role.get(role);
  return speaker === 'user' || speaker === 'system' || speaker === 'agent' ? speaker : 'tool';
}

export function readTranscript(event: AgentEvent, ontology: Ontology): Transcript {
  const budget = new Budget();
  const context = budget.cut(event.user_context ?? '');
  const history = event.conversation_history ?? [];
  const kept = newestWithin(history, budget);
  const segments: Segment[] = [];
  addUser(segments, context, -1, ontology);
  const has_roles = history.some(({ role }) => isRole(role));
  let repeated = 0;
  for (let i = 0; i < history.length; i++) {
    const message = history[i]!;
    const speaker = speakerOf(message, has_roles, ontology);
    const pieces = kept[i]!;
    for (const piece of pieces) {
      if (piece.is_beside === true && speaker !== 'tool') continue;
      const who = piece.is_result ? 'tool' : speaker;
      if (who !== 'user') {
        const source = sourceOf(message);
        if (who === 'tool') {
          const said = withoutEnvelope(piece.text, ontology);
          segments.push({ speaker: who, text: unnested(said, ontology), index: i, source, ...recordsTextOf(said) });
        } else segments.push({ speaker: who, text: piece.text, index: i, source });
        continue;
      }
      // `user_context` often repeats the user's messages in turn; read them once.
      const next = repeatedUntil(context, piece.text, repeated);
      if (next >= 0) {
        repeated = next;
        segments.push({ speaker: 'user', text: '', index: i, source: '' });
      } else addUser(segments, piece.text, i, ontology);
    }
  }
  return { segments, is_truncated: budget.is_exceeded };
}

interface Piece {
  text: string;
  is_result: boolean;
  /** It stands in a field beside the text of a block, and counts in results alone. */
  is_beside?: boolean;
}

/** Keeps at most `MAX_MESSAGE` of one text and `MAX_ALL` in all; a longer text keeps its head and its tail. */
class Budget {
  left = MAX_ALL;
  is_exceeded = false;

  cut(text: string): string {
    const room = Math.min(MAX_MESSAGE, this.left);
    if (text.length <= room) {
      this.left -= text.length;
      return text;
    }
    this.is_exceeded = true;
    this.left -= room;
    const head = Math.min(room, Math.max(HEAD, room - (MAX_MESSAGE - HEAD)));
    return `${text.slice(0, head)}\n\n${text.slice(text.length - (room - head))}`;
  }
}

/** Keeps the first message, then the newest ones: those in between matter least. */
function newestWithin(history: Message[], budget: Budget): Piece[][] {
  const kept = history.map(piecesOf);
  const cut = (pieces: readonly Piece[]): void => {
    for (const piece of pieces) piece.text = budget.cut(piece.text);
  };
  if (history.length > 0) cut(kept[0]!);
  for (let i = history.length - 1; i > 0; i--) cut(kept[i]!);
  return kept;
}

const CALLS = ['tool_calls', 'function_call'] as const;

function piecesOf(message: Message): Piece[] {
  const pieces = piecesOfContent(message.content);
  for (const field of CALLS) {
    const calls = message[field];
    if (calls !== undefined && calls !== null) pieces.push({ text: callsText(calls), is_result: false });
  }
  return pieces;
}

function piecesOfContent(content: Json | undefined): Piece[] {
  if (typeof content === 'string') return [{ text: content, is_result: false }];
  if (Array.isArray(content)) return content.flatMap((part) => [pieceOf(part), ...besideOf(part)]);
  return content === undefined || content === null ? [] : [pieceOf(content)];
}

function besideOf(part: Json): Piece[] {
  if (part === null || typeof part !== 'object' || Array.isArray(part) || part['type'] !== 'text') return [];
  const text = besideText(part);
  return text === '' ? [] : [{ text, is_result: false, is_beside: true }];
}

function pieceOf(part: Json): Piece {
  if (part === null || typeof part !== 'object' || Array.isArray(part))
    return { text: flatten(part), is_result: false };
  const type = typeof part['type'] === 'string' ? part['type'] : '';
  if (type === 'text' && typeof part['text'] === 'string') return { text: part['text'], is_result: false };
  if (type === 'tool_use') return { text: callsText([part]), is_result: false };
  const is_result = type.includes('result') || type.includes('output') || type === 'document' || type === 'resource';
  const { content } = part;
  const blocks = Array.isArray(content) ? textOfBlocks(content) : null;
  return { text: blocks ?? flatten(content ?? part['text'] ?? part), is_result };
}

/** Calls as `name(arguments)`, the form in which plain transcripts show them. */
function callsText(calls: Json): string {
  const list = Array.isArray(calls) ? calls : [calls];
  return list.map(callText).join('\n');
}

function callText(call: Json): string {
  if (!isObject(call)) return flatten(call);
  const inner = call['function'];
  const of = isObject(inner) ? inner : call;
  return `${flatten(of['name'])}(${flatten(of['arguments'] ?? of['input'] ?? of['args'])})`;
}

const isRole = (role: Json | undefined): role is string => typeof role === 'string' && role.trim() !== '';

/** @param has_roles the host gives roles, so that a text without one cannot name its own */
function speakerOf(message: Message, has_roles: boolean, ontology: Ontology): Speaker {
  if (isRole(message.role)) return speakerOfRole(message.role.trim().toLowerCase(), ontology);
  const text = typeof message.content === 'string' ? message.content.slice(0, 400) : '';
  const prefix = wordsOf(ontology).role_prefix.exec(text)?.[1];
  if (prefix !== undefined) {
    const speaker = speakerOfRole(prefix.toLowerCase(), ontology);
    return has_roles && (speaker === 'user' || speaker === 'system') ? 'tool' : speaker;
  }
  // Without a role, text that looks like output is output; other text is taken for the agent's and is not trusted.
  return typeof message.content !== 'string' || looksLikeOutput(text, ontology) ? 'tool' : 'agent';
}

function looksLikeOutput(text: string, ontology: Ontology): boolean {
  const { output, structured } = wordsOf(ontology);
  return output.test(text) || structured.test(text);
}

function sourceOf(message: Message): string {
  for (const field of ['name', 'tool_name', 'tool', 'source'] as const) {
    const value = message[field];
    if (typeof value === 'string' && value !== '') return value.slice(0, 200);
  }
  return '';
}

function addUser(segments: Segment[], text: string, index: number, ontology: Ontology): void {
  if (text === '') return;
  for (const part of splitQuoted(text, ontology)) {
    segments.push({ speaker: part.is_quoted ? 'tool' : 'user', text: part.text, index, source: '' });
  }
}

/** Where in `context` the repetition of `text` that starts at `from` ends; -1 if there is none. */
function repeatedUntil(context: string, text: string, from: number): number {
  let at = from;
  while (at < context.length && context.charCodeAt(at) <= 0x20) at++;
  for (const start of at === 0 ? [0] : [at, 0]) {
    if (text !== '' && context.startsWith(text, start)) return start + text.length;
  }
  return -1;
}
