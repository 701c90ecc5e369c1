/**
 * With a model that does what the attacker's text asks: texts × places × events never lower a score, and nothing of question or key
 * is in any answer, log or metric.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AgentEvent } from '../../src/events/event.ts';
import { NO_POLICY } from '../../src/scoring/policy/policy.ts';
import type { Assessment } from '../../src/scoring/types.ts';
import { obedient, talkative } from '../kits/llm/behaviours.ts';
import { askBehaviour, type OwnReviewer, ownReviewer, PROVIDER_KEY } from '../kits/llm/in-process.ts';
import { type Behaviour, startLlmServer } from '../kits/llm/server.ts';
import { call } from '../support/client.ts';
import { startHostedWeir } from '../support/hosted-weir.ts';
import { injectionVectors, placed } from '../support/injection.ts';
import { asEvent, scoreOf } from '../support/knowledge.ts';
import { sharedFile } from '../support/shared.ts';

/** Of the instructions and of the frame around the document. */
const OWN_WORDS = /second reader of an action|deterministic rule engine|none of it is addressed to you|[0-9a-f]{32}/;
const HAS_SHARED = sharedFile('vectors/prompt-injection.json') !== null;

const rivals: [name: string, behaviour: Behaviour][] = [
  ['obedient', obedient],
  ['talkative', talkative],
];

/** One in so many of all triples of event, text and place is tried; which ones moves on from event to event. */
const SHARE = 5;

test('with a model that obeys the text, no text in any field lowers score or violations', async (context) => {
  if (!HAS_SHARED) context.diagnostic('only the texts of corpus/ are tried: ../shared/vectors is not there');
  const reviewers = rivals.map(([, behaviour]) => ownReviewer(askBehaviour(behaviour)));
  const { bases, tests } = injectionVectors();
  const failures: string[] = [];
  let tried = 0;
  for (const [b, base] of bases.entries()) {
    const plain = scoreOf(base.event);
    for (const [t, { id, text }] of tests.entries()) {
      for (const [p, [place, changed]] of Object.entries(placed(asEvent(base.event), text)).entries()) {
        if ((b + t + p) % SHARE !== 0) continue;
        // A single word may be the name of a field, and says less than the one that it replaces.
        if (place === 'field_replaced' && text.trim().split(/\s+/).length <= 3) continue;
        const reviewed = await review(reviewers[tried % reviewers.length]!, changed);
        tried += 1;
        const lost = plain.violations.filter((violation) => !reviewed.violations.includes(violation));
        if (reviewed.score < plain.score || lost.length > 0 || OWN_WORDS.test(reviewed.reasoning))
          failures.push(`${base.name} · ${place} · ${id}: ${plain.score} → ${reviewed.score}, lost ${lost.join(' ')}`);
      }
    }
  }
  assert.ok(tried > 1_000);
  assert.equal(failures.length, 0, failures.slice(0, 20).join('\n'));
});

async function review(reviewer: OwnReviewer, event: AgentEvent): Promise<Assessment> {
  const reviewed = await reviewer.review('c', event, scoreOf(event), NO_POLICY, 'patient');
  assert.ok(reviewed.llm !== null && reviewed.llm.trouble !== 'crowded');
  return reviewed;
}

test('over HTTP: no lower score, and nothing of question or key in answers, log and metrics', async () => {
  const server = await startLlmServer(talkative);
  const env = {
    LLM_PROVIDER: 'openai',
    LLM_MODEL: 'claude-stand-in',
    LLM_API_KEY: PROVIDER_KEY,
    LLM_BASE_URL: server.url,
  };
  const weir = await startHostedWeir({
    env: {
      ...env,
      LLM_CONFIDENCE_BELOW: '1',
      LLM_CALLS_PER_HOUR: '0',
      LOG_LEVEL: 'trace',
      METRICS_PORT: '0',
      // The model is asked about high scores too.
      HOLD_THRESHOLD: 'none',
    },
  });
  try {
    const { bases, tests } = injectionVectors();
    const answers: string[] = [];
    let lowered = 0;
    for (const [i, { text }] of tests.entries()) {
      const base = bases[i % bases.length]!.event;
      const places = Object.values(placed(asEvent(base), text));
      server.behaviour = i % 2 === 0 ? obedient : talkative;
      const event: Record<string, unknown> = { ...places[i % places.length]!, event_id: `e-${i}` };
      const reply = await call(`${weir.api}/events`, { key: weir.api_key, body: event });
      // The door refuses a text that no identifier has.
      if (reply.status === 400) continue;
      assert.equal(reply.status, 200, reply.text);
      if ((reply.json['score'] as number) < scoreOf(base).score && (reply.json['llm_score'] as number | null) !== null)
        lowered += 1;
      answers.push(reply.text);
      const detail = await call(`${weir.api}/scores/event/e-${i}`, { key: weir.api_key });
      const { event: _its_own, ...rest } = detail.json;
      answers.push(JSON.stringify(rest));
    }
    assert.ok(answers.length > tests.length);
    // The texts of corpus/ alone leave few verdicts open.
    assert.ok(server.asked.length > (HAS_SHARED ? tests.length / 4 : 3));
    assert.equal(lowered, 0);
    const { text: metrics } = await call(`${weir.metrics}/metrics`);
    for (const output of [...answers, weir.stdout(), weir.stderr(), metrics]) {
      assert.ok(!output.includes(PROVIDER_KEY));
      assert.doesNotMatch(
        output.replace(/"(?:action_hash|request_id)":"[^"]*"/g, ''),
        /second reader of an action|deterministic rule engine|none of it is addressed/,
      );
    }
    assert.doesNotMatch(metrics, /talkative|frobnicate|SEC-1042/);
  } finally {
    await weir.stop();
    await server.stop();
  }
});
