/** POST /events: score one event, answer with the result. */
import type { Evaluate } from '../engine/evaluate.ts';
import type { Clock } from '../platform/clock.ts';
import { endpoint } from '../platform/endpoint.ts';
import { scoreResult } from '../records/views.ts';
import { eventSchema } from './event-schema.ts';
import { readEvent } from './read-event.ts';
import { scoreResultSchema } from './score-schemas.ts';

export function scoreEvent({ evaluate, clock }: { evaluate: Evaluate; clock: Clock }) {
  return endpoint({
    method: 'POST',
    path: '/events',
    operation: 'score_event',
    summary: 'Score one event',
    description:
      'Answers when the score is durable. Sending the same event_id with the same content again gives the stored result; with other content, 409.',
    tag: 'events',
    access: 'api_key',
    body: { schema: eventSchema, read: (body) => readEvent(body, clock) },
    answers: { 200: { description: 'the score', schema: scoreResultSchema } },
    errors: ['event_conflict'],
    handle: async ({ caller, body }) => {
      const { record } = await evaluate(caller.customer_id, body.event, body.content_hash);
      return { body: scoreResult(record), headers: ignoredHeader(body.ignored_fields) };
    },
  });
}

/** Header values are ASCII and bounded; names are percent-encoded and the list is cut with `...` when it is long. */
const MAX_HEADER = 1_000;

function ignoredHeader(names: string[]): Record<string, string> {
  if (names.length === 0) return {};
  let list = '';
  for (const name of names) {
    const next = encodeURIComponent(name.slice(0, 100).toWellFormed());
    if (list.length + next.length > MAX_HEADER) return { 'weir-ignored-fields': `${list}, ...` };
    list += list === '' ? next : `, ${next}`;
  }
  return { 'weir-ignored-fields': list };
}
