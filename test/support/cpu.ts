/**
 * Milliseconds of processor time that `work` takes this thread. What else runs on the machine does not count, so that a bound
 * far above what it takes is passed or missed by the input and not by luck.
 */
export async function cpuMs(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}
