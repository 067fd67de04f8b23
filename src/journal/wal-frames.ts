import { existsSync, readFileSync, statSync } from 'node:fs';
import { uptime } from 'node:os';

/** What is wrong with a write-ahead log whose commits were on disk once. */
export type WalDamage = {
  /** Commits that SQLite would drop in silence. */
  readonly lostCommits: number;
  /** False when it may as well be a last commit that never was acknowledged. */
  readonly isCertain: boolean;
};

/** One frame of a write-ahead log: a page, and where its header stands. */
type Frame = { readonly at: number; readonly isCommit: boolean; readonly isSound: boolean };

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
const MAGIC_LITTLE_ENDIAN = 0x377f0682;
const MAGIC_BIG_ENDIAN = 0x377f0683;
const FORMAT = 3_007_000;
const PAGE_MIN_BYTES = 512;
const PAGE_DEFAULT_BYTES = 4_096;

/**
 * Finds commits that the log of the database at `path` held and that SQLite would not see any more,
 * because a byte before them has changed or the end was cut off; `undefined` when there are none.
 *
 * - Why: SQLite reads a log up to the first frame whose checksum is wrong. That is right for a tail
 *   that was never acknowledged, and drops everything behind one flipped bit.
 * - Shape: two witnesses. Frames of this log (its salts) behind the first wrong one; and the shared
 *   memory's count of frames, which SQLite sets after the fsync of a commit. A power cut may take the
 *   second with it, and with it the sign of a log that was cut off.
 * - Source: "Database File Format", sections 4.1–4.3, and "WAL-mode File Format", section 2.
 */
export function findWalDamage(path: string): WalDamage | undefined {
  const log = readLog(path);
  const witness = readWitness(path);
  const frames = log === undefined ? [] : readFrames(log);
  const firstWrong = frames.findIndex((frame) => !frame.isSound);
  const sound = firstWrong === -1 ? frames : frames.slice(0, firstWrong);
  const kept = log?.isHeaderSound ? sound.findLastIndex((frame) => frame.isCommit) + 1 : 0;
  const behind = frames.slice(kept).filter((frame) => frame.isCommit).length;
  const isOfThisLog = log === undefined || witness?.salts.equals(log.salts) === true;
  if (witness !== undefined && isOfThisLog && kept < witness.frames) {
    const isLost = kept + behind > 0 || witness.copied < witness.frames;
    return isLost ? { lostCommits: Math.max(behind, 1), isCertain: true } : undefined;
  }
  if (behind === 0 || (witness !== undefined && isOfThisLog && isOfThisBoot(path)))
    return undefined;
  return { lostCommits: behind, isCertain: behind > 1 };
}

/**
 * Whether the log was written since the machine started, so that the shared memory is as SQLite left it: it
 * knows of every commit that was acknowledged, and what lies behind these is what failed commits left.
 */
function isOfThisBoot(path: string): boolean {
  return statSync(`${path}-wal`).mtimeMs > Date.now() - uptime() * 1_000;
}

/**
 * The log of the database at `path` with every checksum made right again, so that SQLite takes all
 * of its frames, also those behind a damaged one; `undefined` when there is none. What the damaged
 * one holds must be checked by whoever reads it.
 */
export function readSealedAgain(path: string): Buffer | undefined {
  const log = readLog(path);
  if (log === undefined) return undefined;
  const { wal, salts } = log;
  let sums = checksum(wal, 0, 24, [0, 0]);
  writeSums(wal, 24, sums);
  for (const { at } of readFrames(log)) {
    salts.copy(wal, at + 8); // Should they be what was damaged.
    sums = checksum(wal, at, 8, sums);
    sums = checksum(wal, at + FRAME_HEADER_BYTES, log.pageSize, sums);
    writeSums(wal, at + 16, sums);
  }
  return wal;
}

type Log = {
  readonly wal: Buffer;
  readonly pageSize: number;
  readonly salts: Buffer;
  readonly isHeaderSound: boolean;
};

/** The log, its header mended when that is what was damaged; `undefined` when it holds no frame. */
function readLog(path: string): Log | undefined {
  if (!existsSync(`${path}-wal`)) return undefined;
  const wal = readFileSync(`${path}-wal`);
  if (wal.length < HEADER_BYTES + FRAME_HEADER_BYTES + PAGE_MIN_BYTES) return undefined;
  const isHeaderSound = hasSoundHeader(wal);
  if (!isHeaderSound) mendHeader(wal, path);
  const salts = Buffer.from(wal.subarray(16, 24));
  return { wal, pageSize: wal.readUInt32BE(8), salts, isHeaderSound };
}

