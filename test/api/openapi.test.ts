/** The OpenAPI documents say what the servers do, and their pages work without a network. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { type Browser, chromium } from 'playwright-core';
import { type AuthParts, authEndpoints } from '../../src/doors/manage/index.ts';
import { type ApiParts, apiEndpoints } from '../../src/doors/rest/index.ts';
import type { Endpoint } from '../../src/platform/http/endpoint.ts';
import { eventTypes } from '../../src/webhooks/event-types.ts';
import { call } from '../support/client.ts';
import { type SharedWeir, sharedWeir } from '../support/shared-weir.ts';

interface Operation {
  operationId: string;
  summary: string;
  security?: Record<string, string[]>[];
  parameters?: { name: string; in: string; required?: boolean; schema: unknown }[];
  requestBody?: { content: Record<string, { schema: Record<string, unknown>; example?: unknown }> };
  responses: Record<string, { description: string; content?: Record<string, { schema: Record<string, unknown> }> }>;
}

interface Document {
  openapi: string;
  info: { title: string; version: string };
  paths: Record<string, Record<string, Operation>>;
  components: { securitySchemes: Record<string, unknown> };
}

// Only what the endpoints say about themselves is read: no handler runs.
const lists: Record<'api' | 'auth', Endpoint[]> = {
  api: apiEndpoints({} as ApiParts),
  auth: authEndpoints({ auth: {} } as AuthParts),
};

const launchBrowser = (path: string): Promise<Browser> =>
  chromium.launch({
    executablePath: path,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });

describe('OpenAPI', () => {
  let weir: SharedWeir;
  /** Of the tests that need one. */
  let browser: Promise<Browser> | undefined;
  before(async () => {
    weir = await sharedWeir();
  });
  after(async () => {
    await (await browser)?.close();
  });

  for (const port of ['api', 'auth'] as const) {
    const load = async () => (await call(`${weir[port]}/openapi.json`)).json as unknown as Document;

    test(`${port}: every route is in the document and nothing else`, async () => {
      const document = await load();
      assert.match(document.openapi, /^3\.1\./);
      const documented = Object.entries(document.paths).flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
      );
      const routes = lists[port].map(({ method, path }) => `${method} ${path}`);
      // Twins such as `/api-keys/{customer_id}` and `/api-keys/{key_id}` are one path there.
      const shapeOf = (route: string): string => route.replaceAll(/\{\w+\}/g, '{}');
      assert.deepEqual(documented.map(shapeOf).sort(), routes.map(shapeOf).sort());
      const paths = Object.keys(document.paths).map(shapeOf);
      assert.equal(new Set(paths).size, paths.length);
    });

    test(`${port}: each operation is complete and consistent`, async () => {
      const document = await load();
      const names = new Set<string>();
      for (const endpoint of lists[port]) {
        const [path, operation] = Object.entries(document.paths).flatMap(([path, methods]) =>
          Object.values(methods).flatMap((one) =>
            one.operationId === endpoint.operation ? [[path, one] as const] : [],
          ),
        )[0]!;
        assert.equal(document.paths[path]![endpoint.method.toLowerCase()], operation);
        assert.equal(operation.operationId, endpoint.operation);
        assert.ok(!names.has(operation.operationId));
        names.add(operation.operationId);
        assert.notEqual(operation.summary, '');
        const ways = (operation.security ?? []).map((one) => Object.keys(one));
        const { access, takes_token, scope, method } = endpoint;
        const with_key = access === 'management' && scope !== undefined ? [['api_key']] : [];
        const with_token = takes_token ? [[access, 'token']] : [];
        const with_session = scope === undefined ? [] : [method === 'GET' ? ['session'] : ['session', 'csrf']];
        const expected = [[access], ...with_key, ...with_token, ...with_session];
        assert.deepEqual(ways, access === 'public' ? [] : expected);
        for (const scheme of ways.flat()) assert.ok(document.components.securitySchemes[scheme]);
        const in_path = (operation.parameters ?? []).filter((one) => one.in === 'path');
        assert.deepEqual(
          in_path.map(({ name }) => `{${name}}`),
          path.match(/\{\w+\}/g) ?? [],
        );
        for (const parameter of in_path) assert.equal(parameter.required, true);
        const in_query = (operation.parameters ?? []).filter((one) => one.in === 'query').map(({ name }) => name);
        assert.deepEqual(in_query.sort(), Object.keys(endpoint.query ?? {}).sort());
        assert.equal(operation.requestBody !== undefined, endpoint.body !== undefined);
        assert.ok(Object.keys(operation.responses).some((status) => /^[23]/.test(status)));
        for (const [status, response] of Object.entries(operation.responses)) {
          const [type] = Object.keys(response.content ?? {});
          const { content_type = 'application/json' } = endpoint.answers[Number(status)] ?? {};
          assert.equal(type, Number(status) < 400 ? content_type : 'application/problem+json', `${status}`);
          assert.notEqual(response.description, '');
        }
        if (endpoint.access === 'api_key')
          for (const status of ['401', '429', '503']) assert.ok(operation.responses[status], status);
      }
    });

    test(`${port}: no reference is broken and no unknown keyword of JSON Schema is used`, async () => {
      const walk = (value: unknown): void => {
        if (typeof value !== 'object' || value === null) return;
        for (const [name, item] of Object.entries(value)) {
          assert.notEqual(name, '$ref');
          // An example is data; its members are no keywords.
          if (name === 'example') continue;
          if (name === 'type' && typeof item === 'string') {
            assert.match(item, /^(object|array|string|integer|number|boolean|null|apiKey|http)$/);
          }
          walk(item);
        }
      };
      walk(await load());
    });

    test(`${port}: the page at /docs shows every operation and asks nobody else`, async (t) => {
      const browser_path = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
      if (!existsSync(browser_path)) return t.skip(`there is no browser at ${browser_path}: /docs was NOT tested`);
      browser ??= launchBrowser(browser_path);
      const page = await (await browser).newPage();
      try {
        const elsewhere: string[] = [];
        const faults: string[] = [];
        page.on('request', (request) => {
          if (!request.url().startsWith(weir[port]) && !/^(data|blob):/.test(request.url()))
            elsewhere.push(request.url());
        });
        page.on('pageerror', (error) => faults.push(error.message));
        page.on('console', (message) => {
          if (message.type() === 'error') faults.push(message.text());
        });
        await page.goto(`${weir[port]}/docs`, { waitUntil: 'networkidle' });
        await page.waitForSelector('.opblock');
        const shown = await page
          .locator('.opblock-summary-path')
          .evaluateAll((all) => all.map((one) => one.textContent ?? ''));
        const tidy = shown.map((path) => path.replaceAll('\u200b', '')).sort();
        // The page lists the messages to webhooks beside the operations of the port that manages them.
        const messages = port === 'auth' ? eventTypes.map(({ name }) => name) : [];
        assert.deepEqual(tidy, [...lists[port].map(({ path }) => path), ...messages].sort());
        assert.deepEqual(elsewhere, []);
        assert.deepEqual(faults, []);
      } finally {
        await page.close();
      }
    });
  }

  test('what the page of the API sends when nobody changes it is taken, however often', async () => {
    const document = (await call(`${weir.api}/openapi.json`)).json as unknown as Document;
    for (const { method, path, body } of lists.api) {
      if (body === undefined) continue;
      const { example } = document.paths[path]![method.toLowerCase()]!.requestBody!.content['application/json']!;
      assert.ok(example !== undefined, path);
      const url = `${weir.api}${path.replace('{customer_id}', weir.customer_id)}`;
      for (let i = 0; i < 2; i += 1) {
        const { status, text } = await call(url, { method, key: weir.api_key, body: example });
        assert.ok(status < 300, `${method} ${path} answers ${status}: ${text}`);
      }
    }
  });
});
