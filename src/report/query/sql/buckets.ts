import type { Bind } from '../../dimension.ts';

/**
 * SQL of an array of instants, written as runs of equal steps: a year of days is a handful of
 * numbers, as only changes of the clock break a run.
 *
 * Why the engine is given instants and not a zone: one authority, `Temporal`, decides where days begin,
 * whatever zone data an engine carries.
 *
 * - Units: milliseconds since 1970, UTC, ascending, as from `toBuckets`.
 */
export function instantsSql(instants: readonly number[], bind: Bind): string {
  const runs = toRuns(instants);
  const list = (field: keyof Run, type: string) => {
    const values = runs.map((run) => run[field]);
    return bind(values, `Array(${type})`);
  };
  const lists = [list('startsAt', 'Int64'), list('count', 'UInt32'), list('stepMs', 'Int64')];
  const run = 'arrayMap(i -> start + toInt64(i) * step, range(count))';
  return `arrayFlatten(arrayMap((start, count, step) -> ${run}, ${lists.join(', ')}))`;
}

/** SQL of the bucket that an instant falls into, named by where it begins. */
export function bucketSql(instant: string, buckets: readonly number[], bind: Bind): string {
  return `roundDown(${instant}, ${instantsSql(buckets, bind)})`;
}

type Run = { readonly startsAt: number; count: number; stepMs: number };

function toRuns(instants: readonly number[]): Run[] {
  const runs: Run[] = [];
  for (const at of instants) {
    const run = runs.at(-1);
    if (run !== undefined && (run.count === 1 || run.startsAt + run.count * run.stepMs === at)) {
      if (run.count === 1) run.stepMs = at - run.startsAt;
      run.count += 1;
    } else {
      runs.push({ startsAt: at, count: 1, stepMs: 0 });
    }
  }
  return runs;
}
