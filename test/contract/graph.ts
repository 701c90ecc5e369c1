/** What every graph backend promises: the same answers, whichever answers. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { ComplianceDocument, CustomerControl } from '../../src/storage/ports/graph.ts';
import { activityTests, type GraphNodes } from './activity.ts';
import { newCustomer } from './start.ts';

export interface GraphUnderTest extends GraphNodes {
  /** Removes everything and closes both. */
  dispose(): Promise<void>;
}

/** Runs the suite for graphs. `skip` says loudly why it cannot run here. */
/** @public The suite of an external backend. */
export function graphContract(name: string, start: () => Promise<GraphUnderTest>, skip?: string): void {
  describe(`${name}: graph contract`, { skip: skip ?? false }, () => {
    const bench = {} as GraphUnderTest;
    before(async () => {
      Object.assign(bench, await start());
    });
    after(() => bench.dispose?.());

    graphTests(bench);
  });
}

/** The suite itself; the fields of `bench` are there once tests run. */
export function graphTests(bench: GraphNodes): void {
  test('answers its health', async () => {
    assert.equal((await bench.graph.health()).status, 'ok');
  });
  complianceTests(bench);
  activityTests(bench);
}

/** Text that breaks what is put together from pieces. */
const ODD = `'"\\ \${x} {y} $1 \u{1f600}\n— é`;

function makeDocument(rule_set_version: string, why = 'the reason'): ComplianceDocument {
  const article = (name: string, framework: string) => ({
    id: `article:${framework}:${name}`,
    kind: 'article' as const,
    properties: { framework, article: name, title: `title of ${name} ${ODD}`, obligation: 'Do it.' },
  });
  const cites = (rule: string, to: string, reason: string) => ({
    from: `rule:${rule}`,
    kind: 'cites' as const,
    to: `article:${to}`,
    why: reason,
  });
  const link = (
    from: string,
    kind: 'part_of' | 'about' | 'handled_by' | 'pinpoint_of' | 'succeeded_by' | 'sanctioned_by',
    to: string,
  ) => ({ from, kind, to, why: '' });
  return {
    rule_set_version,
    digest: `${rule_set_version} ${why}`,
    nodes: [
      { id: 'framework:LAW', kind: 'framework', properties: { name: 'The Law' } },
      { id: 'framework:STD', kind: 'framework', properties: { name: 'The Standard' } },
      article('1', 'LAW'),
      article('1a', 'LAW'),
      article('9', 'LAW'),
      { ...article('C1', 'STD'), kind: 'control' },
      { id: 'theme:privacy', kind: 'theme', properties: {} },
      { id: 'playbook:privacy', kind: 'playbook', properties: { steps: ['Stop.', `Tell ${ODD}`] } },
      { id: 'rule:r1', kind: 'rule', properties: { name: 'R1' } },
      { id: 'rule:r2', kind: 'rule', properties: { name: 'R2' } },
    ],
    edges: [
      link('article:LAW:1', 'part_of', 'framework:LAW'),
      link('article:LAW:1a', 'part_of', 'framework:LAW'),
      link('article:LAW:9', 'part_of', 'framework:LAW'),
      link('article:STD:C1', 'part_of', 'framework:STD'),
      link('article:LAW:1', 'about', 'theme:privacy'),
      link('article:STD:C1', 'about', 'theme:privacy'),
      link('article:LAW:1a', 'pinpoint_of', 'article:LAW:1'),
      // A cycle ends.
      link('article:LAW:1', 'succeeded_by', 'article:LAW:1a'),
      link('article:LAW:1a', 'sanctioned_by', 'article:LAW:9'),
      link('theme:privacy', 'handled_by', 'playbook:privacy'),
      link('rule:r1', 'handled_by', 'playbook:privacy'),
      cites('r1', 'LAW:1', why),
      cites('r1', 'STD:C1', `${why} ${ODD}`),
      cites('r2', 'LAW:1', 'another reason'),
      cites('r2', 'LAW:1a', ''),
    ],
  };
}

const control = (control_id: string, parts: Partial<CustomerControl> = {}): CustomerControl => ({
  control_id,
  kind: 'internal_policy',
  name: `name ${ODD}`,
  description: 'No data leave without a ticket.',
  articles: [],
  rules: [],
  ...parts,
});

