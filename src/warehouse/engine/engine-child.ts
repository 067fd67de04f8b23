import { existsSync, globSync, lstatSync, mkdirSync, rmSync, statfsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ROOM_BYTES } from '../apply-schema.ts';
import { EMBEDDED_DATABASE } from '../client/embedded-database.ts';
import { QUERIES_MAX } from '../client/engine-memory.ts';
import { createPartsCheck } from './check-new-parts.ts';
import { endAtOnce, endWithParent } from './end-with-parent.ts';
import { createEngineServer } from './engine-server.ts';
import { forgetUnwrittenParts, hasUnwrittenParts } from './forget-unwritten-parts.ts';
import { openEngine } from './open-engine.ts';
import { takeProcessLock } from './process-lock.ts';
import { releaseStartUpMemory } from './release-start-up-memory.ts';
import { watchFullDisk } from './watch-full-disk.ts';

/**
 * The embedded engine's own process: `node engine-child.ts DATA_PATH SOCKET_PATH [MEMORY_BYTES]`.
 *
 * It sends `ready` to its parent, with the broken parts found at this start. On SIGTERM it shuts down cleanly, and never
 * closes the engine under a running statement, which would abort the process. The parent kills it if that takes
 * too long. If the parent ends, it waits only briefly for statements, because the next engine waits for the files.
 */
const whenParentIsGone = endWithParent();
const [dataPath, socketPath, memoryBytes] = process.argv.slice(2);
if (dataPath === undefined || socketPath === undefined) {
  throw new Error('usage: engine-child DATA_PATH SOCKET_PATH [MEMORY_BYTES]');
}

/** Longer than an orphaned engine takes to end, even if it is just opening its data on a busy machine. */
const LAST_END_MAX_MS = 10_000;

mkdirSync(dataPath, { recursive: true });
const socketFolder = dirname(socketPath);
mkdirSync(socketFolder, { recursive: true, mode: 0o700 });
if (lstatSync(socketFolder).uid !== process.getuid?.()) {
  throw new Error('Another user owns the folder of the socket.');
}
holdData(dataPath);
rmSync(socketPath, { force: true });
forgetUnwrittenParts(dataPath);
assertRoomForFirst(dataPath);

const detachedBefore = new Set(findDetached());
const startedAt = Date.now();
const openOneMore = () =>
  openEngine(dataPath, memoryBytes === undefined ? undefined : Number(memoryBytes));
const engine = await openOneMore();
const pulse = await openOneMore();
const lookups = await openOneMore();
const queries = await Promise.all(Array.from({ length: QUERIES_MAX }, openOneMore));
const engineServer = createEngineServer({ writes: [engine], lookups: [lookups], queries }, pulse, {
  folder: socketFolder,
  // If a failed insert left its token behind, retries insert nothing until the log is repaired.
  async onInsertFailed(ask) {
    fullDisk.doubt();
    const isUncertain = await hasUnwrittenParts(ask).catch(() => true);
    if (isUncertain) endAtOnce(); // The parent restarts the engine, as after a crash.
  },
  onStall: endAtOnce,
});
const partsCheck = createPartsCheck(engineServer.ask, startedAt);
const fullDisk = watchFullDisk(dataPath, async () => {
  const broken = await partsCheck.findBroken().catch(() => []);
  // At its next start, the engine uses the source parts instead.
  if (broken.length > 0) process.send?.({ kind: 'broken', parts: broken }, endAtOnce);
});
engineServer.http.keepAliveTimeout = 0; // Never: a request sent while its connection is being closed would fail.
engineServer.http.requestTimeout = 0;
releaseStartUpMemory();
engineServer.http.listen(socketPath, () => {
  const brokenParts = findDetached().filter((part) => !detachedBefore.has(part));
  process.send?.({ kind: 'ready', brokenParts: brokenParts.map((part) => basename(part)) });
});

/** The folders of all parts that the engine has ever detached as broken. */
function findDetached(): string[] {
  return globSync('store/*/*/detached/broken*', { cwd: dataPath });
}

/**
 * Locks the data until this process ends. The engine's own lock comes too late: the socket and the deduplication logs
 * of an engine that is still shutting down would already have been changed.
 */
function holdData(path: string): void {
  if (takeProcessLock(`${path}.lock`, LAST_END_MAX_MS) !== undefined) return;
  throw new Error('Another engine is still using the data.');
}

/** A database created on a full disk could never be opened again. The parent retries later. */
function assertRoomForFirst(path: string): void {
  if (existsSync(join(path, 'metadata', `${EMBEDDED_DATABASE}.sql`))) return;
  const { bavail, bsize } = statfsSync(path);
  if (bavail * bsize < ROOM_BYTES) throw new Error('The disk is full.');
}

let ending = false;
async function end(): Promise<void> {
  if (ending) return;
  ending = true;
  void fullDisk.stop();
  await engineServer.drain();
  for (const session of [...queries, lookups, pulse, engine]) session.close();
  process.exit(0);
}
process.on('SIGTERM', end);
process.on('SIGINT', () => {}); // Ctrl-C reaches the whole process group; the supervisor shuts this process down.
whenParentIsGone(endAsOrphan);

/** Nobody receives the answers of longer statements. Their senders retry them. */
const ORPHAN_END_MAX_MS = 1_000;

/** Does not close the engine, which may block this thread and its timers for seconds while it waits for merges. */
async function endAsOrphan(): Promise<void> {
  setTimeout(endAtOnce, ORPHAN_END_MAX_MS);
  await engineServer.drain();
  endAtOnce();
}
