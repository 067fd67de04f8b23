import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'node:test';
import { type Ledger, openLedger } from '#ledger/open-ledger.ts';
import { openProjection, type Projection } from '#ledger/payments/open-projection.ts';

/** A ledger in a folder of its own, new for each test, and what of it is shipped. */
export type ProjectionOfTest = {
  folder: string;
  /** The ledger's file. */
  path: string;
  ledger: Ledger;
  projection: Projection;
  nextShipment(
    source: 0 | 1,
  ): ReturnType<Projection['sources'][number]['nextShipment']> | undefined;
};

/** What tests of the file that calls this find before each of them; it is gone after each. */
export function makeProjectionForEachTest(): ProjectionOfTest {
  const own = {
    nextShipment: (source) => own.projection.sources[source]?.nextShipment(),
  } as ProjectionOfTest;
  beforeEach(() => {
    own.folder = mkdtempSync(join(tmpdir(), 'tributary-projection-'));
    own.path = join(own.folder, 'ledger.db');
    own.ledger = openLedger({ path: own.path });
    own.projection = openProjection(own.path);
  });
  afterEach(async () => {
    own.projection.close();
    await own.ledger.close();
    rmSync(own.folder, { recursive: true });
  });
  return own;
}
