/**
 * Preloaded into each measured server: answers `cpu` with the processor time used so far, in µs, and `heap` with the bytes
 * that are alive (after a collection where the server was started with `--expose-gc`).
 */
process.on('message', (message) => {
  if (message === 'heap') {
    globalThis.gc?.();
    process.send?.(process.memoryUsage().heapUsed);
    return;
  }
  const { user, system } = process.cpuUsage();
  process.send?.(user + system);
});
// The benchmark's channel must not keep a server alive that was told to stop.
process.channel?.unref();
// Nor must a server outlive a benchmark that was cut short.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
