/**
 * The matrix kernel: y += x · w on 32-bit floats, as WebAssembly with SIMD. Its source is `tools/kernel/matrix.wat`.
 *
 * Training and inference run the same bytes, so that a score is equal on every machine. There is no second path: sums in
 * another order or precision would differ in the last digits and could move a score by a point.
 */
import { KERNEL_BYTES } from './kernel-bytes.ts';

/** What of WebAssembly is used here; the pure rooms are compiled without the types of a host. */
interface Wasm {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object) => { exports: unknown };
}
declare const WebAssembly: Wasm;

interface Exports {
  memory: { readonly buffer: ArrayBuffer; grow: (pages: number) => number };
  multiply_add: (x: number, w: number, y: number, n: number, k: number, m: number) => void;
}

const PAGE = 65_536;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Decodes base64 without a host's function. */
export function bytesOf(base64: string): Uint8Array {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  const length = Math.floor(((base64.length - padding) * 3) / 4);
  const bytes = new Uint8Array(length);
  let held = 0;
  let bits = 0;
  let at = 0;
  for (let i = 0; i < base64.length && at < length; i += 1) {
    held = ((held << 6) | ALPHABET.indexOf(base64.charAt(i))) & 0xffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes[at] = (held >> bits) & 0xff;
    at += 1;
  }
  return bytes;
}

/** One kernel with a memory of its own. Arrays are taken from it once and live as long as it. */
export class Kernel {
  readonly #exports: Exports;
  #used = 0;

  /** `floats`: how many 32-bit floats `take` will hand out in all. */
  constructor(floats: number) {
    const instance = new WebAssembly.Instance(new WebAssembly.Module(bytesOf(KERNEL_BYTES)));
    this.#exports = instance.exports as Exports;
    const { memory } = this.#exports;
    const pages = Math.ceil((floats * 4 + PAGE) / PAGE) - memory.buffer.byteLength / PAGE;
    if (pages > 0) memory.grow(pages);
  }

  /** An array in the kernel's memory, all zero. */
  take(length: number): Float32Array {
    const array = new Float32Array(this.#exports.memory.buffer, this.#used, length);
    // 16 bytes, the width of a SIMD register.
    this.#used += Math.ceil(length / 4) * 16;
    return array;
  }

  /** Frees everything that was taken since `mark`. */
  release(mark: number): void {
    this.#used = mark;
  }
  get mark(): number {
    return this.#used;
  }

  /** `y += x · w`; x is n × k, w is k × m, y is n × m, m a multiple of 16, all from `take` of this kernel. */
  multiplyAdd(x: Float32Array, w: Float32Array, y: Float32Array, n: number, k: number, m: number): void {
    this.#exports.multiply_add(x.byteOffset, w.byteOffset, y.byteOffset, n, k, m);
  }

  /** The same for one row: of `x` and `y` those that begin at these indices. */
  multiplyAddRow(
    x: Float32Array,
    x_from: number,
    w: Float32Array,
    y: Float32Array,
    y_from: number,
    k: number,
    m: number,
  ): void {
    this.#exports.multiply_add(x.byteOffset + 4 * x_from, w.byteOffset, y.byteOffset + 4 * y_from, 1, k, m);
  }
}
