/**
 * What a process can be. Each role is a server over the same parts; a process runs one, some or all, and every role
 * keeps its state in the stores, so that several of each can run side by side. To add a role, add it to the list.
 */
import { apiEndpoints } from './api/index.ts';
import { authEndpoints } from './auth/endpoints/index.ts';
import { createManagementGate } from './auth/management.ts';
import type { Parts } from './compose.ts';
import { closeServer, createServer, type Server } from './platform/http.ts';
import type { Log } from './platform/log.ts';
import { addDocumentation } from './platform/openapi.ts';
import { addEndpoints } from './platform/routes.ts';
import type { SettingName, Settings } from './platform/settings.ts';

export interface Role {
  name: 'api' | 'auth';
  /** For people. */
  title: string;
  /** The setting that holds its port. */
  port: SettingName & ('PORT' | 'AUTH_PORT');
  /** A server that is ready to listen. */
  build: (parts: Parts, settings: Settings, log: Log) => Promise<Server>;
}

const VERSION = '0.1.0';

const api: Role = {
  name: 'api',
  title: 'scoring API',
  port: 'PORT',
  build: async (parts, _settings, log) => {
    const server = createServer(log);
    await addDocumentation(server, {
      title: 'Weir scoring API',
      description: 'Scores the risk of what AI agents do, before they do it.',
      version: VERSION,
    });
    addEndpoints(server, apiEndpoints(parts), { api_key: parts.key_access.admit });
    return server;
  },
};

const auth: Role = {
  name: 'auth',
  title: 'auth service',
  port: 'AUTH_PORT',
  build: async (parts, settings, log) => {
    const management = createManagementGate(settings);
    const server = createServer(log);
    await addDocumentation(server, {
      title: 'Weir auth service',
      description: 'Management plane: API keys. For a private network.',
      version: VERSION,
    });
    const endpoints = authEndpoints({ api_keys: parts.api_keys, service_name: settings.AUTH_SERVICE_NAME });
    addEndpoints(server, endpoints, { management });
    return server;
  },
};

export const roles: readonly Role[] = [api, auth];

export interface RunningRole {
  role: Role;
  /** Where to reach it from this machine. */
  url: string;
  stop(drain_ms: number): Promise<void>;
}

/** Builds a role and listens on its port. Rejects with the error of the socket when it cannot. */
export async function startRole(role: Role, parts: Parts, settings: Settings, log: Log): Promise<RunningRole> {
  // At `info` the framework repeats the addresses that the welcome shows.
  const quiet = log.child({ role: role.name }, { level: log.level === 'info' ? 'warn' : log.level });
  const server = await role.build(parts, settings, quiet);
  try {
    await server.listen({ host: settings.HOST, port: settings[role.port] });
  } catch (error) {
    await server.close();
    throw error;
  }
  const address = server.server.address();
  const port = typeof address === 'object' && address !== null ? address.port : settings[role.port];
  return { role, url: `http://${reachable(settings.HOST)}:${port}`, stop: (drain_ms) => closeServer(server, drain_ms) };
}

/** The unspecified addresses are for binding; one calls the machine itself. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
