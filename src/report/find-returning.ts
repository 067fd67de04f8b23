import {
  findNotLookedFor,
  findReturningRun,
  type ReturningRun,
} from '#warehouse/find-returning.ts';
import { RefusedQuestionError } from '#warehouse/refused-question.ts';
import { conjuncts } from './filter.ts';
import { distinctVisitors } from './metric.ts';
import type { RecallingWarehouse } from './ports.ts';
import type { Question, Returning } from './question.ts';

const DAY_MS = 86_400_000;
/** With more, looking for everybody is as quick; and a ClickHouse server takes 128 KiB a bound value. */
const NOT_LOOKED_FOR_MAX = 2_000;
/** As days that are settled (find-settled.ts). */
const KNOWN_FOR_MS = 1_000;
const SITES_MAX = 200;

/**
 * Finds what is copied of where visitors of a site's open days had been before, with whoever came since it was.
 *
 * - Shape: `undefined` where nothing is, where many came, where it is of other days than the question's, and
 *   for a question that need not know.
 */
export type FindReturning = (
  warehouse: RecallingWarehouse,
  question: Question,
) => Promise<Returning | undefined>;

/** Finds it, as it was up to a second before. */
export function createFindReturning(knownForMs = KNOWN_FOR_MS): FindReturning {
  type Known = { readonly until: number; readonly run: string; readonly came: Promise<Came> };
  const known = new Map<string, Known>();

  function whoCame(warehouse: RecallingWarehouse, siteId: string, run: ReturningRun) {
    const now = performance.now();
    const before = known.get(siteId);
    if (before?.run === run.run && before.until > now) return before.came;
    if (known.size >= SITES_MAX) known.clear();
    const came = findWhoCame(warehouse, siteId, run);
    known.set(siteId, { until: now + knownForMs, run: run.run, came });
    came.catch(() => known.get(siteId)?.came === came && known.delete(siteId));
    return came;
  }

  return async (warehouse, question) => {
    if (!mustKnow(question)) return undefined;
    const { id } = question.site;
    const run = await findReturningRun({ select: warehouse.recall }, id);
    if (run?.isWhole !== true || !isOfDays(run, question)) return undefined;
    const notLookedFor = await whoCame(warehouse, id, run);
    return notLookedFor && { ...run, notLookedFor };
  };
}

/** Whether different visitors are counted, of whom some came after days that are counted ahead. */
function mustKnow({ counted = [], filter, metrics, period, person }: Question): boolean {
  const lastDay = counted.findLast(({ run }) => run !== undefined)?.day;
  const parts = metrics.flatMap((metric) => Object.values(metric.parts));
  return (
    lastDay !== undefined &&
    period.endsAt > (lastDay + 1) * DAY_MS &&
    conjuncts(filter).length === 0 &&
    person === undefined &&
    parts.some(({ sql, byEvent }) => [sql, byEvent?.sql].includes(distinctVisitors()))
  );
}

/** Whether its days are counted by the same runs, and none after them. */
function isOfDays({ endsAt, countedRuns }: ReturningRun, { counted = [] }: Question): boolean {
  const runs = new Set(counted.map(({ run }) => run));
  const next = counted.find(({ day }) => day * DAY_MS === endsAt);
  return next?.run === undefined && countedRuns.every((run) => runs.has(run));
}

type Came = readonly string[] | undefined;

async function findWhoCame(
  warehouse: RecallingWarehouse,
  siteId: string,
  run: ReturningRun,
): Promise<Came> {
  try {
    const recalled = { select: warehouse.recall };
    const came = await findNotLookedFor(recalled, siteId, run, NOT_LOOKED_FOR_MAX + 1);
    return came.length > NOT_LOOKED_FOR_MAX ? undefined : came;
  } catch (error) {
    if (error instanceof RefusedQuestionError) return undefined;
    throw error;
  }
}
