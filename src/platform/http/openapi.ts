/** The OpenAPI 3.1 document and its page, made from the same endpoint values as the routes. Works without a network. */
import { fastifySwagger } from '@fastify/swagger';
import { fastifySwaggerUi } from '@fastify/swagger-ui';
import type { FastifySchema } from 'fastify';
import { type TSchema, Type } from 'typebox';
import { type ErrorCode, errorTable } from '../errors.ts';
import type { Access, Endpoint } from './endpoint.ts';
import type { Server } from './http.ts';
import type { Parameters } from './parameters.ts';

export interface DocumentInfo {
  title: string;
  description: string;
  version: string;
  /** The section `webhooks`: messages that the service sends, by type. */
  webhooks?: Record<string, object>;
}

const problemSchema = Type.Object(
  {
    type: Type.String({ description: 'URN that names the kind of error' }),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String({ description: 'what went wrong and what to do, for people' }),
    request_id: Type.String({ description: 'identifies this request in the log; also in the `x-request-id` header' }),
    errors: Type.Optional(
      Type.Array(
        Type.Object({
          path: Type.String({ description: 'JSON pointer into the body, or the name of the parameter' }),
          message: Type.String(),
        }),
      ),
    ),
  },
  { description: 'Problem details (RFC 9457)' },
);

/** The page loads nothing from other origins. It sets its own inline styles. */
const PAGE_POLICY =
  "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; object-src 'none'; base-uri 'self'; frame-ancestors 'none'";

/**
 * Registers the document and its page. Call it before the endpoints are added; later ones are included, earlier ones
 * are not.
 */
export async function addDocumentation(server: Server, { webhooks, ...info }: DocumentInfo): Promise<void> {
  await server.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.0',
      info: { ...info, license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' } },
      // The address at which the document was fetched.
      servers: [{ url: '/', description: 'this service' }],
      ...(webhooks !== undefined && { webhooks }),
      components: {
        securitySchemes: {
          api_key: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
          token: {
            type: 'http',
            scheme: 'bearer',
            description: 'a token of an agent, a subagent or a session, beside the API key',
          },
          management: { type: 'http', scheme: 'bearer', description: 'the admin key' },
          session: { type: 'apiKey', in: 'cookie', name: 'weir_session', description: 'of a person who signed in' },
          csrf: {
            type: 'apiKey',
            in: 'header',
            name: 'X-CSRF-Token',
            description: 'the `csrf_token` of the session, for requests that change something',
          },
        },
      },
    },
  });
  await server.register(fastifySwaggerUi, {
    routePrefix: '/docs',
    staticCSP: PAGE_POLICY,
    uiConfig: { deepLinking: true, tryItOutEnabled: true },
  });
  server.get('/openapi.json', { schema: { hide: true } }, async () => mergeTwins(server.swagger() as OpenApiDocument));
}

interface DocumentedOperation {
  parameters?: { name: string; in: string; description?: string }[];
}

interface OpenApiDocument {
  paths: Record<string, Record<string, DocumentedOperation>>;
}

/**
 * Paths that differ by the names of their parameters alone, such as `GET /api-keys/{customer_id}` and
 * `DELETE /api-keys/{key_id}`, are one path in OpenAPI (3.1, «Paths Object»): its parameter is `id`, and says whose.
 */
export function mergeTwins<D extends OpenApiDocument>(document: D): D {
  const shapeOf = (path: string): string => path.replaceAll(/\{\w+\}/g, '{id}');
  const paths: OpenApiDocument['paths'] = {};
  for (const [shape, twins] of Map.groupBy(Object.entries(document.paths), ([path]) => shapeOf(path)).entries()) {
    const [[path, methods]] = twins as [(typeof twins)[number]];
    if (twins.length === 1) paths[path] = methods;
    else paths[shape] = Object.assign({}, ...twins.map(([, one]) => withNeutralNames(one)));
  }
  return { ...document, paths };
}

