/**
 * Requests made from a document, sent to the server that serves it. What comes back must be in the document: its status, its type,
 * and its body by Ajv, which knows nothing of the code that wrote it. Requests that the document allows must be accepted.
 */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { type OpenApi, type Parameter, type Route, routesOf, type Schema } from './document.ts';
import { nearly, valuesOf } from './generate.ts';

export interface CheckOptions {
  base: string;
  headers: Record<string, string>;
  document: OpenApi;
  /** Values for parameters and fields that must name something. */
  known: Record<string, string>;
  requests: number;
  seed: number;
  /** Operations that are not called: an answer without an end. */
  skip: readonly string[];
  /** Operations whose every allowed body must be accepted: it names nothing that has to exist. */
  accepts: readonly string[];
}

export interface CheckResult {
  requests: number;
  /** Allowed bodies that were sent to operations that must accept them. */
  allowed: number;
  /** Requests by status. */
  statuses: Record<string, number>;
  /** Answers off the document, and allowed bodies that were refused. */
  faults: string[];
}

interface Sent {
  route: Route;
  target: string;
  body: unknown;
  /** The document allows the body, by its generator and by Ajv. */
  is_allowed: boolean;
}

export async function checkDocument(options: CheckOptions): Promise<CheckResult> {
  const ajv = new Ajv2020({ strict: false, allErrors: false, validateFormats: true });
  addFormats.default(ajv);
  const compiled = new Map<Schema, ValidateFunction>();
  const validator = (schema: Schema): ValidateFunction => {
    const known = compiled.get(schema) ?? ajv.compile(schema);
    compiled.set(schema, known);
    return known;
  };
  const routes = routesOf(options.document).filter(({ operation }) => !options.skip.includes(operation.operationId));
  const result: CheckResult = { requests: 0, allowed: 0, statuses: {}, faults: [] };
  const sent = fc.sample(fc.oneof(...routes.map((route) => requestTo(route, options))), {
    numRuns: options.requests,
    seed: options.seed,
  });
  for (const one of sent) await send(one);
  return result;

  async function send({ route, target, body, is_allowed }: Sent): Promise<void> {
    const { operation, method } = route;
    const schema = operation.requestBody?.content['application/json']?.schema;
    const is_valid = is_allowed && schema !== undefined && validator(schema)(body) === true;
    const response = await fetch(options.base + target, {
      method,
      headers: { ...options.headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    result.requests += 1;
    result.statuses[response.status] = (result.statuses[response.status] ?? 0) + 1;
    const fault = (what: string): void => {
      result.faults.push(
        `${operation.operationId}: ${what}: ${method} ${target} ${JSON.stringify(body)?.slice(0, 600)} → ${text.slice(0, 400)}`,
      );
    };
    const described = operation.responses[response.status] ?? operation.responses[`${String(response.status)[0]}XX`];
    if (described === undefined) return fault(`status ${response.status} is not in the document`);
    const type = response.headers.get('content-type')?.split(';')[0] ?? '';
    const content = described.content?.[type];
    if (content === undefined) return fault(`type ${type} of ${response.status} is not in the document`);
    if (/json$/.test(type)) {
      const check = validator(content.schema);
      if (!check(JSON.parse(text)))
        fault(`body of ${response.status} is off the document: ${ajv.errorsText(check.errors)}`);
    }
    if (is_valid && options.accepts.includes(operation.operationId)) {
      result.allowed += 1;
      if (response.status >= 300) fault('an allowed body is refused');
    }
  }
}

function requestTo(route: Route, { known }: CheckOptions): fc.Arbitrary<Sent> {
  const { operation, path } = route;
  const parameters = operation.parameters ?? [];
  const schema = operation.requestBody?.content['application/json']?.schema;
  const good = schema === undefined ? fc.constant(undefined) : valuesOf(schema).map((body) => withKnown(body, known));
  const body: fc.Arbitrary<{ body: unknown; is_allowed: boolean }> =
    schema === undefined
      ? fc.constant({ body: undefined, is_allowed: false })
      : fc.oneof(
          { weight: 3, arbitrary: good.map((one) => ({ body: one, is_allowed: true })) },
          { weight: 1, arbitrary: nearly(good).map((one) => ({ body: one, is_allowed: false })) },
        );
  const in_path = fc.record(
    Object.fromEntries(parameters.filter((one) => one.in === 'path').map((one) => [one.name, pathValue(one, known)])),
  );
  const query = queryOf(
    parameters.filter((one) => one.in === 'query'),
    known,
  );
  return fc.tuple(in_path, query, body).map(([names, search, sent]) => {
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(names[name])));
    const is_own = Object.entries(names).every(([name, value]) => known[name] === undefined || known[name] === value);
    const is_allowed = sent.is_allowed && is_own && search.is_right;
    return { route, target: `${filled}${search.text}`, body: sent.body, is_allowed };
  });
}

const pathValue = ({ name, schema }: Parameter, known: Record<string, string>): fc.Arbitrary<unknown> => {
  const generated = valuesOf(schema).filter((value) => !['', '.', '..'].includes(String(value)));
  return known[name] === undefined
    ? generated
    : fc.oneof({ weight: 4, arbitrary: fc.constant(known[name]) }, { weight: 1, arbitrary: generated });
};

/** Some parameters, most of them right, and now and then one that there is not. */
function queryOf(
  parameters: readonly Parameter[],
  known: Record<string, string>,
): fc.Arbitrary<{ text: string; is_right: boolean }> {
  const nothing = { text: '', is_right: true };
  const pairs = parameters.map(({ name, schema, required = false }) => {
    const right = name in known ? fc.constant(known[name]!) : valuesOf(schema).map(String);
    const toPair = (is_right: boolean) => (text: string) => ({
      text: `${name}=${encodeURIComponent(text.toWellFormed())}`,
      is_right,
    });
    const wrong = fc.constantFrom('', '-1', 'x', '1e9', 'null').map(toPair(false));
    const sent = fc.oneof({ weight: 5, arbitrary: right.map(toPair(true)) }, { weight: 1, arbitrary: wrong });
    const absent = { text: '', is_right: !required };
    return fc.oneof({ weight: required ? 9 : 1, arbitrary: sent }, { weight: 1, arbitrary: fc.constant(absent) });
  });
  const odd = fc.constantFrom('pagee=1', 'x=1', '&&', '__proto__[x]=1').map((text) => ({ text, is_right: false }));
  const more = fc.oneof({ weight: 12, arbitrary: fc.constant(nothing) }, { weight: 1, arbitrary: odd });
  return fc.tuple(more, ...pairs).map((all) => {
    const text = all
      .map((one) => one.text)
      .filter((one) => one !== '')
      .join('&');
    return { text: text === '' ? '' : `?${text}`, is_right: all.every((one) => one.is_right) };
  });
}

/** Fields that must name something get a value that does, and events ids that no event before had. */
function withKnown(body: unknown, known: Record<string, string>): unknown {
  if (!isObject(body)) return body;
  const named =
    known['customer_id'] !== undefined && 'customer_id' in body ? { customer_id: known['customer_id'] } : {};
  const events = Array.isArray(body['events']) ? { events: body['events'].map(withNewId) } : {};
  return { ...withNewId(body), ...named, ...events };
}

/** Longest beginning that is kept of an id, which may have any signs. */
const KEPT = 60;
let ids = 0;

function withNewId(event: unknown): object {
  if (!isObject(event) || !('action' in event) || typeof event['event_id'] !== 'string') return event as object;
  ids += 1;
  return { ...event, event_id: `${[...event['event_id']].slice(0, KEPT).join('')}-${ids}` };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
