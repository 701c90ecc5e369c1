/** Messages to people: as a chat shows them and as mail, with links to a page that asks to sign in before anything is decided. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { chromium } from 'playwright-core';
import { SMTPServer } from 'smtp-server';
import { call, newCustomer, problem, type Reply } from '../support/client.ts';
import { type HostedWeir, startHostedWeir } from '../support/hosted-weir.ts';
import { type Receiver, startReceiver, until } from './receiver.ts';

const CHROMIUM = process.env['TEST_CHROMIUM'] ?? ['/usr/bin/chromium'].find((path) => existsSync(path));
const NO_BROWSER = CHROMIUM === undefined && 'TEST_CHROMIUM is not set: no browser to sign in with';

type Json = Record<string, unknown>;
interface Mail {
  from: string;
  to: string[];
  text: string;
}

describe('messages to people', () => {
  let weir: HostedWeir;
  let receiver: Receiver;
  let smtp: SMTPServer;
  const mails: Mail[] = [];
  let refusals = 0;
  let customer_id = '';
  let key = '';

  before(async () => {
    smtp = new SMTPServer({
      disabledCommands: ['STARTTLS'],
      onAuth: ({ username, password }, _session, done) =>
        username === 'weir' && password === 'p@ss' ? done(null, { user: 'weir' }) : done(new Error('no')),
      onRcptTo: ({ address }, _session, done) => {
        if (!address.startsWith('refused')) return done();
        refusals += 1;
        done(Object.assign(new Error('no such mailbox'), { responseCode: 550 }));
      },
      onData: (stream, { envelope }, done) => {
        let text = '';
        stream.on('data', (chunk) => {
          text += chunk;
        });
        stream.on('end', () => {
          const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
          mails.push({ from, to: envelope.rcptTo.map(({ address }) => address), text });
          done();
        });
      },
    });
    smtp.listen(0, '127.0.0.1');
    await once(smtp.server, 'listening');
    const { port } = smtp.server.address() as { port: number };
    receiver = await startReceiver();
    weir = await startHostedWeir({
      env: {
        WEBHOOK_ALLOW_PRIVATE: 'true',
        SMTP_URL: `smtp://weir:p%40ss@127.0.0.1:${port}`,
        SMTP_FROM: 'weir@example.com',
      },
    });
    const made = await newCustomer(weir);
    ({ customer_id, api_key: key } = made);
    await call(`${weir.api}/policies/${customer_id}`, { key, body: { blocked_actions: ['db:prod:drop'] } });
  });
  after(async () => {
    await weir?.stop();
    await receiver?.close();
    smtp?.close();
  });

  const register = (format: string, endpoint_url: string): Promise<Reply> =>
    call(`${weir.auth}/webhooks/register`, { body: { customer_id, endpoint_url, format } });

  test('Slack, Teams and mail tell who wants to do what, why, until when, and where to decide', async () => {
    for (const [format, url] of [
      ['slack', `${receiver.url}/slack`],
      ['teams', `${receiver.url}/teams`],
      ['email', 'mailto:ann@example.com'],
    ] as const) {
      const made = await register(format, url);
      assert.equal(made.status, 201, made.text);
      assert.deepEqual([made.json['format'], made.json['event_types']], [format, ['event.held', 'event.decided']]);
    }
    const event = {
      event_id: 'grave <1>',
      action: 'db:prod:drop',
      agent: { agent_id: 'a-1' },
      session: { user_id: 'ann & <bob>' },
      target: { resource_type: 'table', resource_id: '*orders*' },
      parameters: { note: 'secret words' },
    };
    assert.equal((await call(`${weir.api}/events`, { key, body: event })).status, 200);
    const arrived = async (path: string) =>
      (
        await until(
          () => receiver.at(path),
          (all) => all.length > 0,
          path,
        )
      )[0]!;

    const slack = await arrived('/slack');
    assert.equal(slack.headers['webhook-signature'], undefined);
    const { text, blocks } = JSON.parse(slack.body) as { text: string; blocks: Json[] };
    assert.equal(text, 'Decision needed: db:prod:drop (critical)');
    const shown = (blocks[0]!['text'] as Json)['text'] as string;
    for (const part of [
      'Agent: a-1',
      'User: ann &amp; &lt;bob&gt;',
      'Target: table:*orders*',
      'Score: ',
      'Decide until: ',
    ])
      assert.ok(shown.includes(part), `${part} in ${shown}`);
    assert.match(shown, /\n• \S/);
    const buttons = (blocks[1]!['elements'] as { url: string; text: { text: string } }[]).map((one) => [
      one.text.text,
      one.url,
    ]);
    const link = `${weir.auth}/decide?customer_id=${customer_id}&event_id=grave+%3C1%3E`;
    assert.deepEqual(buttons, [
      ['Approve', `${link}&decision=approve`],
      ['Reject', `${link}&decision=reject`],
      ['Show', link],
    ]);

    const card = (JSON.parse((await arrived('/teams')).body) as { attachments: { content: Json }[] }).attachments[0]!
      .content;
    assert.deepEqual([card['type'], card['version']], ['AdaptiveCard', '1.4']);
    assert.deepEqual(
      (card['actions'] as { url: string }[]).map(({ url }) => url),
      buttons.map(([, url]) => url),
    );
    assert.match(JSON.stringify(card['body']), /table:\\\\\*orders\\\\\*/);

    const [mail] = await until(
      () => mails,
      (all) => all.length > 0,
      'mail',
    );
    assert.deepEqual([mail!.from, mail!.to], ['weir@example.com', ['ann@example.com']]);
    const unfolded = mail!.text.replaceAll('=\r\n', '').replaceAll('=3D', '=');
    assert.match(unfolded, /^Subject: \[Weir\] Decision needed: db:prod:drop \(critical\)\r$/m);
    assert.match(unfolded, /^Auto-Submitted: auto-generated\r$/m);
    assert.ok(unfolded.includes(`Approve: ${link}&decision=approve`), unfolded);
    for (const body of [slack.body, JSON.stringify(card), unfolded]) assert.doesNotMatch(body, /secret words/);
  });

  test('the link decides nothing: the page has no data, and everything behind it needs a credential of its own', async () => {
    const page = await call(`${weir.auth}/decide?customer_id=${customer_id}&event_id=grave+%3C1%3E&decision=approve`);
    assert.equal(page.status, 200);
    assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'.*frame-ancestors 'none'/);
    assert.doesNotMatch(page.text, /db:prod:drop|grave/);
    const path = `${weir.auth}/holds/${customer_id}/${encodeURIComponent('grave <1>')}`;
    problem(await call(path, { is_anonymous: true }), 401);
    const stranger = await newCustomer(weir);
    problem(await call(path, { key: stranger.api_key }), 403);
    const shown = await call(path);
    assert.equal(shown.status, 200, shown.text);
    assert.deepEqual([shown.json['action'], (shown.json['hold'] as Json)['state']], ['db:prod:drop', 'held']);
    problem(await call(`${weir.auth}/holds/${customer_id}/nobody`), 404);
  });

  test('a person who signs in sees the event behind the link, and decides by a button', {
    skip: NO_BROWSER,
  }, async () => {
    const body = { customer_id, email: 'ada@example.com', name: 'Ada', role: 'approver' };
    const added = await call(`${weir.auth}/people`, { body });
    assert.equal(added.status, 201, added.text);
    const browser = await chromium.launch({ executablePath: CHROMIUM!, args: ['--no-sandbox'] });
    try {
      const page = await browser.newPage();
      const faults: string[] = [];
      page.on('pageerror', (error) => faults.push(String(error)));
      const link = `${weir.auth}/decide?customer_id=${customer_id}&event_id=grave+%3C1%3E&decision=approve`;
      await page.goto(link);
      await page.getByRole('link', { name: 'Sign in' }).waitFor();
      assert.equal(await page.getByRole('status').innerText(), 'Nobody is signed in in this browser.');
      assert.equal(await page.locator('dd').count(), 0);
      await page.goto(String(added.json['sign_in_url']));
      await page.getByRole('button', { name: 'Sign in' }).first().click();
      await page.getByText('Signed in as ada@example.com').waitFor();
      await page.goto(link);
      await page.getByText('db:prod:drop', { exact: true }).waitFor();
      await page.getByLabel('Reason').fill('planned');
      await page.getByRole('button', { name: 'Approve' }).click();
      await page.getByText('This event is approved.').waitFor();
      const facts = await page.locator('#facts').innerText();
      assert.match(facts, /Decided by\s+Ada\s/);
      assert.match(facts, /Reason\s+planned\s/);
      assert.deepEqual(faults, []);
    } finally {
      await browser.close();
    }
    const shown = await call(`${weir.auth}/holds/${customer_id}/${encodeURIComponent('grave <1>')}`);
    const hold = shown.json['hold'] as Json;
    assert.deepEqual([hold['state'], hold['reason']], ['approved', 'planned']);
    assert.match(JSON.stringify(hold['decided_by']), /ada@example\.com/);
  });

  test('a mail that the server refuses is tried again, like any message', async () => {
    const made = await register('email', 'mailto:refused@example.com');
    const test_path = `${weir.auth}/webhooks/${String(made.json['webhook_id'])}`;
    assert.equal((await call(`${test_path}/test`, { body: { customer_id } })).status, 202);
    const read = async () =>
      ((await call(`${test_path}/deliveries?customer_id=${customer_id}`)).json['deliveries'] as Json[])[0]!;
    const delivery = await until(read, (one) => one['attempts'] === 1, 'an attempt');
    assert.ok(refusals > 0);
    assert.deepEqual(
      [delivery['state'], delivery['last_status'], delivery['last_reason']],
      ['pending', 550, 'the mail server answered 550'],
    );
  });

  test('addresses are checked by their format', async () => {
    for (const [format, url] of [
      ['email', 'https://hooks.example.com'],
      ['email', 'mailto:a@example.com,b@example.com'],
      ['email', 'mailto:a@example.com?cc=b@example.com'],
      ['email', 'mailto:a\r\nbcc:b@example.com'],
      ['slack', 'mailto:ann@example.com'],
      ['pager', receiver.url],
    ] as const)
      problem(await register(format, url), 400);
  });
});
