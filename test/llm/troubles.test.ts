/** Every way in which a provider can fail, on the wire: the score is that of the rules and says why, and the breakers open and close. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, mock, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { NO_POLICY } from '../../src/scoring/policy/policy.ts';
import type { Assessment, LlmTroubleName } from '../../src/scoring/types.ts';
import { always } from '../kits/llm/behaviours.ts';
import { askOf, type OwnReviewer, ownReviewer, PROVIDER_KEY } from '../kits/llm/in-process.ts';
import { type LlmServer, type Mode, modes, startLlmServer } from '../kits/llm/server.ts';
import { call } from '../support/client.ts';
import { asEvent, scoreOf } from '../support/knowledge.ts';
import { startWeir } from '../support/weir.ts';

const troubles: Record<Exclude<Mode, 'answers'>, LlmTroubleName> = {
  slow: 'late',
  drip: 'late',
  error: 'broken',
  busy: 'busy',
  busy_for_long: 'busy',
  half: 'broken',
  huge: 'malformed',
  not_json: 'malformed',
  not_text: 'malformed',
  wrong_schema: 'malformed',
  out_of_range: 'malformed',
  refusal: 'refused',
  redirect: 'broken',
  forbidden: 'refused',
  reset: 'broken',
};
/** Failures in a row that open a breaker. */
const FAILURES = 5;
const OPEN_MS = 30_000;

const newEvent = () => asEvent({ action: 'zorg:blip:frobnicate', parameters: { note: randomUUID() } });

async function review(reviewer: OwnReviewer, customer_id = 'c'): Promise<Assessment> {
  const event = newEvent();
  return reviewer.review(customer_id, event, scoreOf(event), NO_POLICY, 'patient');
}
const flagsOf = ({ behavioral_flags }: Assessment): string[] =>
  behavioral_flags.filter((flag) => flag.startsWith('llm_'));

describe('a provider that fails', () => {
  let server: LlmServer;
  before(async () => {
    server = await startLlmServer(always(90));
    // Breakers go by the date, deadlines do not.
    mock.timers.enable({ apis: ['Date'], now: Date.now() });
  });
  after(async () => {
    mock.timers.reset();
    await server.stop();
  });

  assert.deepEqual([...Object.keys(troubles), 'answers'].sort(), [...modes].sort());
  for (const [mode, trouble] of Object.entries(troubles)) {
    test(`${mode}: the score of the rules, a flag, and a breaker that opens and closes`, async () => {
      // Only where nothing else ends the call.
      const deadline_ms = trouble === 'late' ? 150 : 20_000;
      const reviewer = ownReviewer(askOf(server.url), { deadline_ms, open_ms: OPEN_MS });
      server.mode = mode as Mode;
      for (let i = 0; i < FAILURES; i += 1) {
        const reviewed = await review(reviewer);
        assert.deepEqual(flagsOf(reviewed), [`llm_unavailable:${trouble}`]);
        assert.deepEqual(
          [reviewed.score, reviewed.llm_score, reviewed.llm_fallback],
          [reviewed.graph_score, null, true],
        );
      }
      server.asked.length = 0;
      const paused = await review(reviewer);
      assert.deepEqual([flagsOf(paused), paused.llm_fallback], [['llm_unavailable:paused'], false]);
      assert.equal(server.asked.length, 0);
      server.mode = 'answers';
      // Another customer goes on asking where the texts of one may be the cause.
      const other = await review(reviewer, 'other');
      const is_of_content = trouble === 'malformed' || mode === 'refusal';
      assert.equal(other.llm_score, is_of_content ? 90 : null);
      mock.timers.tick(OPEN_MS + 1);
      const again = await review(reviewer);
      assert.equal(again.llm_score, 90);
      assert.ok(again.score > again.graph_score);
      assert.equal(reviewer.breakers.isOpen(), false);
      const text = await reviewer.metrics_text();
      assert.match(text, new RegExp(`weir_llm_questions_total\\{purpose="score",outcome="${trouble}"\\} ${FAILURES}`));
      assert.ok(!text.includes(PROVIDER_KEY));
    });
  }

  test('a flood of unsure events waits in turn, and what gets no turn says so', async () => {
    server.mode = 'slow';
    const reviewer = ownReviewer(askOf(server.url), { deadline_ms: 300, concurrency: 2 });
    const reviewed = await Promise.all(Array.from({ length: 400 }, () => review(reviewer)));
    const count = (flag: string): number => reviewed.filter((one) => flagsOf(one).includes(flag)).length;
    assert.ok(count('llm_unavailable:late') >= 2);
    assert.ok(count('llm_unavailable:crowded') > 100);
    assert.equal(
      ['late', 'crowded', 'paused'].reduce((sum, name) => sum + count(`llm_unavailable:${name}`), 0),
      reviewed.length,
    );
    server.mode = 'answers';
  });
});

test('over HTTP: a dead provider leaves every answer a 200, health says so, and sure events are not asked about', async () => {
  const server = await startLlmServer(always(90), 'error');
  const weir = await startWeir({
    env: {
      LLM_PROVIDER: 'openai-compatible',
      LLM_MODEL: 'claude-stand-in',
      LLM_BASE_URL: server.url,
      LLM_TIMEOUT_MS: '1000',
    },
  });
  try {
    // On a busy machine an event may wait longer for its turn than it is kept; a caller sends it again then.
    const send = async (event: object): ReturnType<typeof call> => {
      for (let tries = 1; ; tries += 1) {
        const reply = await call(`${weir.api}/events`, { key: weir.api_key, body: event });
        if (reply.status !== 503 || tries === 10) return reply;
        await sleep(1_000);
      }
    };
    const replies = await Promise.all(
      Array.from({ length: 120 }, () => send({ ...newEvent(), event_id: randomUUID() })),
    );
    for (const { status, json, text } of replies) {
      assert.equal(status, 200, text);
      assert.equal(json['llm_score'], null);
      assert.match(String(json['behavioral_flags']), /llm_unavailable:(?:broken|paused|crowded|late)/);
    }
    const sure = await send({ action: 'web:page:read', user_context: 'Read the page.' });
    assert.doesNotMatch(String(sure.json['behavioral_flags']), /llm/);
    const { status, dependencies } = (await call(`${weir.api}/health/detailed`)).json as {
      status: string;
      dependencies: Record<string, unknown>;
    };
    assert.deepEqual(dependencies['llm_provider'], { status: 'error', model: 'claude-stand-in' });
    assert.equal(status, 'degraded');
    assert.ok(server.asked.length < 60, `${server.asked.length} calls`);
  } finally {
    await weir.stop();
    await server.stop();
  }
});