function withNeutralNames(methods: Record<string, DocumentedOperation>): Record<string, DocumentedOperation> {
  const rename = (operation: DocumentedOperation): DocumentedOperation => ({
    ...operation,
    parameters: (operation.parameters ?? []).map((one) =>
      one.in === 'path' ? { ...one, name: 'id', description: `the \`${one.name}\`` } : one,
    ),
  });
  return Object.fromEntries(Object.entries(methods).map(([method, operation]) => [method, rename(operation)]));
}

const accessErrors: Record<Access, readonly ErrorCode[]> = {
  public: [],
  api_key: ['unauthenticated', 'rate_limited', 'unavailable'],
  management: ['unauthenticated', 'forbidden', 'rate_limited', 'unavailable'],
};

const bodyErrors: readonly ErrorCode[] = ['invalid', 'overloaded', 'too_large', 'unsupported_media_type'];

/** The part of a route that goes into the document. Nothing here validates. */
export function describeEndpoint(endpoint: Endpoint): FastifySchema {
  const names = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  return {
    operationId: endpoint.operation,
    summary: endpoint.summary,
    tags: [endpoint.tag],
    response: describeAnswers(endpoint, names),
    ...(endpoint.description !== undefined && { description: endpoint.description }),
    security: securityOf(endpoint),
    ...(endpoint.body !== undefined && { body: endpoint.body.schema }),
    ...(names.length > 0 && { params: Type.Object(Object.fromEntries(names.map((name) => [name, segment(name)]))) }),
    ...(endpoint.headers !== undefined && { headers: describeHeaders(endpoint.headers) }),
    ...(endpoint.query !== undefined && { querystring: describeParameters(endpoint.query) }),
  };
}

/** One of these alternatives is required; all names of an alternative are required together. */
function securityOf({ access, scope, method, takes_token = false }: Endpoint): Record<string, string[]>[] {
  if (access === 'public') return [];
  // The operator's own endpoints have no scope.
  const of_person = scope === undefined ? [] : [{ session: [], ...(method !== 'GET' && { csrf: [] }) }];
  if (access === 'management')
    return [{ management: [] }, ...(scope === undefined ? [] : [{ api_key: [] }]), ...of_person];
  return [{ api_key: [] }, ...(takes_token ? [{ api_key: [], token: [] }] : []), ...of_person];
}

function segment(name: string): TSchema {
  return name === 'customer_id' ? Type.String({ format: 'uuid' }) : Type.String({ minLength: 1 });
}

function describeHeaders(headers: Record<string, TSchema>): TSchema {
  return Type.Partial(Type.Object(headers));
}

function describeParameters(parameters: Parameters): TSchema {
  const properties = Object.entries(parameters).map(([name, one]) => [
    name,
    one.is_required ? one.schema : Type.Optional(one.schema),
  ]);
  return Type.Object(Object.fromEntries(properties));
}

function describeAnswers(endpoint: Endpoint, names: string[]): Record<number, unknown> {
  const codes = new Set<ErrorCode>([
    ...accessErrors[endpoint.access],
    ...(endpoint.body === undefined ? [] : bodyErrors),
    // Unknown query parameters, and text in the path that no store takes.
    ...(endpoint.access === 'public' && endpoint.query === undefined ? [] : (['invalid'] as const)),
    ...(endpoint.scope === undefined ? [] : (['forbidden'] as const)),
    ...(names.includes('customer_id') ? (['invalid', 'forbidden'] as const) : []),
    ...(endpoint.errors ?? []),
  ]);
  const failures = [...codes].map((code) => [
    errorTable[code].status,
    { description: errorTable[code].text, content: { 'application/problem+json': { schema: problemSchema } } },
  ]);
  const successes = Object.entries(endpoint.answers).map(
    ([status, { description, schema, content_type = 'application/json' }]) => [
      status,
      { description, content: { [content_type]: { schema } } },
    ],
  );
  return Object.fromEntries([...successes, ...failures]);
}
