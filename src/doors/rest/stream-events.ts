/** GET /events/stream: new scores, holds and decisions as Server-Sent Events. */
import { Readable } from 'node:stream';
import { Type } from 'typebox';
import type { Follow, Happened } from '../../engine/follow.ts';
import { parseTimestamp } from '../../lang/timestamp.ts';
import { WeirError } from '../../platform/errors.ts';
import { endpoint } from '../../platform/http/endpoint.ts';
import { parsed } from '../../platform/http/parameters.ts';
import { MOST_OF_KEY, type Streams } from '../../platform/http/streams.ts';
import { scoreListItem } from '../../records/views.ts';

export const streamTypes = ['event.scored', 'event.held', 'event.decided'] as const;
type StreamType = (typeof streamTypes)[number];

export function streamEvents({ follow, streams }: { follow: Follow; streams: Streams }) {
  return endpoint({
    method: 'GET',
    path: '/events/stream',
    operation: 'stream_events',
    summary: 'New scores, holds and decisions, as they happen',
    description: `Server-Sent Events. The types are ${streamTypes.map((type) => `\`${type}\``).join(', ')}; \`data\` is the record as \`GET /scores/{customer_id}\` lists it. Every message has an id: with \`Last-Event-ID\`, which browsers send by themselves, the stream continues there. At least once: what happened in the last ten seconds before may come again. A comment every 15 seconds shows that the connection is alive. At most ${MOST_OF_KEY} streams for each API key.`,
    tag: 'events',
    access: 'api_key',
    scope: 'scores:read',
    query: {
      types: parsed(
        parseTypes,
        Type.String({
          pattern: `^(${streamTypes.join('|').replaceAll('.', '\\.')})(,(${streamTypes.join('|').replaceAll('.', '\\.')}))*$`,
          maxLength: 200,
          description: 'only messages of these types, separated by commas',
        }),
        `some of ${streamTypes.join(', ')}, separated by commas`,
      ),
    },
    headers: {
      'Last-Event-ID': Type.String({ format: 'date-time', description: 'the id of the last message that arrived' }),
    },
    answers: {
      200: { description: 'the stream', schema: Type.String(), content_type: 'text/event-stream' },
    },
    handle: ({ caller, query, request }) => {
      const since = lastId(request.header('last-event-id'));
      const { signal, close } = streams.open(caller.person?.person_id ?? caller.key_id);
      const types = new Set<string>(query.types ?? streamTypes);
      const body = Readable.from(messages(follow(caller.customer_id, since, signal), types, request.checkAccess), {
        objectMode: false,
      });
      // Not the end of the body, which comes with the next change only.
      request.onClose(close);
      // The head is on its way already: a failure can only end the stream, and the client comes back.
      body.on('error', () => {});
      return {
        headers: { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' },
        stream: body,
      };
    },
  });
}

/**
 * The head comes once the position in the stream stands, so that a client that has read it misses nothing. `checkAccess` rejects when the
 * key was revoked since; asked whenever nothing else happens, at least each minute.
 */
async function* messages(
  followed: ReturnType<Follow>,
  types: ReadonlySet<string>,
  checkAccess: () => Promise<void>,
): AsyncGenerator<string> {
  let checked_at = performance.now();
  if ((await followed.next()).done) return;
  yield 'retry: 2000\n: weir\n\n';
  for await (const { happened } of followed) {
    if (happened.length === 0 || performance.now() - checked_at > CHECK_MS) {
      await checkAccess();
      checked_at = performance.now();
    }
    const text = happened.flatMap((one) => messagesOf(one).filter(([type]) => types.has(type)));
    yield text.length === 0 ? ': nothing new\n\n' : text.map(([, message]) => message).join('');
  }
}

const CHECK_MS = 60_000;

function messagesOf({ kind, at, record }: Happened): [StreamType, string][] {
  const data = JSON.stringify(scoreListItem(record));
  const message = (type: StreamType): [StreamType, string] => [type, `id: ${at}\nevent: ${type}\ndata: ${data}\n\n`];
  if (kind === 'decided') return [message('event.decided')];
  return record.hold === null ? [message('event.scored')] : [message('event.scored'), message('event.held')];
}

function parseTypes(text: string): StreamType[] | null {
  const parts = text.split(',');
  const types = streamTypes.filter((type) => parts.includes(type));
  return types.length === parts.length ? types : null;
}

/** Null without one: then the stream begins now. */
function lastId(text: string | undefined): string | null {
  if (text === undefined || text === '') return null;
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z$/.test(text) || parseTimestamp(text) === null) {
    const message = `\`${text.slice(0, 64)}\` is not an id of this stream; send the id of the last message, or leave it out`;
    throw new WeirError('invalid', {
      detail: `\`Last-Event-ID\`: ${message}`,
      errors: [{ path: 'Last-Event-ID', message }],
    });
  }
  return text;
}
