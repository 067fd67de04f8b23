import assert from 'node:assert/strict';
import { toValues } from '#cli/verify/report-counts.ts';
import { verifyCounts } from '#cli/verify/verify-counts.ts';
import { dataPathsOf } from '#processes/paths.ts';
import { withWarehouse } from '#processes/with-warehouse.ts';
import { parseSettings } from '#settings.ts';
import type { Warehouse } from '#warehouse/client/client.ts';

/** The answer of `tributary verify --json`. */
export type Verified = ReturnType<typeof toValues>;
/** One of its counts. */
export type VerifiedCount = Verified['counts'][number];

/** A change made to the warehouse behind the server's back. */
export type Tamper = (warehouse: Warehouse) => Promise<unknown>;

/** Settings, and a step to run before, with the same engine. */
export type VerifyOptions = {
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly tamper?: Tamper | undefined;
  readonly skipArchive?: boolean | undefined;
};

/**
 * Counts the stores of a data directory like `tributary verify`, with or without a running server.
 *
 * - Why not by the command: its process costs as much as an engine. The command has its own tests.
 */
export async function verifyData(dataDir: string, options: VerifyOptions = {}): Promise<Verified> {
  const settings = parseSettings({ DATA_DIR: dataDir, ...options.env });
  assert.ok(settings.ok);
  const { archiveDays } = settings.value;
  const { skipArchive } = options;
  return withWarehouse(settings.value, async (warehouse, { isServing }) => {
    await options.tamper?.(warehouse);
    const chosen = { isServing, archiveDays, skipArchive };
    return toValues(await verifyCounts(dataPathsOf(dataDir), warehouse, chosen));
  });
}

/** Asserts that nothing differs. */
export async function assertVerified(dataDir: string): Promise<void> {
  const { differences } = await verifyData(dataDir);
  assert.deepEqual(differences, []);
}
