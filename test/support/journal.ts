/** Clients that keep what the server acknowledged, and what is there after the next start: for tests that end it by force. */
import type { Weir } from './weir.ts';

/** A customer and a key that exist after each start. */
export const KNOWN_CUSTOMER = {
  BOOTSTRAP_CUSTOMER_ID: '0197a2c4-7e10-7c00-8000-0000000000aa',
  BOOTSTRAP_API_KEY: 'weir_key_A7dQm2Xv9LsKpR4tYbN8wZcJ3hGfE6uTqVxW5yB1nMo',
};
const headers = { 'content-type': 'application/json', 'x-api-key': KNOWN_CUSTOMER.BOOTSTRAP_API_KEY };

export interface Answered {
  event_id: string;
  score: number;
}

/** Posts events one after another until the server is gone; keeps what was answered with 200. */
export async function postEvents(
  weir: Weir,
  name: string,
  answered: Answered[],
  is_over: () => boolean,
): Promise<void> {
  for (let i = 0; !is_over(); i += 1) {
    const event = {
      event_id: `${name}-${i}`,
      action: 'email:message:send',
      parameters: { to: 'ana@north.test', n: i },
    };
    try {
      const response = await fetch(`${weir.api}/events`, { method: 'POST', headers, body: JSON.stringify(event) });
      const body = (await response.json()) as Answered;
      if (response.status === 200) answered.push({ event_id: body.event_id, score: body.score });
    } catch {
      // The connection broke: nothing is known of this event, and nothing was promised.
    }
  }
}

/** The scores in the list of the customer, by event; an event that was stored twice has two. */
export async function storedScores(weir: Weir): Promise<Map<string, number[]>> {
  const scores = new Map<string, number[]>();
  for (let page = 1; ; page += 1) {
    const url = `${weir.api}/scores/${KNOWN_CUSTOMER.BOOTSTRAP_CUSTOMER_ID}?per_page=100&page=${page}`;
    const body = (await (await fetch(url, { headers })).json()) as {
      scores: { event_id: string; final_score: number }[];
      total: number;
    };
    for (const { event_id, final_score } of body.scores)
      scores.set(event_id, [...(scores.get(event_id) ?? []), final_score]);
    if (body.scores.length < 100) return scores;
  }
}
