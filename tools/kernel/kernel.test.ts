import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytesOf, Kernel } from '../../src/scoring/network/kernel.ts';
import { KERNEL_BYTES } from '../../src/scoring/network/kernel-bytes.ts';
import { buildKernel } from './build-kernel.ts';

test('the committed bytes are those that the source builds', async () => {
  assert.equal(KERNEL_BYTES, await buildKernel());
});

test('base64 is decoded as the platform decodes it', () => {
  assert.deepEqual(bytesOf(KERNEL_BYTES), new Uint8Array(Buffer.from(KERNEL_BYTES, 'base64')));
});

test('the kernel multiplies with one rounding for each product and each sum', () => {
  const [n, k, m] = [3, 5, 32];
  const kernel = new Kernel(n * k + k * m + n * m + 64);
  const [x, w, y] = [kernel.take(n * k), kernel.take(k * m), kernel.take(n * m)];
  const value = (i: number): number => Math.fround(Math.sin(i * 12.9898) * 3);
  for (const [a, array] of [x, w, y].entries())
    for (let i = 0; i < array.length; i += 1) array[i] = value(i + 1_000 * a);
  const expected = Array.from(y, (start, at) => {
    const [row, column] = [Math.floor(at / m), at % m];
    let sum = start;
    for (let i = 0; i < k; i += 1) sum = Math.fround(sum + Math.fround(x[row * k + i]! * w[i * m + column]!));
    return sum;
  });
  kernel.multiplyAdd(x, w, y, n, k, m);
  assert.deepEqual([...y], expected);
});
