import { setImmediate as nextTurn } from 'node:timers/promises';
import { ok, refuse } from '#domain/result.ts';
import { UnreadableFile } from '#imports/csv/decode-text.ts';
import { importCosts, readCostFile, toCostImports } from '#imports/import-costs.ts';
import type { Ledger } from '#ledger/open-ledger.ts';
import type { ManagesCosts } from '#manage/sites/costs.ts';

/** Bytes read at a time, between other requests. */
const CHUNK_BYTES = 64_000;

/** Creates what the dashboard manages of costs. */
export function createManagesCosts(
  ledger: Pick<Ledger, 'recordCosts' | 'listCostImports' | 'removeCosts'>,
): ManagesCosts {
  return {
    list: async (siteId) => toCostImports(await ledger.listCostImports(siteId)),
    async importFile({ id, timezone }, { file: name, csv, whole_days = false, dry_run = false }) {
      const bytes = Buffer.from(csv);
      try {
        const file = await readCostFile(() => chunksOf(bytes), { timezone, now: Date.now() });
        const record: Parameters<typeof importCosts>[1] = (costs, change) =>
          ledger.recordCosts(id, costs, change);
        const how = { isWhole: whole_days, isTrial: dry_run };
        return ok(await importCosts({ ...file, name }, record, how));
      } catch (error) {
        if (error instanceof UnreadableFile) return refuse(error.message);
        throw error;
      }
    },
    async remove(siteId, importId) {
      const imports = await ledger.listCostImports(siteId);
      if (!imports.some(({ id }) => id === importId)) return undefined;
      return ledger.removeCosts(siteId, { importId });
    },
  };
}

async function* chunksOf(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    yield bytes.subarray(at, at + CHUNK_BYTES);
    await nextTurn();
  }
}
