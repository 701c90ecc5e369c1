/**
 * Milliseconds of processor time that `work` takes this thread. What else runs on the machine does not count, so that a bound
 * far above what it takes is passed or missed by the input and not by luck.
 */
export function cpuMs(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}
