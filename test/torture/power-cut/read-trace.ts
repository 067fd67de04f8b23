import { readFileSync } from 'node:fs';

/** A process's operation on a file, as written by record-calls.c; paths are below the folder. */
export type Call =
  | { readonly kind: 'open'; readonly inode: bigint; readonly path: string; readonly cuts: boolean }
  | {
      readonly kind: 'write';
      readonly inode: bigint;
      readonly offset: number;
      readonly bytes: Buffer;
    }
  | { readonly kind: 'truncate'; readonly inode: bigint; readonly sizeBytes: number }
  | { readonly kind: 'sync' | 'datasync'; readonly inode: bigint }
  | {
      readonly kind: 'rename' | 'link';
      readonly from: string;
      readonly to: string;
      readonly swaps: boolean;
    }
  | { readonly kind: 'remove' | 'mkdir'; readonly path: string }
  | { readonly kind: 'symlink'; readonly path: string; readonly target: string }
  | { readonly kind: 'other'; readonly what: string };

/** A call, and the trace's length once it was done. */
export type TracedCall = Call & { readonly endsAt: number };

const MAGIC = 0x54554331;
const HEADER_BYTES = 32;
const RENAME_EXCHANGE = 2n;

/** The calls of the trace at `path`, in the order of execution. */
export function readTrace(path: string): TracedCall[] {
  const bytes = readFileSync(path);
  const calls: TracedCall[] = [];
  for (let at = 0; at + HEADER_BYTES <= bytes.length; ) {
    if (bytes.readUInt32LE(at) !== MAGIC) throw new Error(`the trace is torn at byte ${at}`);
    const pathAt = at + HEADER_BYTES;
    const otherAt = pathAt + bytes.readUInt32LE(at + 24);
    const endsAt = otherAt + bytes.readUInt32LE(at + 28);
    if (endsAt > bytes.length) break; // Its process was killed while writing it.
    const call = toCall(
      bytes.readUInt32LE(at + 4),
      bytes.readBigUInt64LE(at + 8),
      bytes.readBigUInt64LE(at + 16),
      bytes.toString('utf8', pathAt, otherAt),
      bytes.subarray(otherAt, endsAt),
    );
    calls.push({ ...call, endsAt });
    at = endsAt;
  }
  return calls;
}

function toCall(kind: number, inode: bigint, offset: bigint, path: string, other: Buffer): Call {
  switch (kind) {
    case 1:
      return { kind: 'open', inode, path, cuts: offset === 1n };
    case 2:
      return { kind: 'write', inode, offset: Number(offset), bytes: other };
    case 3:
      return { kind: 'truncate', inode, sizeBytes: Number(offset) };
    case 4:
      return { kind: 'sync', inode };
    case 5:
      return { kind: 'datasync', inode };
    case 6:
    case 9: {
      const swaps = (offset & RENAME_EXCHANGE) !== 0n;
      return { kind: kind === 6 ? 'rename' : 'link', from: path, to: other.toString(), swaps };
    }
    case 7:
      return { kind: 'remove', path };
    case 8:
      return { kind: 'mkdir', path };
    case 10:
      return { kind: 'symlink', path, target: other.toString() };
    default:
      return { kind: 'other', what: `${other} ${path}` };
  }
}