function hasSoundHeader(wal: Buffer): boolean {
  const magic = wal.readUInt32BE(0);
  if (magic !== MAGIC_LITTLE_ENDIAN && magic !== MAGIC_BIG_ENDIAN) return false;
  const [a, b] = checksum(wal, 0, 24, [0, 0]);
  return a === wal.readUInt32BE(24) && b === wal.readUInt32BE(28);
}

/** As SQLite writes it on this machine; the salts are those of the frames. */
function mendHeader(wal: Buffer, path: string): void {
  const witness = readWitness(path);
  wal.writeUInt32BE(MAGIC_LITTLE_ENDIAN, 0);
  wal.writeUInt32BE(FORMAT, 4);
  wal.writeUInt32BE(readPageSize(path), 8);
  const salts = witness?.salts ?? wal.subarray(HEADER_BYTES + 8, HEADER_BYTES + 16);
  salts.copy(wal, 16);
  writeSums(wal, 24, checksum(wal, 0, 24, [0, 0]));
}

/** Of the database; 1 stands for 65,536. */
function readPageSize(path: string): number {
  const told = readFileSync(path).subarray(16, 18);
  const size = told.length === 2 ? told.readUInt16BE() : 0;
  if (size === 1) return 65_536;
  return size >= PAGE_MIN_BYTES && (size & (size - 1)) === 0 ? size : PAGE_DEFAULT_BYTES;
}

/** Frames up to the last one with this log's salts; those behind it are left from an older log. */
function readFrames({ wal, pageSize, salts }: Log): Frame[] {
  const frameBytes = FRAME_HEADER_BYTES + pageSize;
  const frames: Frame[] = [];
  let ofThisLog = 0;
  let before: Sums = [wal.readUInt32BE(24), wal.readUInt32BE(28)];
  for (let at = HEADER_BYTES; at + frameBytes <= wal.length; at += frameBytes) {
    const told: Sums = [wal.readUInt32BE(at + 16), wal.readUInt32BE(at + 20)];
    const isOfThisLog = wal.compare(salts, 0, 8, at + 8, at + 16) === 0;
    const found = isOfThisLog
      ? checksum(wal, at + FRAME_HEADER_BYTES, pageSize, checksum(wal, at, 8, before))
      : before;
    const isSound = isOfThisLog && found[0] === told[0] && found[1] === told[1];
    frames.push({ at, isCommit: wal.readUInt32BE(at + 4) !== 0, isSound });
    if (isOfThisLog) ofThisLog = frames.length;
    before = told;
  }
  return frames.slice(0, ofThisLog);
}

type Sums = readonly [number, number];

/** SQLite's sum over words of 32 bits, in the byte order that the log's magic number names. */
function checksum(wal: Buffer, from: number, length: number, [first, second]: Sums): Sums {
  const isLittle = wal.readUInt32BE(0) === MAGIC_LITTLE_ENDIAN;
  const view = new DataView(wal.buffer, wal.byteOffset + from, length);
  let [a, b] = [first, second];
  for (let at = 0; at < length; at += 8) {
    a = (a + view.getUint32(at, isLittle) + b) >>> 0;
    b = (b + view.getUint32(at + 4, isLittle) + a) >>> 0;
  }
  return [a, b];
}

function writeSums(wal: Buffer, at: number, [a, b]: Sums): void {
  wal.writeUInt32BE(a, at);
  wal.writeUInt32BE(b, at + 4);
}

/** Frames that were committed and fsynced, and how many of them are in the database's own file. */
type Witness = { readonly frames: number; readonly copied: number; readonly salts: Buffer };

const INDEX_HEADER_BYTES = 48;

/** What the shared memory beside the log says; nothing when it is not whole. */
function readWitness(path: string): Witness | undefined {
  if (!existsSync(`${path}-shm`)) return undefined;
  const index = readFileSync(`${path}-shm`);
  if (index.length < 2 * INDEX_HEADER_BYTES + 4 || index[12] === 0) return undefined;
  const [first, second] = [index.subarray(0, INDEX_HEADER_BYTES), index.subarray(48, 96)];
  if (!first.equals(second)) return undefined;
  const salts = Buffer.from(index.subarray(32, 40));
  return { frames: index.readUInt32LE(16), copied: index.readUInt32LE(96), salts };
}
