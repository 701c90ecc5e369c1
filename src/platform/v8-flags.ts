/**
 * How V8 runs the program. Code that was compiled under other flags is compiled anew, so that whatever shares a cache of compiled
 * code with it has to set the same ones.
 */
export const V8_FLAGS: readonly string[] = [
  // Objects that a busy start allocates live long, because everything is slow then. V8 would conclude that such objects always do, and
  // allocate them in old space from that point on, where only a full collection frees them: a fifth of the processor time
  // (docs/decisions/0018-no-pretenuring.md).
  '--no-allocation-site-pretenuring',
  // V8 would translate a regular expression first for its interpreter, which costs more than the machine code that follows at the
  // second use. Both come within a start: 50 ms of a processor.
  '--no-regexp-tier-up',
];
