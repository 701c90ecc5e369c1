/**
 * A conversation in one form: calls that the agent's messages write out in the form of some model stand as `name({…})` or as blocks, and results
 * that a host sends in the place of the user are results. All else that reads the conversation then knows one form only.
 */
import type { Message } from '../../../../events/event.ts';
import type { Json } from '../../../../lang/json.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { patternOf } from '../../../../ontology/words.ts';
import { callsIn } from '../calls.ts';
import { speakerOfRole } from '../transcript/transcript.ts';
import { type Written, writtenCalls } from './written-calls.ts';

const observation = perOntology((ontology) => patternOf(ontology, 'transcript', 'observation'));

/** Characters of the agent's messages of one conversation that are read, the newest first. */
const MAX_READ = 262_144;

/** The same messages, as many and in the same order; the very list where none has another form. */
export function inOneForm(history: readonly Message[], ontology: Ontology): readonly Message[] {
  let changed: Message[] | undefined;
  const put = (i: number, message: Message): void => {
    if (message === history[i]) return;
    changed ??= [...history];
    changed[i] = message;
  };
  let room = MAX_READ;
  for (let i = history.length - 1; i >= 0 && room > 0; i--) {
    const message = history[i]!;
    if (typeof message.content !== 'string' || speakerOf(message, ontology) !== 'agent') continue;
    room -= message.content.length;
    put(i, withCalls(message, message.content));
  }
  for (let i = 1; i < history.length; i++)
    put(i, resultOf((changed ?? history)[i]!, (changed ?? history)[i - 1]!, ontology));
  return changed ?? history;
}

const speakerOf = ({ role }: Message, ontology: Ontology): string =>
  typeof role === 'string' ? speakerOfRole(role.trim().toLowerCase(), ontology) : '';

function withCalls(message: Message, content: string): Message {
  if (message['tool_calls'] !== undefined || message['function_call'] !== undefined) return message;
  const written = writtenCalls(content);
  return written === null ? message : { ...message, content: contentOf(written) };
}

/** Calls alone as text; below prose as blocks of their own, so that the call and not the prose stands before its result. */
function contentOf({ prose, calls }: Written): Json {
  if (prose === '') return calls.map(({ name, given }) => `${name}(${JSON.stringify(given)})`).join('\n');
  return [{ type: 'text', text: prose }, ...calls.map(({ name, given }) => ({ type: 'tool_use', name, input: given }))];
}

/** «Observation: …» right behind a call of the agent, or behind another result of it, is what the tool said, and no person. */
function resultOf(message: Message, before: Message, ontology: Ontology): Message {
  const { content } = message;
  if (typeof content !== 'string' || speakerOf(message, ontology) !== 'user') return message;
  const mark = observation(ontology).exec(content);
  if (mark === null) return message;
  const speaker = speakerOf(before, ontology);
  if (speaker !== 'tool' && (speaker !== 'agent' || callsIn(before, 0).length === 0)) return message;
  return { ...message, role: 'tool', content: content.slice(mark[0].length) };
}
