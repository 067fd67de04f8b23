import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

type FileBytes = {
  /** Acts like a read-only Buffer of the whole file. */
  readonly bytes: Buffer;
  close(): void;
};

const BLOCK_BYTES = 4_096;
/** 4 MB of a file of more than 100 MB: enough to cache the upper levels of the search tree. */
const BLOCKS_MAX = 1_024;
/** Longest number in the format. */
const NUMBER_BYTES_MAX = 16;

/**
 * Opens a file that reads like a Buffer without being in memory. Blocks are read on first access, and
 * the oldest are evicted.
 *
 * - Why: a location database has 130 MB, of which a lookup touches a few dozen blocks. The operating
 *   system caches frequently used blocks.
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

  /** A Buffer method that reads a number, applied to only the bytes it needs. */
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
