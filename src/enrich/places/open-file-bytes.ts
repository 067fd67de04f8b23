import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** A file's bytes, read where they are looked at. */
export type FileBytes = {
  /** Reads like a Buffer of the whole file; only its reading methods are there. */
  readonly bytes: Buffer;
  close(): void;
};

const BLOCK_BYTES = 4_096;
/** Four megabytes of a file of some hundred: the upper levels of a search tree stay. */
const BLOCKS_MAX = 1_024;
/** No number is longer. */
const NUMBER_BYTES_MAX = 16;

/**
 * A file that reads like a Buffer without being in memory: blocks come from the file as they are
 * touched, and the oldest go when there are too many.
 *
 * - Why: a database of places has 130 megabytes, of which a look-up touches some dozen blocks; the
 *   operating system keeps those that are asked for often.
 * - Throws as the file system does.
 */
export function openFileBytes(path: string): FileBytes {
  const file = openSync(path, 'r');
  const length = fstatSync(file).size;
  const blocks = new Map<number, Buffer>();

  function blockAt(number: number): Buffer {
    const known = blocks.get(number);
    if (known !== undefined) return known;
    const block = Buffer.alloc(BLOCK_BYTES);
    readSync(file, block, 0, BLOCK_BYTES, number * BLOCK_BYTES);
    const [oldest] = blocks.keys();
    if (blocks.size >= BLOCKS_MAX && oldest !== undefined) blocks.delete(oldest);
    blocks.set(number, block);
    return block;
  }

  function byteAt(offset: number): number | undefined {
    if (offset < 0 || offset >= length) return undefined;
    return blockAt(Math.floor(offset / BLOCK_BYTES))[offset % BLOCK_BYTES];
  }

  function slice(from: number, to: number): Buffer {
    const first = Math.floor(from / BLOCK_BYTES);
    const startsAt = first * BLOCK_BYTES;
    if (to - startsAt <= BLOCK_BYTES)
      return blockAt(first).subarray(from - startsAt, to - startsAt);
    const bytes = Buffer.alloc(Math.max(0, Math.min(to, length) - from));
    readSync(file, bytes, 0, bytes.length, from);
    return bytes;
  }

  /** A number's method of Buffer, at home in the few bytes that it reads. */
  function numberAt(method: string) {
    return (offset: number, byteLength?: number) => {
      const bytes = slice(offset, offset + NUMBER_BYTES_MAX);
      const read = Reflect.get(bytes, method) as (at: number, byteLength?: number) => number;
      return read.call(bytes, 0, byteLength);
    };
  }

  const members = new Map<string, unknown>([
    ['length', length],
    ['subarray', slice],
    ['toString', (as: BufferEncoding, from: number, to: number) => slice(from, to).toString(as)],
  ]);
  const bytes = new Proxy(Buffer.alloc(0), {
    get(_, key) {
      if (typeof key !== 'string') return undefined;
      const isIndex = key.charCodeAt(0) <= 0x39;
      if (isIndex) return byteAt(Number(key));
      if (!members.has(key)) members.set(key, numberAt(key));
      return members.get(key);
    },
  });
  return { bytes, close: () => closeSync(file) };
}
