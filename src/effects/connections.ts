/**
 * A shell that gets no commands from this code gets them from somebody else: where the same code also opens a connection,
 * from its other end. This holds in every language, however the two are joined: by descriptors, pipes, threads or loops.
 */
import { HOLE } from './data.ts';
import { hostOf, isLoopback } from './hosts.ts';
import type { World } from './world.ts';

/** Notes a connection that the code opens. `host` may be unknown. */
export function openConnection(w: World, host: string, excerpt: string): void {
  w.noteHost(hostOf(host));
  w.sockets.add(host);
  if (isLoopback(hostOf(host))) return;
  w.connection ||= excerpt;
  joinShell(w, host);
}

/** Notes a shell that is started without a command, a script or an input. */
export function startShell(w: World, excerpt: string): void {
  w.open_shells++;
  w.open_shell ||= excerpt;
  joinShell(w, [...w.sockets].find((host) => !isLoopback(hostOf(host))) ?? '');
}

function joinShell(w: World, host: string): void {
  if (w.connection === '' || w.open_shell === '') return;
  w.add('opens_channel', 'one', host === '' || host === HOLE ? 'connection' : host, w.connection);
}
