/** A reader of the engine, and the texts that repeat its delimiters, letters and first words alone and in pairs. */
import type { AgentEvent } from '../../../src/events/event.ts';
import type { JsonObject } from '../../../src/lang/json.ts';

export interface HostileReader {
  /** The event whose text this reader reads. */
  event: (text: string) => AgentEvent;
  /** Its delimiters and letters. */
  units: readonly string[];
  /** What texts begin with that lead deep into it; '' is always tried as well. */
  openings: readonly string[];
}

export const event = (more: Partial<AgentEvent>): AgentEvent => ({
  event_id: 'hostile',
  action: 'tool:thing:use',
  timestamp: '2026-01-05T10:00:00Z',
  ...more,
});
export const withParameters =
  (make: (text: string) => JsonObject, more: Partial<AgentEvent> = {}) =>
  (text: string): AgentEvent =>
    event({ ...more, parameters: make(text) });
export const code = (language: string) =>
  withParameters((text) => ({ language, code: text }), { action: 'system:code:execute' });
export const file = (path: string) =>
  withParameters((content) => ({ path, content }), {
    action: 'filesystem:file:write',
    mcp_context: { tool_name: 'write_file' },
  });
export const value = (key: string, more: Partial<AgentEvent> = {}) => withParameters((text) => ({ [key]: text }), more);

const SPACES = [' ', '\n', '\t'];
const LETTERS = ['a', 'A', '0', '_', 'é', '\u200b', 'x '];
const SIGNS = ['(', ')', '[', ']', '{', '}', '<', '>', '"', "'", '`', '\\', '/', '|', '&', ';', ':', ',', '.'];
const MORE_SIGNS = ['-', '+', '*', '=', '!', '?', '#', '$', '%', '@', '~', '^'];
export const COMMON = [...SPACES, ...LETTERS, ...SIGNS, ...MORE_SIGNS];

/** The texts of two units: in turn, in turn, and the second behind the first alone. */
export function pairTexts(a: string, b: string, length: number): string[] {
  return [
    filled(a + b, length),
    filled(a, length / 2) + filled(b, length / 2),
    a + filled(b, length - a.length - 1) + a,
  ];
}

/** The text repeated, to exactly `length` characters. */
export function filled(text: string, length: number): string {
  return text.repeat(Math.ceil(length / text.length)).slice(0, length);
}

/** A text for a reader, and how the bench calls it. */
export interface HostileText {
  name: string;
  make: (length: number) => string;
}

/** Each unit alone, and behind each opening. */
export function* textsAlone({ units, openings }: HostileReader): Generator<HostileText> {
  for (const opening of ['', ...openings])
    for (const unit of units)
      yield {
        name: `${JSON.stringify(opening)}, then ${JSON.stringify(unit)}`,
        make: (length) => opening + filled(unit, length - opening.length),
      };
}

/** Each pair of units, in three forms. */
export function* textsOfPairs({ units }: HostileReader): Generator<HostileText> {
  for (const a of units)
    for (const b of units)
      if (a !== b)
        for (const [i, form] of ['in turn', 'one after the other', 'the second inside the first'].entries())
          yield {
            name: `${JSON.stringify(a)} and ${JSON.stringify(b)}, ${form}`,
            make: (length) => pairTexts(a, b, length)[i]!,
          };
}
