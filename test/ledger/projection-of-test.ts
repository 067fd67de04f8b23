import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'node:test';
import { type Ledger, openLedger, openProjection } from '#ledger/open-ledger.ts';
import type { Shipment } from '#storage/shipment.ts';
import { findLocation, leaveLocation } from './database-of-tests.ts';
import { NO_RATES } from './rates-of-test.ts';

/** A ledger in a folder of its own, new for each test, and what of it is shipped. */
export type ProjectionOfTest = {
  folder: string;
  /** The ledger's location. */
  path: string;
  ledger: Ledger;
  projection: Awaited<ReturnType<typeof openProjection>>;
  nextShipment(source: 0 | 1): Promise<Shipment | undefined>;
};

/** What tests of the file that calls this find before each of them; it is gone after each. */
export function makeProjectionForEachTest(): ProjectionOfTest {
  const own = {
    nextShipment: async (source) => own.projection.sources[source]?.nextShipment(),
  } as ProjectionOfTest;
  beforeEach(async () => {
    own.folder = mkdtempSync(join(tmpdir(), 'tributary-projection-'));
    own.path = await findLocation(join(own.folder, 'ledger.db'));
    own.ledger = await openLedger({ location: own.path });
    own.projection = await openProjection(own.path, NO_RATES);
  });
  afterEach(async () => {
    await own.projection.close();
    await own.ledger.close();
    await leaveLocation(own.path);
    rmSync(own.folder, { recursive: true });
  });
  return own;
}
