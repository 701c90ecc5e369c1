/**
 * A process that opens the embedded store in argv[2], says `open`, and closes it when its input ends.
 * Tests kill it, or run it beside another.
 */
import { openEmbedded } from '../../src/storage/embedded/index.ts';
import { WIDE_LIMITS } from '../support/wide-limits.ts';

const storage = await openEmbedded(process.argv[2]!, WIDE_LIMITS);
console.log('open');
process.stdin.resume();
process.stdin.once('end', async () => {
  await storage.close();
  console.log('closed');
});
