import { createApp } from '#app/create-app.ts';
import { readSettings } from '#settings.ts';
import { endWithParent } from '#warehouse/engine/end-with-parent.ts';
import { takeProcessLock } from '#warehouse/engine/process-lock.ts';
import { releaseStartUpMemory } from '#warehouse/engine/release-start-up-memory.ts';
import { findAddress } from './find-address.ts';
import { answerBeats } from './heartbeat.ts';
import { limitConnectionsMax } from './limit-open-files.ts';
import { dataPathsOf, warehouseAddressOf } from './paths.ts';
import { toListenError } from './start-troubles.ts';

/**
 * The web process: `node web.ts PORT`. The port comes from the supervisor, because a restart must reuse
 * it. Sends `ready` with its URL to its parent, or `failed`.
 *
 * On SIGTERM it stops gracefully: no new requests, requests in flight completed, the journal shipped. If
 * the parent is gone, it exits at once; accepted events are on disk and ship after the next start.
 */

/** How long the previous web process may take to exit. */
const LOCK_WAIT_MS = 10_000;
/** How long a stop may take to ship the backlog; the rest ships after the next start. */
const DRAIN_MAX_MS = 5_000;

const port = process.argv[2];

const whenParentIsGone = endWithParent();
answerBeats();
try {
  const settings = { ...readSettings(), ...(port !== undefined && { port: Number(port) }) };
  const paths = dataPathsOf(settings.dataDir, settings.databaseUrl);
  const lock = takeProcessLock(paths.webLock, LOCK_WAIT_MS);
  if (lock === undefined) {
    throw new Error(`A web process is already running on ${settings.dataDir}.`);
  }

  const app = await createApp({
    settings: {
      ...settings,
      host: await findAddress(settings),
      connectionsMax: limitConnectionsMax(settings),
    },
    paths,
    warehouse: warehouseAddressOf(settings),
  });
  releaseStartUpMemory();
  const url = await app.listen().catch((error) => {
    throw toListenError(error, settings);
  });
  let ending = false;
  const end = async (drainMaxMs: number) => {
    if (ending) return;
    ending = true;
    await app.close({ drainMaxMs });
    process.exit(0);
  };
  process.on('SIGTERM', () => end(DRAIN_MAX_MS));
  process.on('SIGINT', () => {}); // Ctrl-C reaches the whole process group; the supervisor stops us.
  whenParentIsGone(() => void end(0));
  const startToken = await app.makeStartLink();
  process.send?.({ kind: 'ready', url, startToken }, () => {}); // The supervisor may be gone.
} catch (error) {
  process.send?.({
    kind: 'failed',
    message: error instanceof Error ? error.message : String(error),
  });
  whenParentIsGone(() => process.exit(1));
  process.disconnect?.();
}
