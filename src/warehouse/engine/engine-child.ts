import { existsSync, globSync, mkdirSync, rmSync, statfsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { EMBEDDED_DATABASE } from '../client.ts';
import { QUERIES_MAX } from '../engine-memory.ts';
import { ROOM_BYTES } from '../tables/apply-schema.ts';
import { createPartsCheck } from './check-new-parts.ts';
import { endAtOnce, endWithParent } from './end-with-parent.ts';
import { createEngineFace } from './engine-face.ts';
import { forgetUnwrittenParts, hasUnwrittenParts } from './forget-unwritten-parts.ts';
import { openEngine } from './open-engine.ts';
import { takeProcessLock } from './process-lock.ts';
import { watchFullDisk } from './watch-full-disk.ts';

/**
 * The embedded engine's own process: `node engine-child.ts DATA_PATH SOCKET_PATH [MEMORY_BYTES]`.
 *
 * It sends `ready` to its parent, with the broken parts that it found at this start, ends cleanly on SIGTERM, and never closes the engine under a running
 * statement (that aborts it). Its sender insists when that takes long. When the parent is
 * gone it lets statements end that end soon, and no more, as the next engine waits for the files.
 */
const whenParentIsGone = endWithParent();
const [dataPath, socketPath, memoryBytes] = process.argv.slice(2);
if (dataPath === undefined || socketPath === undefined) {
  throw new Error('usage: engine-child DATA_PATH SOCKET_PATH [MEMORY_BYTES]');
}

/** Longer than an engine without a parent takes to end. */
const LAST_END_MAX_MS = 2_000;

mkdirSync(dataPath, { recursive: true });
mkdirSync(dirname(socketPath), { recursive: true, mode: 0o700 });
holdData(dataPath);
rmSync(socketPath, { force: true });
forgetUnwrittenParts(dataPath);
assertRoomForFirst(dataPath);

const putAwayBefore = new Set(findPutAway());
const startedAt = Date.now();
const openOneMore = () =>
  openEngine(dataPath, memoryBytes === undefined ? undefined : Number(memoryBytes));
const engine = await openOneMore();
const pulse = await openOneMore();
const lookups = await openOneMore();
const queries = await Promise.all(Array.from({ length: QUERIES_MAX }, openOneMore));
const face = createEngineFace({ writes: [engine], lookups: [lookups], queries }, pulse, {
  folder: dirname(socketPath),
  // A failed insert that left its token behind is repeated in vain until the log is mended.
  async onInsertFailed(ask) {
    fullDisk.doubt();
    const isUncertain = await hasUnwrittenParts(ask).catch(() => true);
    if (isUncertain) endAtOnce(); // The parent starts another one, as after a crash.
  },
  onStall: endAtOnce,
});
const partsCheck = createPartsCheck(face.ask, startedAt);
const fullDisk = watchFullDisk(dataPath, async () => {
  const broken = await partsCheck.findBroken().catch(() => []);
  // It takes what they were made of when it starts.
  if (broken.length > 0) process.send?.({ kind: 'broken', parts: broken }, endAtOnce);
});
face.server.keepAliveTimeout = 60_000;
face.server.requestTimeout = 0;
face.server.listen(socketPath, () => {
  const brokenParts = findPutAway().filter((part) => !putAwayBefore.has(part));
  process.send?.({ kind: 'ready', brokenParts: brokenParts.map((part) => basename(part)) });
});

/** The folders of parts that the engine found broken when it started, at any time. */
function findPutAway(): string[] {
  return globSync('store/*/*/detached/broken*', { cwd: dataPath });
}

/**
 * Until this process ends. The engine's own lock would come too late: by then the socket of one that
 * still ends is gone, and its logs of tokens are mended under it.
 */
function holdData(path: string): void {
  if (takeProcessLock(`${path}.lock`, LAST_END_MAX_MS) !== undefined) return;
  throw new Error('Another engine still has the data.');
}

/** A database that is made on a full disk could never be opened again; the parent tries once more. */
function assertRoomForFirst(path: string): void {
  if (existsSync(join(path, 'metadata', `${EMBEDDED_DATABASE}.sql`))) return;
  const { bavail, bsize } = statfsSync(path);
  if (bavail * bsize < ROOM_BYTES) throw new Error('The disk is full.');
}

let ending = false;
async function end(): Promise<void> {
  if (ending) return;
  ending = true;
  fullDisk.stop();
  await face.drain();
  for (const session of [...queries, lookups, pulse, engine]) session.close();
  process.exit(0);
}
process.on('SIGTERM', end);
process.on('SIGINT', () => {}); // Ctrl-C reaches the whole group; the supervisor ends us in order.
whenParentIsGone(endAsOrphan);

/** Nobody hears the answer of a statement that takes longer; its sender repeats it. */
const ORPHAN_END_MAX_MS = 1_000;

/** Without closing the engine: that may wait for merges for seconds, with this thread, and its timers. */
async function endAsOrphan(): Promise<void> {
  setTimeout(endAtOnce, ORPHAN_END_MAX_MS);
  await face.drain();
  endAtOnce();
}
