/**
 * The roles of a process. Each role is a server or a worker over the same parts. A process runs one, some or all of them. Every role
 * keeps its state in the stores, so several of each can run side by side. To add a role, add it to the list.
 */

import type { Parts } from './compose.ts';
import { grpcMethods } from './doors/grpc/index.ts';
import { createGrpcServer } from './doors/grpc/server.ts';
import { authEndpoints } from './doors/manage/index.ts';
import { createManagementGate, orApiKey } from './doors/manage/management.ts';
import { health } from './doors/rest/health.ts';
import { apiEndpoints } from './doors/rest/index.ts';
import { startProjecting } from './engine/activity/project.ts';
import { startBatchWorker } from './engine/worker/score-batch.ts';
import { startExpiryWorker } from './holds/expire.ts';
import { startDropping } from './people/drop-over.ts';
import { orPerson } from './platform/caller.ts';
import type { PortBounds } from './platform/http/connections.ts';
import { closeServer, createServer, measureRequests, type Server } from './platform/http/http.ts';
import { metricsEndpoint } from './platform/http/metrics-endpoint.ts';
import { addDocumentation } from './platform/http/openapi.ts';
import { reachable } from './platform/http/own-address.ts';
import { addEndpoints } from './platform/http/routes.ts';
import type { Log } from './platform/log.ts';
import type { SettingName, Settings } from './platform/settings.ts';
import { VERSION } from './platform/version.ts';
import { startDeliveryWorker } from './webhooks/deliver.ts';
import { describeWebhooks } from './webhooks/event-types.ts';
import { createMailer } from './webhooks/mail.ts';
import { createSender } from './webhooks/send.ts';

export interface RoleParts extends Parts {
  /** Connections that each port of this process takes. */
  most_connections: number;
  /** What the auth service asks operators for; `null`: it trusts its network. */
  admin_key: string | null;
  /** Settles when the start is over: everything listens, and the keys of a first start are written. */
  started: Promise<void>;
}

export interface Role {
  name: 'api' | 'engine' | 'auth' | 'worker';
  /** Shown to people. */
  title: string;
  /** The setting that holds its port; `null` for a role without one. */
  port: PortSetting | null;
  /** It scores events. */
  scores: boolean;
  /** Rejects with the error of the socket when it cannot listen. */
  start: (parts: RoleParts, settings: Settings, log: Log) => Promise<Started>;
}

type PortSetting = SettingName & ('PORT' | 'GRPC_PORT' | 'AUTH_PORT');

interface Started {
  /** The prefix of its address: `http://` or empty. */
  scheme: string;
  /** The port in use; `null` without one. */
  port: number | null;
  /** Finishes requests in flight and ends, within about `drain_ms`. */
  stop(drain_ms: number): Promise<void>;
}

const api: Role = {
  name: 'api',
  title: 'scoring API',
  port: 'PORT',
  scores: true,
  start: async (parts, settings, log) => {
    const server = createServer(log, boundsOf('api', parts));
    await addDocumentation(server, {
      title: 'Weir scoring API',
      description: 'Scores the risk of what AI agents do, before they do it.',
      version: VERSION,
    });
    measureRequests(server, 'api', parts.metrics);
    addEndpoints(
      server,
      apiEndpoints(parts),
      { api_key: orPerson(parts.key_access.admit, parts.sessions.admit) },
      parts.intake,
    );
    const started = await listen(server, settings, 'PORT');
    const stop = (drain_ms: number): Promise<void> => {
      parts.waiting.release();
      parts.streams.release();
      return started.stop(drain_ms);
    };
    return { ...started, stop };
  },
};

const engine: Role = {
  name: 'engine',
  title: 'gRPC',
  port: 'GRPC_PORT',
  scores: true,
  start: async (parts, settings, log) => {
    const server = createGrpcServer({
      methods: grpcMethods(parts),
      admit: parts.key_access.admit,
      verify: parts.auth.verify,
      log,
      metrics: parts.metrics,
      intake: parts.intake,
      bounds: boundsOf('engine', parts),
    });
    const port = await server.listen(settings.HOST, settings.GRPC_PORT);
    return { scheme: '', port, stop: (drain_ms) => server.close(drain_ms) };
  },
};

