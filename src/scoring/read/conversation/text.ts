/** Separates the user's own words from text that tools, documents and other agents brought in. */

import type { AgentEvent } from '../../../events/event.ts';
import { namesNothing } from '../../../lang/names.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { Memo } from '../words/memo.ts';
import { readTranscript, type Segment, type Transcript } from './transcript/transcript.ts';

export interface Passage {
  text: string;
  /** Index in conversation_history. */
  index: number;
  /** Name of the tool, '' if the message has none. */
  source: string;
  /** The text in which its records are looked for, where it is another one. */
  records_text?: string;
  /** Cache of what follows from the text alone (`kept-passages.ts`). Rules do not read it. */
  readings?: unknown[];
}

export interface TextReading {
  /** The ontology that it was read with. */
  ontology: Ontology;
  /** user_context and messages of role user, system, developer, without forwarded or fenced quotations. */
  trusted: string;
  /** Messages of tools and documents, tool_result parts, quotations in user messages, oldest first. */
  untrusted: Passage[];
  /** What the agent itself said or called earlier. */
  agent: string;
  /** The last thing the user said. */
  last_user_message: string;
  has_request: boolean;
  has_history: boolean;
  /** A user message follows the last untrusted passage. */
  user_spoke_after_untrusted: boolean;
  /** Some text was longer than the limit and was cut (head and tail kept). */
  is_truncated: boolean;
  /** Cache of other readings of this text. Rules do not read it. */
  memo?: Memo;
}

export function readText(event: AgentEvent, ontology: Ontology): TextReading {
  const transcript = readTranscript(event, ontology);
  const reading = summarise(transcript, event, ontology);
  memoOf(reading).get('segments', () => transcript.segments);
  memoOf(reading).get('event', () => event);
  return reading;
}

export function memoOf(text: TextReading): Memo {
  text.memo ??= new Memo();
  return text.memo;
}

let slots = 0;

/** `make`, computed once for each text. Costs less than a key, for readings that many others ask for. */
export function perText<T extends object>(make: (text: TextReading) => T): (text: TextReading) => T {
  const slot = slots;
  slots += 1;
  return (text) => {
    const { by_slot } = memoOf(text);
    return (by_slot[slot] ??= make(text)) as T;
  };
}

/** The conversation in order; for a reading built from its fields alone, in the order of the fields. */
export function segmentsOf(text: TextReading): Segment[] {
  return memoOf(text).get('segments', () => segmentsFromFields(text));
}

/** Index in conversation_history of the last message in which the user speaks; -1 where there is none. */
export function lastUserIndex(text: TextReading): number {
  return segmentsOf(text).findLast(({ speaker, index }) => speaker === 'user' && index >= 0)?.index ?? -1;
}

/** The event that the text was read from; null for a reading that was built from its fields alone. */
export function eventOfText(text: TextReading): AgentEvent | null {
  return memoOf(text).get<AgentEvent | null>('event', () => null);
}

function summarise({ segments, is_truncated }: Transcript, event: AgentEvent, ontology: Ontology): TextReading {
  let last = '';
  let lastUser = -1;
  let lastTool = -1;
  for (const [i, { speaker, text, index }] of segments.entries()) {
    if (speaker === 'tool' && text.trim() !== '') lastTool = i;
    if (speaker !== 'user') continue;
    lastUser = i;
    last = text === '' ? lastMessage(event, index) : text;
  }
  return {
    ontology,
    ...bySpeaker(segments),
    last_user_message: last,
    has_request: segments.some((s) => s.speaker === 'user' && !namesNothing(s.text)),
    has_history: (event.conversation_history ?? []).length > 0,
    user_spoke_after_untrusted: lastUser > lastTool && lastTool >= 0,
    is_truncated,
    memo: new Memo(),
  };
}

function bySpeaker(segments: readonly Segment[]): Pick<TextReading, 'trusted' | 'agent' | 'untrusted'> {
  const trusted: string[] = [];
  const agent: string[] = [];
  const untrusted: Passage[] = [];
  for (const { speaker, text, index, source, records_text } of segments) {
    if (speaker === 'tool') {
      if (text.trim() !== '')
        untrusted.push({ text, index, source, ...(records_text === undefined ? {} : { records_text }) });
    } else if (speaker === 'agent') agent.push(text);
    else if (text !== '') trusted.push(text);
  }
  return { trusted: trusted.join('\n'), agent: agent.join('\n'), untrusted };
}

/** The same conversation with other segments: what was said stays, who said it differs. */
export function textOfSegments(segments: Segment[], text: TextReading): TextReading {
  const reading: TextReading = { ...text, ...bySpeaker(segments), memo: new Memo() };
  memoOf(reading).get('segments', () => segments);
  return reading;
}

/** The text of a message. One that repeats `user_context` is an empty segment, so read it from the event. */
function lastMessage(event: AgentEvent, index: number): string {
  const content = event.conversation_history?.[index]?.content;
  return typeof content === 'string' ? content : (event.user_context ?? '');
}

function segmentsFromFields(text: TextReading): Segment[] {
  const plain = (speaker: Segment['speaker'], words: string): Segment[] =>
    words === '' ? [] : [{ speaker, text: words, index: -1, source: '' }];
  const outside = text.untrusted.map(({ readings: _, ...passage }): Segment => ({ speaker: 'tool', ...passage }));
  const last = text.trusted.includes(text.last_user_message) ? '' : text.last_user_message;
  return [...plain('user', text.trusted), ...outside, ...plain('agent', text.agent), ...plain('user', last)];
}
