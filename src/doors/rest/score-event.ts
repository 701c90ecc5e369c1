/** POST /events: score one event, answer with the result. */

import type { EvaluateAs } from '../../engine/callers.ts';
import { eventSchema } from '../../events/event-schema.ts';
import { ignoredHeader, notRecognisedHeader, readEvent } from '../../events/read-event.ts';
import type { Clock } from '../../platform/clock.ts';
import { endpoint } from '../../platform/http/endpoint.ts';
import { scoreResultJson } from '../../records/views.ts';
import { scoreResultSchema } from './score-schemas.ts';

interface ScoreEventParts {
  evaluate_as: EvaluateAs;
  /** `Turns.checkRoom` of the turns that `evaluate_as` takes. */
  check_room: (customer_id: string) => void;
  clock: Clock;
}

export function scoreEvent({ evaluate_as, check_room, clock }: ScoreEventParts) {
  return endpoint({
    method: 'POST',
    path: '/events',
    operation: 'score_event',
    summary: 'Score one event',
    description:
      'Answers when the score is durable. The same event_id with the same content returns the stored result; with other content, 409. With `Authorization: Bearer <agent, subagent or session token>` beside the key the token’s rights are enforced (403), a session’s events are counted (429), and its agent_id and session_id replace those of the body. `Weir-Ignored-Fields` names fields that scoring does not know, `Weir-Not-Recognised` says that neither the action nor its tool was recognised; `behavioral_flags` says the same as `field_not_read:<name>` and `nothing_recognised`. A field whose name is within two edits of a known one is refused.',
    tag: 'events',
    access: 'api_key',
    scope: 'events:write',
    takes_token: true,
    checkRoom: check_room,
    body: { schema: eventSchema, read: (body) => readEvent(body, clock) },
    answers: { 200: { description: 'the score', schema: scoreResultSchema } },
    errors: ['event_conflict', 'forbidden'],
    handle: async ({ caller, body, request }) => {
      request.weigh(body.values);
      const { record } = await evaluate_as(request.bearer, caller, body, request.request_id, request);
      const headers = {
        ...ignoredHeader(body.ignored_fields),
        ...notRecognisedHeader(record.assessment.behavioral_flags),
      };
      return { json: scoreResultJson(record), headers };
    },
  });
}
