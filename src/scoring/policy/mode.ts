/** The policy field `mode`, and whether an event is only observed. */

import type { AgentEvent } from '../../events/event.ts';
import type { Json } from '../../lang/json.ts';
import type { Observed } from '../types.ts';
import { type Problem, pointer } from './problems.ts';

const MODES = ['enforce', 'observe'] as const;
export type Mode = (typeof MODES)[number];

/** `enforce` if the value is not a mode; a problem is pushed. */
export function readMode(value: Json, problems: Problem[]): Mode {
  const mode = MODES.find((one) => one === value);
  if (mode !== undefined) return mode;
  problems.push({
    path: pointer('mode'),
    message: 'must be `enforce` or `observe`; with `observe` events are scored and counted, and none is held',
  });
  return 'enforce';
}

/** @param key_id the API key that the event came with; absent: unknown, so no list of keys applies */
export function isObserved(
  { everything, agents, api_keys }: Observed,
  { agent }: Pick<AgentEvent, 'agent'>,
  key_id: string | undefined,
): boolean {
  if (everything) return true;
  const { agent_id } = agent ?? {};
  return (agent_id !== undefined && agents.has(agent_id)) || (key_id !== undefined && api_keys.has(key_id));
}