function complianceTests(bench: GraphNodes): void {
  describe('compliance graph', () => {
    test('an unknown version has no context', async () => {
      assert.equal(await bench.graph.compliance.context(newCustomer(), randomUUID(), ['r1']), null);
    });

    test('synchronised twice it is the same graph, and another node reads it', async () => {
      const document = makeDocument(randomUUID());
      assert.equal(await bench.graph.compliance.sync(document), true);
      const [first] = await bench.other.compliance.versions();
      const before_it = await bench.other.compliance.context(newCustomer(), document.rule_set_version, ['r1', 'r2']);
      assert.equal(await bench.other.compliance.sync(document), false);
      const [again] = await bench.graph.compliance.versions();
      assert.deepEqual(again, first);
      const { rule_set_version, digest, nodes, edges } = again!;
      assert.deepEqual(
        { rule_set_version, digest, nodes, edges },
        { rule_set_version: document.rule_set_version, digest: document.digest, nodes: 10, edges: 15 },
      );
      const after_it = await bench.graph.compliance.context(newCustomer(), rule_set_version, ['r1', 'r2']);
      assert.deepEqual(after_it, before_it);
    });

    test('eight nodes that start together write one graph', async () => {
      const document = makeDocument(randomUUID());
      const written = await Promise.all(
        Array.from({ length: 8 }, (_, n) => (n % 2 ? bench.graph : bench.other).compliance.sync(document)),
      );
      assert.ok(written.includes(true));
      const [version] = await bench.graph.compliance.versions();
      assert.deepEqual([version!.nodes, version!.edges], [10, 15]);
      const { context } = (await bench.graph.compliance.context(newCustomer(), document.rule_set_version, ['r1']))!;
      assert.deepEqual(
        context.articles.map(({ id, cited_by }) => [id, cited_by.length]),
        [
          ['LAW:1', 1],
          ['STD:C1', 1],
        ],
      );
    });

    test('the context of rules is what they cite, with reasons, and what that leads to', async () => {
      const version = randomUUID();
      await bench.graph.compliance.sync(makeDocument(version));
      const found = await bench.other.compliance.context(newCustomer(), version, ['r2', 'r1', 'unknown', 'r1']);
      const { context, controls_revision } = found!;
      assert.equal(controls_revision, 0);
      assert.equal(context.rule_set_version, version);
      assert.deepEqual(
        context.articles.map(({ id }) => id),
        ['LAW:1', 'LAW:1a', 'STD:C1'],
      );
      assert.deepEqual(context.articles[0], {
        id: 'LAW:1',
        kind: 'article',
        framework: 'LAW',
        framework_name: 'The Law',
        article: '1',
        title: `title of 1 ${ODD}`,
        obligation: 'Do it.',
        cited_by: [
          { rule: 'r1', why: 'the reason' },
          { rule: 'r2', why: 'another reason' },
        ],
        themes: ['privacy'],
        pinpoint_of: [],
        succeeded_by: ['LAW:1a'],
        sanctioned_by: [],
      });
      assert.equal(context.articles[2]!.kind, 'control');
      assert.equal(context.articles[2]!.cited_by[0]!.why, `the reason ${ODD}`);
      assert.deepEqual(context.articles[1]!.pinpoint_of, ['LAW:1']);
      assert.deepEqual(context.articles[1]!.sanctioned_by, ['LAW:9']);
      assert.deepEqual(context.mappings, [{ theme: 'privacy', articles: ['LAW:1', 'STD:C1'] }]);
      assert.deepEqual(context.playbooks, [{ playbook: 'privacy', steps: ['Stop.', `Tell ${ODD}`], rules: ['r1'] }]);
      assert.deepEqual(context.controls, []);
    });

    test('no rule, no article', async () => {
      const version = randomUUID();
      await bench.graph.compliance.sync(makeDocument(version));
      const { context } = (await bench.graph.compliance.context(newCustomer(), version, []))!;
      assert.deepEqual(context, { rule_set_version: version, articles: [], mappings: [], playbooks: [], controls: [] });
    });

    test('a changed document of one version replaces the graph; three versions stay, the newest first', async () => {
      const versions = Array.from({ length: 4 }, () => randomUUID());
      for (const version of versions) await bench.graph.compliance.sync(makeDocument(version));
      const last = versions.at(-1)!;
      assert.equal(await bench.graph.compliance.sync(makeDocument(last, 'a new reason')), true);
      const { context } = (await bench.other.compliance.context(newCustomer(), last, ['r1']))!;
      assert.deepEqual(context.articles[0]!.cited_by, [{ rule: 'r1', why: 'a new reason' }]);
      const kept = (await bench.other.compliance.versions()).map((one) => one.rule_set_version);
      assert.deepEqual(kept, versions.slice(1).reverse());
      assert.equal(await bench.graph.compliance.context(newCustomer(), versions[0]!, ['r1']), null);
    });

    test('a customer’s controls are cited for the rules and articles that they name, and for no other customer', async () => {
      const version = randomUUID();
      const [mine, other] = [newCustomer(), newCustomer()];
      await bench.graph.compliance.sync(makeDocument(version));
      const by_article = control('B', { articles: ['STD:C1'] });
      const by_rule = control('A', { rules: ['r2', 'my_own_rule'], kind: 'control' });
      const idle = control('C', { rules: ['r9'], articles: ['LAW:9'] });
      await bench.graph.compliance.setControls(mine, { revision: 2, controls: [by_article, by_rule, idle] });
      const cited = async (customer_id: string, rules: string[]) =>
        (await bench.other.compliance.context(customer_id, version, rules))!;
      assert.deepEqual((await cited(mine, ['r1', 'r2'])).context.controls, [
        { ...by_rule, cited_for: ['r2'] },
        { ...by_article, cited_for: ['r1'] },
      ]);
      assert.deepEqual((await cited(mine, ['my_own_rule'])).context.controls, [
        { ...by_rule, cited_for: ['my_own_rule'] },
      ]);
      assert.equal((await cited(mine, [])).controls_revision, 2);
      assert.deepEqual((await cited(other, ['r1', 'r2'])).context.controls, []);
    });

    test('an older revision of the controls changes nothing, a newer one replaces all', async () => {
      const version = randomUUID();
      const customer_id = newCustomer();
      await bench.graph.compliance.sync(makeDocument(version));
      const put = (revision: number, id: string) =>
        bench.graph.compliance.setControls(customer_id, { revision, controls: [control(id, { rules: ['r1'] })] });
      await put(5, 'five');
      await put(4, 'four');
      const read = async () => (await bench.other.compliance.context(customer_id, version, ['r1']))!;
      assert.deepEqual([(await read()).controls_revision, (await read()).context.controls[0]!.control_id], [5, 'five']);
      await put(6, 'six');
      assert.deepEqual(
        (await read()).context.controls.map(({ control_id }) => control_id),
        ['six'],
      );
      await bench.graph.compliance.setControls(customer_id, { revision: 7, controls: [] });
      assert.deepEqual((await read()).context.controls, []);
    });
  });
}
