/** A scoring thread for tests: the real one, but it dies over the action `test:thread:die` and hangs over `test:thread:hang`. */
const parse = JSON.parse;
/** Most of the time in which it counts as hung is spent asleep: a loop would take all of a processor from the tests beside it. */
const ASLEEP_MS = 4_000;
const asleep = new Int32Array(new SharedArrayBuffer(4));

function hang(): never {
  Atomics.wait(asleep, 0, 0, ASLEEP_MS);
  for (;;);
}

// The real thread parses the event of the task that it is at.
JSON.parse = ((text: string, ...rest: []) => {
  if (text.includes('"test:thread:die"')) process.exit(1);
  if (text.includes('"test:thread:hang"')) hang();
  return parse(text, ...rest) as unknown;
}) as typeof JSON.parse;
await import('../../src/engine/making/threads/thread.ts');
