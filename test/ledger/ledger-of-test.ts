import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'node:test';
import { type Ledger, openLedger } from '#ledger/open-ledger.ts';
import { ownHere } from '#ledger/owner.ts';
import { openDatabase } from '#ledger/schema/open-database.ts';
import { createTakeWaiting } from '#ledger/take-waiting.ts';
import { findLocation, leaveLocation } from './database-of-tests.ts';

/** A ledger in a folder of its own, new for each test, and its clock. */
export type LedgerOfTest = {
  ledger: Ledger;
  clock: number;
  /** The ledger's location. */
  path: string;
  /** One more connection, as another process has it. */
  open(): Promise<Ledger>;
  reopen(): Promise<void>;
};

/** What tests of the file that calls this find before each of them; it is gone after each. */
export function makeLedgerForEachTest(): LedgerOfTest {
  let folder: string;
  const open = () => openLedger({ location: own.path, now: () => own.clock });
  const own = {
    open,
    async reopen() {
      await own.ledger.close();
      own.ledger = await open();
    },
  } as LedgerOfTest;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tributary-ledger-'));
    own.path = await findLocation(join(folder, 'ledger.db'));
    own.clock = Date.UTC(2026, 10, 21);
    own.ledger = await open();
  });
  afterEach(async () => {
    await own.ledger.close();
    await leaveLocation(own.path);
    rmSync(folder, { recursive: true });
  });
  return own;
}

/** Opens a ledger for erasures and retention, as its owner. */
export async function openErasures(...options: Parameters<typeof ownHere>) {
  const { calls, close } = await ownHere(...options);
  return { ...calls, close };
}

/** Opens a ledger for taking events of providers, on a connection of its own. */
export async function openTaking(location: string, now: () => number) {
  const db = await openDatabase(location, { checkpoints: false });
  return { takeWaiting: createTakeWaiting(db, now), close: () => db.close() };
}