const auth: Role = {
  name: 'auth',
  title: 'auth service',
  port: 'AUTH_PORT',
  scores: false,
  start: async (parts, settings, log) => {
    const management = createManagementGate({ ...settings, admin_key: parts.admin_key }, parts.clock);
    const server = createServer(log, boundsOf('auth', parts));
    await addDocumentation(server, {
      title: 'Weir auth service',
      description:
        'Management plane: tokens, signing keys, revocation, webhooks, API keys, audit. For a private network.',
      version: VERSION,
      webhooks: describeWebhooks(),
    });
    measureRequests(server, 'auth', parts.metrics);
    const endpoints = authEndpoints({
      ...parts,
      service_name: settings.AUTH_SERVICE_NAME,
    });
    addEndpoints(server, endpoints, { management: orApiKey(management, parts.key_access.admit, parts.sessions.admit) });
    const started = await listen(server, settings, 'AUTH_PORT');
    parts.address.listensOn(`http://${reachable(settings.HOST)}:${started.port}`);
    return started;
  },
};

/** Null where mail is not set up. */
function mailServer({ SMTP_URL, SMTP_FROM }: Settings): { url: string; from: string } | null {
  return SMTP_URL === null || SMTP_FROM === null ? null : { url: SMTP_URL, from: SMTP_FROM };
}

const worker: Role = {
  name: 'worker',
  title: 'worker',
  port: null,
  scores: true,
  start: async ({ storage, dispatch, evaluate_accepted, auth, metrics, graphs }, settings, log) => {
    const batches = startBatchWorker({
      queue: storage.queue,
      dispatch,
      evaluate: evaluate_accepted,
      log,
    });
    const messages = startDeliveryWorker({
      store: storage.webhooks,
      master_key: auth.master_key,
      sender: createSender({ allow_private: settings.WEBHOOK_ALLOW_PRIVATE }),
      mailer: createMailer(mailServer(settings)),
      log,
      onAttempt: (outcome) => metrics.deliveries.inc({ outcome }),
    });
    const expiry = startExpiryWorker({ holds: storage.holds, log });
    const dropping = startDropping(storage.people, log);
    const projecting = startProjecting({ graphs, source: storage.activity, log });
    const stop = async (drain_ms: number) =>
      void (await Promise.all([
        batches.stop(),
        messages.stop(drain_ms),
        expiry.stop(),
        dropping.stop(),
        projecting.stop(),
      ]));
    return { scheme: '', port: null, stop };
  },
};

export const roles: readonly Role[] = [api, engine, auth, worker];

/** Starts the server for metrics and health that runs beside all roles, for monitoring without access to other endpoints. */
export async function startMetrics(parts: RoleParts, settings: Settings, log: Log): Promise<{ url: string } & Started> {
  const server = createServer(quietly(log, 'metrics'), boundsOf('metrics', parts));
  addEndpoints(server, [metricsEndpoint(parts, 'public'), health(parts)], {});
  const started = await listen(server, settings, 'METRICS_PORT');
  return { ...started, url: `http://${reachable(settings.HOST)}:${started.port}` };
}

function boundsOf(port: Role['name'] | 'metrics', { most_connections, metrics }: RoleParts): PortBounds {
  return { most: most_connections, onCut: (reason) => metrics.cut.inc({ port, reason }) };
}

async function listen(
  server: Server,
  settings: Settings,
  name: 'PORT' | 'AUTH_PORT' | 'METRICS_PORT',
): Promise<Started> {
  try {
    await server.listen({ host: settings.HOST, port: settings[name] ?? 0 });
  } catch (error) {
    await server.close();
    throw error;
  }
  const address = server.server.address();
  const port = typeof address === 'object' && address !== null ? address.port : settings[name];
  return { scheme: 'http://', port, stop: (drain_ms) => closeServer(server, drain_ms) };
}

/** At `info` the framework would repeat the addresses that the start message shows. */
const quietly = (log: Log, role: Role['name'] | 'metrics'): Log =>
  log.child({ role }, { level: log.level === 'info' ? 'warn' : log.level });

export interface RunningRole {
  role: Role;
  /** Its address from this machine; `null` for a role without a port. */
  url: string | null;
  stop(drain_ms: number): Promise<void>;
}

/** Starts a role. Rejects with the error of the socket when it cannot listen. */
export async function startRole(role: Role, parts: RoleParts, settings: Settings, log: Log): Promise<RunningRole> {
  const { scheme, port, stop } = await role.start(parts, settings, quietly(log, role.name));
  return { role, url: port === null ? null : `${scheme}${reachable(settings.HOST)}:${port}`, stop };
}
