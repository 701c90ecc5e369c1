/** Ends an embedded server the hard way, all its processes at once, as a power cut would. For tests only. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export function killServer(data_dir: string): void {
  const pid = serverPid(data_dir);
  for (const each of [pid, ...childrenOf(pid)]) {
    try {
      process.kill(each, 'SIGKILL');
    } catch {
      // It ended between being listed and being killed.
    }
  }
}

/** Process id in the pid file. */
export function serverPid(data_dir: string): number {
  return Number.parseInt(readFileSync(join(data_dir, 'postgres/postmaster.pid'), 'utf8'), 10);
}

function childrenOf(pid: number): number[] {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger);
  return pids.filter((each) => parentOf(each) === pid);
}

function parentOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in brackets may hold spaces; state and parent follow it.
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return 0;
  }
}
