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
 * The web process: `node web.ts PORT`, as the supervisor knows the port better than the settings.
 * It reports `ready` with its URL to its parent, or `failed`.
 *
 * On SIGTERM it ends in order: no new request, those under way answered, the journal shipped. When
 * the parent is gone it ends at once; what is accepted is on disk and ships after the next start.
 */

/** How long the last web process may take to end. */
const LOCK_WAIT_MS = 10_000;
/** How long a stop may take to ship what is left; the rest ships after the next start. */
const DRAIN_MAX_MS = 5_000;

const port = process.argv[2];

const whenParentIsGone = endWithParent();
answerBeats();
try {
  const settings = { ...readSettings(), ...(port !== undefined && { port: Number(port) }) };
  const paths = dataPathsOf(settings.dataDir);
  const lock = takeProcessLock(paths.webLock, LOCK_WAIT_MS);
  if (lock === undefined) throw new Error(`The web process of ${settings.dataDir} already runs.`);

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
  process.on('SIGINT', () => {}); // Ctrl-C reaches the whole group; the supervisor ends us in order.
  whenParentIsGone(() => void end(0));
  process.send?.({ kind: 'ready', url, startToken: app.makeStartLink() }, () => {}); // A supervisor that is gone has ended this.
} catch (error) {
  process.send?.({
    kind: 'failed',
    message: error instanceof Error ? error.message : String(error),
  });
  whenParentIsGone(() => process.exit(1));
  process.disconnect?.();
}
