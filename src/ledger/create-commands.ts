import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { PROGRAM } from '#contract/program.ts';
import { listJobs } from '#jobs/job-figures.ts';
import { around } from '#storage/crash-points.ts';
import { type Database, isPostgres } from '#storage/sql/sql.ts';
import { callThrough } from '#storage/worker-calls.ts';
import { createChangesByHand } from './changes-by-hand.ts';
import { createCommitEntries } from './commit/commit-entries.ts';
import { packOutcomes, unpackGroup } from './commit/group-messages.ts';
import { createInbox } from './connections/inbox-counts.ts';
import { createPurge } from './connections/purge-events.ts';
import { createWalkStore } from './connections/walk-store.ts';
import { type ProjectionChange, saveProjections } from './convert-again.ts';
import { createCostStore } from './costs/cost-store.ts';
import { createDirectoryStores } from './create-stores.ts';
import { createErasures, type ErasureOptions } from './erasure/create-erasures.ts';
import { createErasureStore } from './erasure/erasure-store.ts';
import { createOutbox } from './outbox.ts';
import { readCounter, saveCounter } from './schema/counters.ts';
import { createPlaceCheck } from './schema/create-place-check.ts';
import { createTakeWaiting } from './take-waiting.ts';

const OTHERS_DATABASE = `The database in DATABASE_URL belongs to another server, with another DATA_DIR, and each would lose events to the other. Give this server a database of its own. If the other is gone for good, run "${PROGRAM} ledger claim".`;

/** Takes a batch of the events of providers. Returns their number. */
export type TakeEvents = (takeWaiting: ReturnType<typeof createTakeWaiting>) => Promise<number>;

/** All that changes a ledger, and what belongs to a change. What it takes and returns can be sent between threads. */
export type Commands = ReturnType<typeof createCommands>;

/** Creates the commands on the connection that writes. */
export function createCommands(
  db: Database,
  options: ErasureOptions & { takeEvents?: TakeEvents },
) {
  const { location, now, takeEvents = async () => 0 } = options;
  const assertInPlace = createPlaceCheck(location);
  const commitEntries = createCommitEntries(db, now);
  const takeWaiting = createTakeWaiting(db, now);
  const walks = createWalkStore(db, now);
  const commands = {
    /** Records a packed group of entries. */
    async commit(group: string) {
      assertInPlace();
      return packOutcomes(await around('ledger commit', () => commitEntries(unpackGroup(group))));
    },
    ...createDirectoryStores(db, now),
    ...walks,
    ...createInbox(db, now, walks),
    ...createPurge(db, options.trustedNow),
    takeEvents: () => takeEvents(takeWaiting),
    ...createErasureStore(db, { assertInPlace, now }),
    ...createChangesByHand(db, { assertInPlace, now }),
    ...createCostStore(db, { assertInPlace, now }),
    ...createErasures(db, options),
    ...createOutbox(db),
    saveShipped: (what: `shipped_${'payments' | 'persons' | 'costs'}`, version: number) =>
      saveCounter(db, what, version),
    saveProjections: (changes: readonly ProjectionChange[]) => saveProjections(db, changes),
    /**
     * Records whose journal ships here, by the id of its data directory. Returns whether one did before. Throws if
     * another's does, unless this one `claims` the database.
     */
    async registerJournal(id: number, claims = !isPostgres(location)): Promise<boolean> {
      const before = await readCounter(db, 'journal');
      const register =
        "UPDATE counters SET value = ? WHERE name = 'journal' AND value IN (0, 1, ?)";
      const changed = await db.run(register, id, claims ? before : id);
      if (changed === 0) throw new Error(OTHERS_DATABASE);
      return before !== 0;
    },
    listJobs: async () => listJobs(),
    /** Ends the calls through a port, not the connection. */
    close: async () => {},
  };
  return {
    ...commands,
    /** A port at which another thread can call the commands. */
    async makePort(): Promise<MessagePort> {
      const { port1, port2 } = new MessageChannel();
      callThrough(commands, port1);
      port1.unref();
      return port2;
    },
  };
}
