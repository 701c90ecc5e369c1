/** The compliance graph from outside: controls and internal policies that are cited, `weir graph sync`, and what no graph may change. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { type Customer, call, newCustomer, problem } from '../support/client.ts';
import { knowledge } from '../support/knowledge.ts';
import { type SharedWeir, sharedWeir } from '../support/shared-weir.ts';

interface Detail {
  violation: string;
  article: string;
  framework: string;
  explanation: string;
  consequence: string;
}

const DROP = {
  action: 'db:prod:drop',
  target: { resource_type: 'table', resource_id: 'customers', sensitivity_level: 4 },
};

describe('compliance graph', () => {
  let weir: SharedWeir;
  before(async () => {
    weir = await sharedWeir();
  });

  const put = ({ customer_id, api_key: key }: Customer, controls: unknown) =>
    call(`${weir.api}/compliance/${customer_id}/controls`, { key, body: { controls } });
  const control = (control_id: string, more: object) => ({
    control_id,
    kind: 'internal_policy',
    name: 'Change freeze',
    description: 'Nobody drops a table in production without a ticket.',
    ...more,
  });
  async function justified({ api_key: key }: Customer, event: object = DROP) {
    const scored = await call(`${weir.api}/events`, { key, body: event });
    assert.equal(scored.status, 200, scored.text);
    const reply = await call(`${weir.api}/justification?event_id=${scored.json['event_id']}`, { key });
    assert.equal(reply.status, 200, reply.text);
    return {
      violations: scored.json['violations'] as string[],
      refs: scored.json['compliance_refs'] as string[],
      details: reply.json['violation_details'] as Detail[],
      context: reply.json['compliance_context'] as {
        source: string;
        controls: Record<string, unknown>[];
        mappings: { theme: string; articles: string[] }[];
      },
    };
  }

  test('articles of a justification are those that the rules cite, each with the reason of the rule', async () => {
    const { details, context, violations } = await justified(await newCustomer(weir));
    assert.equal(context.source, 'postgres');
    assert.ok(details.length > 0);
    const cited = violations.flatMap((rule) => knowledge.rule_by_id.get(rule)?.document.cites ?? []);
    for (const { violation, article, framework, explanation } of details) {
      const cites = knowledge.rule_by_id.get(violation)!.document.cites;
      const found = cites.find(({ id }) => {
        const entry = knowledge.ontology.articles.get(id)!;
        return entry.framework === framework && article === `${entry.article}: ${entry.title}`;
      });
      assert.ok(found, `${violation} ${article}`);
      assert.ok(found.why === undefined || explanation.includes(found.why.replace(/\.$/, '')), explanation);
    }
    assert.ok(context.mappings.length > 0);
    for (const { articles } of context.mappings) {
      assert.ok(new Set(articles.map((id) => id.split(':')[0])).size > 1);
      for (const id of articles)
        assert.ok(
          cited.some((cite) => cite.id === id),
          id,
        );
    }
  });

  test('a control of the customer is cited for its article, an internal policy for its rule, by no other customer', async () => {
    const [mine, other] = [await newCustomer(weir), await newCustomer(weir)];
    const { violations, refs } = await justified(mine);
    const rule = violations[0]!;
    const article = knowledge.rule_by_id.get(rule)!.document.cites.find(({ id }) => refs.includes(id))!.id;
    const sent = [
      control('POL-7', { rules: [rule] }),
      control('AC-17', { kind: 'control', articles: [article] }),
      control('IDLE', {
        articles: ['HIPAA:164.530(i)', 'GDPR:Article_17'].filter((id) => knowledge.ontology.articles.has(id)),
      }),
    ];
    const added = await put(mine, sent);
    assert.equal(added.status, 200, added.text);
    assert.equal(added.json['revision'], 1);
    const { details, context } = await justified(mine);
    const own = details.filter(({ framework }) => framework.startsWith('Internal_'));
    assert.ok(
      own.some(
        (one) =>
          one.article === 'POL-7: Change freeze' && one.framework === 'Internal_Policy' && one.violation === rule,
      ),
    );
    assert.ok(
      own.some(
        (one) =>
          one.article === 'AC-17: Change freeze' &&
          one.framework === 'Internal_Control' &&
          one.explanation.includes(article),
      ),
    );
    assert.ok(!own.some((one) => one.article.startsWith('IDLE')));
    assert.deepEqual(
      context.controls.map(({ control_id }) => control_id),
      ['AC-17', 'POL-7'],
    );
    const of_other = await justified(other);
    assert.deepEqual(of_other.context.controls, []);
    assert.ok(!of_other.details.some(({ framework }) => framework.startsWith('Internal_')));
    const removed = await call(`${weir.api}/compliance/${mine.customer_id}/controls/AC-17`, {
      key: mine.api_key,
      method: 'DELETE',
    });
    assert.equal(removed.status, 200, removed.text);
    assert.deepEqual(
      (await justified(mine)).context.controls.map(({ control_id }) => control_id),
      ['POL-7'],
    );
    problem(
      await call(`${weir.api}/compliance/${mine.customer_id}/controls/AC-17`, { key: mine.api_key, method: 'DELETE' }),
      404,
    );
  });

  test('an internal policy is cited for a custom rule', async () => {
    const customer = await newCustomer(weir);
    const { customer_id, api_key: key } = customer;
    problem(await put(customer, [control('P1', { rules: ['big_batch'] })]), 400);
    const custom_rules = { big_batch: { condition: 'batch_size > 10', score_impact: 40, description: 'too many' } };
    assert.equal((await call(`${weir.api}/policies/${customer_id}`, { key, body: { custom_rules } })).status, 201);
    assert.equal((await put(customer, [control('P1', { rules: ['big_batch'] })])).status, 200);
    const { details } = await justified(customer, { action: 'db:table:read', parameters: { limit: 500 } });
    assert.ok(details.some((one) => one.violation === 'big_batch' && one.article === 'P1: Change freeze'));
  });

  test('what nothing would cite, what nobody knows and what is given twice is refused, with the place', async () => {
    const customer = await newCustomer(weir);
    const refused = async (controls: unknown, path: string) => {
      const { errors } = problem(await put(customer, controls), 400) as { errors: { path: string }[] };
      assert.ok(
        errors.some((error) => error.path === path),
        JSON.stringify(errors),
      );
    };
    await refused([control('a', {})], '/controls/0');
    await refused([control('a', { articles: ['GDPR:Article_999'] })], '/controls/0/articles/0');
    await refused([control('a', { rules: ['no_such_rule'] })], '/controls/0/rules/0');
    const good = control('a', { articles: ['GDPR:Article_32'] });
    await refused([good, good], '/controls/1/control_id');
    problem(await put(customer, [{ ...good, framework: 'x' }]), 400);
    const listed = await call(`${weir.api}/compliance/${customer.customer_id}/controls`, { key: customer.api_key });
    assert.deepEqual(listed.json, { customer_id: customer.customer_id, revision: 0, controls: [] });
  });
});
