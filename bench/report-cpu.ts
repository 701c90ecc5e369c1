/** Preloaded into each measured server: answers every message of the benchmark with the processor time used so far. */
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.(user + system);
});
// The benchmark's channel must not keep a server alive that was told to stop.
process.channel?.unref();
// Nor must a server outlive a benchmark that was cut short.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
