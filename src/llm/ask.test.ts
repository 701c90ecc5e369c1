/** Calls on the wire, in every way a provider can answer. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { TOKENS } from '../../test/kits/llm/formats.ts';
import { type LlmServer, type Mode, startLlmServer } from '../../test/kits/llm/server.ts';
import { type Ask, createAsk, type Question } from './ask.ts';
import { providerNames } from './providers.ts';
import { LlmTrouble, type TroubleKind } from './trouble.ts';

const VALUE = { score: 70, confidence: 0.9, reasons: ['it deletes backups'] };
const KEY = 'key-of-the-provider';
interface Verdict {
  score: number;
}

const QUESTION: Question<Verdict> = {
  instructions: 'Judge the action.',
  data: 'an action of a customer',
  schema: {
    name: 'verdict',
    json: {
      type: 'object',
      properties: { score: { type: 'integer' } },
      required: ['score'],
      additionalProperties: false,
    },
  },
  read: (answer) => ((answer as Verdict).score >= 0 ? (answer as Verdict) : null),
  max_output_tokens: 200,
};

/** What each mode is sorted into, and how often the server is asked. */
const TROUBLES: Record<Exclude<Mode, 'answers'>, [TroubleKind, tries: number, is_of_content: boolean]> = {
  slow: ['late', 1, false],
  drip: ['late', 1, false],
  error: ['broken', 2, false],
  busy: ['busy', 2, false],
  busy_for_long: ['busy', 1, false],
  half: ['broken', 2, false],
  huge: ['malformed', 1, true],
  not_json: ['malformed', 1, true],
  not_text: ['malformed', 1, true],
  wrong_schema: ['malformed', 1, true],
  out_of_range: ['malformed', 1, true],
  refusal: ['refused', 1, true],
  redirect: ['broken', 1, false],
  forbidden: ['refused', 1, false],
  reset: ['broken', 2, false],
};
/** Shorter where nothing else ends the call. */
const deadlineOf = (mode: Mode): number => (mode === 'slow' || mode === 'drip' ? 300 : 20_000);

for (const name of providerNames) {
  describe(`a call of ${name}`, () => {
    let server: LlmServer;
    let ask: Ask;
    before(async () => {
      server = await startLlmServer(() => VALUE);
      ask = createAsk(name, { model: 'claude-stand-in', api_key: KEY, base_url: server.url });
    });
    after(() => server.stop());
    beforeEach(() => {
      server.asked.length = 0;
    });

    test('is answered with a value and its tokens, without tools and with the schema', async () => {
      server.mode = 'answers';
      const { value, usage } = await ask(QUESTION, 20_000);
      assert.deepEqual(value, VALUE);
      assert.deepEqual(usage, { input_tokens: TOKENS.input, output_tokens: TOKENS.output });
      const [asked] = server.asked;
      const { model, key, has_tools, instructions, data, schema } = asked!;
      assert.deepEqual([model, key, has_tools], ['claude-stand-in', KEY, false]);
      assert.equal(instructions, QUESTION.instructions);
      assert.equal(data, QUESTION.data);
      assert.deepEqual(schema['required'], ['score']);
    });

    for (const [mode, [kind, tries, is_of_content]] of Object.entries(TROUBLES)) {
      test(`${mode} is ${kind}`, async () => {
        server.mode = mode as Mode;
        const error = await ask(QUESTION, deadlineOf(server.mode)).then(
          (answer) => assert.fail(`answered ${JSON.stringify(answer)}`),
          (error: unknown) => error,
        );
        assert.ok(error instanceof LlmTrouble, String(error));
        assert.deepEqual(
          [error.kind, server.asked.length, error.is_of_content],
          [kind, tries, is_of_content],
          error.message,
        );
        assert.equal(server.redirected, 0);
        const told = `${error.message} ${error.stack} ${JSON.stringify(error)} ${String(error.cause)}`;
        for (const secret of [KEY, QUESTION.data, QUESTION.instructions]) assert.ok(!told.includes(secret), told);
      });
    }

    test('an answer that holds the key is not an answer', async () => {
      server.mode = 'answers';
      server.behaviour = ({ key }) => ({ ...VALUE, reasons: [key] });
      await assert.rejects(ask(QUESTION, 20_000), { name: 'LlmTrouble', kind: 'malformed' });
      server.behaviour = () => VALUE;
    });

    test('a second try may succeed', async () => {
      server.mode = 'answers';
      let calls = 0;
      server.behaviour = () => {
        calls += 1;
        server.mode = 'answers';
        return VALUE;
      };
      server.mode = 'reset';
      const answered = ask(QUESTION, 20_000);
      while (server.asked.length === 0) await new Promise((done) => setImmediate(done));
      server.mode = 'answers';
      assert.deepEqual((await answered).value, VALUE);
      assert.equal(calls, 1);
    });
  });
}
