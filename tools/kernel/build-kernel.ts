/** Builds the kernel of the structural layer from its source. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import wabt from 'wabt';

const SOURCE = fileURLToPath(new URL('matrix.wat', import.meta.url));

/** The module's bytes in base64, from `tools/kernel/matrix.wat`. */
export async function buildKernel(): Promise<string> {
  const { parseWat } = await wabt();
  const module = parseWat('matrix.wat', readFileSync(SOURCE, 'utf8'), { simd: true });
  module.validate();
  return Buffer.from(module.toBinary({}).buffer).toString('base64');
}
