/** A scoring thread for tests: the real one, but it dies over the action `test:thread:die` and hangs over `test:thread:hang`. */
const parse = JSON.parse;
// The real thread parses the event of the task that it is at.
JSON.parse = ((text: string, ...rest: []) => {
  if (text.includes('"test:thread:die"')) process.exit(1);
  if (text.includes('"test:thread:hang"')) for (;;);
  return parse(text, ...rest) as unknown;
}) as typeof JSON.parse;
await import('../../src/engine/making/threads/thread.ts');
