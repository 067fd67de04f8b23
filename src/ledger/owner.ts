import { setImmediate as nextTurn } from 'node:timers/promises';
import { type MessagePort, workerData } from 'node:worker_threads';
import { keepRunning } from '#jobs/keep-running.ts';
import { readTrustedNow, type TrustedNow } from '#storage/keep-clock.ts';
import type { Database } from '#storage/sql/sql.ts';
import { callThrough, type Remote, startThread } from '#storage/worker-calls.ts';
import { type Commands, createCommands, type TakeEvents } from './create-commands.ts';
import { resolveSome } from './persons/resolve-persons.ts';
import { readCounter } from './schema/counters.ts';
import { openDatabase, openReadOnly } from './schema/open-database.ts';

/** A connection that reads a ledger, and the commands of the thread that owns the one that writes. */
export type Owned = {
  readonly db: Database;
  readonly calls: Remote<Commands>;
  close(): Promise<void>;
};

type OwnerOptions = { readonly location: string; readonly clockPath: string };
type OwnerCalls = Commands & { open(): void };

const PERSONS_EVERY_MS = 1_000;

/** Runs this thread as the owner of a server's ledger. By itself, it resolves persons, because only reports need them. */
export async function runOwner(takeEvents: TakeEvents): Promise<void> {
  const { location, clockPath } = workerData as OwnerOptions;
  const db = await openDatabase(location, { checkpoints: true });
  const trustedNow = () => readTrustedNow(clockPath);
  const commands = createCommands(db, { location, now: Date.now, trustedNow, takeEvents });
  const persons = keepRunning({
    ...{ name: 'persons', everyMs: PERSONS_EVERY_MS },
    async run(stopped) {
      const before = await readCounter(db, 'payments');
      while ((await resolveSome(db)) && !stopped.aborted) {
        await nextTurn(); // Calls wait for this thread: SQLite answers without leaving it.
        // A flood of payments needs the CPU; persons can wait.
        if ((await readCounter(db, 'payments')) !== before) return;
      }
    },
  });
  const close = () => persons.stop().then(() => db.close());
  callThrough({ ...commands, open() {}, close } satisfies OwnerCalls);
}

/** Opens or creates a ledger with a thread that owns it: in a server, requests must not wait for an fsync. */
export async function startOwner(
  module: URL,
  options: OwnerOptions,
  onDeath: (error: unknown) => void,
): Promise<Owned> {
  let isOpen = false;
  const { calls, close } = startThread<OwnerCalls>(module, options, {
    onDeath: (error) => isOpen && onDeath(error),
  });
  await calls.open();
  isOpen = true;
  const db = openReadOnly(options.location);
  return {
    ...{ db, calls },
    async close() {
      await db.close(); // The last connection to close runs a checkpoint.
      await close();
    },
  };
}

/** Opens or creates a ledger that this thread owns, as commands do. */
export async function ownHere(
  location: string,
  now: () => number = Date.now,
  trustedNow: TrustedNow = now,
  takeEvents?: TakeEvents,
): Promise<Owned> {
  const db = await openDatabase(location, { checkpoints: true });
  const options = { location, now, trustedNow, ...(takeEvents && { takeEvents }) };
  const calls = createCommands(db, options);
  return { db, calls, close: () => db.close() };
}

/** Opens a ledger beside its owner, who serves the other end of a port. */
export function askOwner(location: string, port: MessagePort): Owned {
  const db = openReadOnly(location);
  const close = () => db.close().finally(() => port.close());
  return { db, calls: callThrough<Commands>({}, port).calls, close };
}
