/** Readers of lists of strings in a policy: each pushes problems and returns the normal form. */

import type { Json } from '../../lang/json.ts';
import { normaliseAction, normaliseActionPattern } from '../../lang/patterns.ts';
import { MAX_NAME, type Problem } from './problems.ts';

const MAX_ENTRIES = 1_000;
const MAX_ENTRY = MAX_NAME * 2;

/** Reads one field: pushes problems, returns the normal form. */
export type ReadField = (value: Json, path: string, problems: Problem[]) => Json;

/** A reader of a list of strings; `one` returns the normal form of an entry, or its problem. */
export function strings(one: (text: string) => string | { problem: string }, max_entries = MAX_ENTRIES) {
  return (value: Json, path: string, problems: Problem[]): string[] => {
    if (!Array.isArray(value)) {
      problems.push({ path, message: 'must be a list of strings' });
      return [];
    }
    if (value.length > max_entries) {
      problems.push({ path, message: `has ${value.length} entries; at most ${max_entries} are allowed` });
      return [];
    }
    return value.flatMap((entry, i) => {
      const read =
        typeof entry === 'string' && entry.length <= MAX_ENTRY
          ? one(entry)
          : { problem: `must be a string of at most ${MAX_ENTRY} characters` };
      if (typeof read === 'string') return [read];
      problems.push({ path: `${path}/${i}`, message: read.problem });
      return [];
    });
  };
}

export const anyName = strings((text) => (text.trim() === '' ? { problem: 'must not be empty' } : text));

export const concreteAction = strings((text) => {
  const action = normaliseAction(text);
  if (action !== null) return action;
  const hint = text.includes('*') ? 'put patterns into `blocked_action_patterns`' : 'write `domain:scope:verb`';
  return { problem: `\`${text}\` is not an action; ${hint}` };
});

export const actionPattern = strings((text) => {
  if (normaliseActionPattern(text) !== null) return text.toLowerCase();
  return {
    problem: `\`${text}\` is not an action pattern; write three segments, each a name or \`*\`, such as \`github:*:read\``,
  };
});
