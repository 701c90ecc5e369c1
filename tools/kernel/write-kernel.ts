/** `npm run kernel`: writes the kernel's bytes where the engine reads them. */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildKernel } from './build-kernel.ts';

const TARGET = fileURLToPath(new URL('../../src/scoring/network/kernel-bytes.ts', import.meta.url));

const lines = (await buildKernel()).match(/.{1,100}/g) ?? [];
const text = lines.map((line) => `  '${line}',`).join('\n');
writeFileSync(
  TARGET,
  `/** Made by \`npm run kernel\` from tools/kernel/matrix.wat; do not edit. A WebAssembly module in base64. */\nexport const KERNEL_BYTES = [\n${text}\n].join('');\n`,
);
