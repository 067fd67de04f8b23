import { findNotLookedFor, findReturningRun } from '#warehouse/find-returning.ts';
import type { RecallingWarehouse } from './ports.ts';
import type { Returning } from './question.ts';

/** With more, looking for everybody is as quick; and a ClickHouse server takes 128 KiB a bound value. */
const NOT_LOOKED_FOR_MAX = 2_000;

/**
 * What is copied of where visitors of a site's open days had been before, with whoever came since it was; `undefined`
 * where nothing is, or many came.
 */
export async function findReturning(
  warehouse: RecallingWarehouse,
  siteId: string,
): Promise<Returning | undefined> {
  const recalled = { select: warehouse.recall };
  const run = await findReturningRun(recalled, siteId);
  if (run?.isWhole !== true) return undefined;
  const came = await findNotLookedFor(recalled, siteId, run, NOT_LOOKED_FOR_MAX + 1);
  return came.length > NOT_LOOKED_FOR_MAX ? undefined : { ...run, notLookedFor: came };
}
