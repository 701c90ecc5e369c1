/**
 * A server in the host process of this test process (`host-child.ts`), with a data directory and settings of its own. For tests that
 * look at what it answers: neither at its process, nor at limits of one, nor at what it does on a signal.
 */
import { rmSync } from 'node:fs';
import { after } from 'node:test';
import { fillDataDir } from './embedded-template.ts';
import { hostLog, inHost, isHostRunning } from './host.ts';
import { type AnyWeir, placeIn, type StartOptions, serverEnvironment, temporaryDirectory } from './weir.ts';

export interface HostedWeir extends AnyWeir {
  /** What the host has logged since the start of this server: also of others that run meanwhile. */
  stderr(): string;
  /** In order, as on SIGTERM. The data directory stays when it was given. */
  stop(): Promise<void>;
}

const running = new Set<HostedWeir>();
after(async () => {
  for (const weir of running) await weir.stop();
});

/** Starts a server in the host and waits until it listens. Rejects with the error of the start. */
export async function startHostedWeir(
  options: Pick<StartOptions, 'env' | 'data_dir' | 'roles'> = {},
): Promise<HostedWeir> {
  const data_dir = options.data_dir ?? temporaryDirectory();
  if (options.env?.['DATABASE_URL'] === undefined) await fillDataDir(data_dir);
  const logged = hostLog().length;
  const env = serverEnvironment(data_dir, options.env ?? {});
  const { server, stdout } = await inHost('serve', { env, roles: options.roles });
  const weir: HostedWeir = {
    ...placeIn(stdout, data_dir),
    stdout: () => stdout,
    stderr: () => hostLog().slice(logged),
    isRunning: isHostRunning,
    stop: async () => {
      if (!running.delete(weir)) return;
      if (isHostRunning()) await inHost('stop', { server });
      if (options.data_dir === undefined) rmSync(data_dir, { recursive: true, force: true });
    },
  };
  running.add(weir);
  return weir;
}
