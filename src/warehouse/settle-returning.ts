import { randomBytes } from 'node:crypto';
import type { Warehouse } from './client.ts';
import {
  CAME_SINCE,
  findNotLookedFor,
  findReturningRun,
  type ReturningRun,
} from './find-returning.ts';
import { RefusedQuestionError } from './refused-question.ts';
import { PARTS_OF_RUN } from './returning-visitors-table.ts';
import { findCounted, toRuns } from './settle-counts.ts';
import { COUNTED_COLUMNS } from './settled-counts-table.ts';
import { countRunRows, createSweepRuns, dropRun } from './sweep-runs.ts';
import { ANY_MONTHS } from './table-settings.ts';
import { findVisitDays } from './visit-days.ts';

const DAY_MS = 86_400_000;
/** What questions usually ask about; of longer periods they look for themselves. */
const DAYS_BEFORE = 100;
/** Of a gap further back everybody since would have to be looked for; it is closed within hours. */
const OPEN_DAYS_MAX = 4;
/** Making runs may take one in so many parts of the time, but waiting for others is in it too. */
const TAKES_ONE_IN = 100;
const RESTS_MAX_MS = 10 * 60_000;
/** What was too much for the engine is not asked of it every minute. */
const REFUSED_FOR_MS = 3_600_000;
/** Who asked gives up after a minute. */
const LIMITS = `max_threads = 1, max_execution_time = 25, ${ANY_MONTHS}`;

/** Copies where visitors of the open days had been before, a run at a time. */
export interface ReturningSettler {
  /** Resolves with how many sites it made a run of. Throws when the warehouse does not answer. */
  run(): Promise<number>;
}

/** What a run of a site would be made of now. */
type Whole = Pick<ReturningRun, 'startsAt' | 'endsAt' | 'countedRuns'>;

/**
 * Writes where visitors of the open days had been on days that are counted ahead into `returning_visitors`.
 *
 * - A run of rows counts once `returning_runs` names it, while all of them are there and the days are counted by the
 *   runs it was made of: a crash in between, a late event, an erasure take it out of use by themselves.
 * - Units: `now` in milliseconds since 1970, UTC.
 */
export function createReturningSettler(
  warehouse: Pick<Warehouse, 'select' | 'command' | 'insertLines' | 'writeMark'>,
  now: () => number,
): ReturningSettler {
  const sweep = createSweepRuns(warehouse, 'returning_visitors');
  /** When sites may have another run made, in milliseconds of `performance.now()`. */
  const restsUntil = new Map<string, number>();
  /** The engine's mark when every site had all. */
  let doneAtMark: string | undefined;

  async function settle(siteId: string): Promise<'made' | 'there'> {
    const whole = await findWhole(warehouse, siteId);
    if (whole === undefined) return 'there';
    const before = await findReturningRun(warehouse, siteId);
    const isUsable = before?.isWhole === true && isMadeOf(before, whole);
    if (isUsable && (await findNotLookedFor(warehouse, siteId, before, 1)).length === 0)
      return 'there';
    const beganAt = performance.now();
    const madeAt = Math.max(now(), (before?.madeAt ?? 0) + 1); // Whatever the clock does.
    await make(warehouse, siteId, whole, madeAt);
    const tookMs = performance.now() - beganAt;
    restsUntil.set(siteId, beganAt + Math.min(RESTS_MAX_MS, TAKES_ONE_IN * tookMs));
    return 'made';
  }

  /** A failure has the site rest, and no other. */
  async function settleAll(siteIds: readonly string[]) {
    const done = { made: 0, there: 0 };
    const failures: unknown[] = [];
    for (const siteId of siteIds) {
      if (performance.now() < (restsUntil.get(siteId) ?? 0)) continue;
      try {
        done[await settle(siteId)] += 1;
      } catch (error) {
        const restsMs = error instanceof RefusedQuestionError ? REFUSED_FOR_MS : RESTS_MAX_MS;
        restsUntil.set(siteId, performance.now() + restsMs);
        failures.push(error);
      }
    }
    return { ...done, failures };
  }

  return {
    async run() {
      const mark = await warehouse.writeMark();
      if (mark !== undefined && mark === doneAtMark) return 0;
      const named = await findNamed(warehouse);
      const there = [...(await countRunRows(warehouse, 'returning_visitors')).keys()];
      await sweep(named, there);
      const sites = await warehouse.select<{ site_id: string }>({
        sql: 'SELECT DISTINCT site_id FROM settled_days ORDER BY site_id',
      });
      const done = await settleAll(sites.map(({ site_id }) => site_id));
      const isSwept = there.every((run) => named.has(run));
      doneAtMark = isSwept && done.there === sites.length ? mark : undefined;
      if (done.failures.length > 0) throw done.failures[0];
      return done.made;
    },
  };
}

async function findNamed(warehouse: Pick<Warehouse, 'select'>): Promise<Set<string>> {
  const named = await warehouse.select<{ run: string }>({
    sql: 'SELECT toString(run) AS run FROM returning_runs FINAL',
  });
  return new Set(named.map(({ run }) => run));
}

/** The days that are counted without a gap, up to the first that is not; `undefined` where that is too long ago. */
async function findWhole(
  warehouse: Pick<Warehouse, 'select'>,
  siteId: string,
): Promise<Whole | undefined> {
  const days = await findVisitDays(warehouse, siteId);
  const all = toRuns(days, await findCounted(warehouse, siteId)).slice(-DAYS_BEFORE);
  const gap = all.findIndex(({ run }) => run === undefined);
  const counted = gap < 0 ? all : all.slice(0, gap);
  const [first, last] = [counted[0], counted.at(-1)];
  const openDays = (all.at(-1)?.day ?? 0) - (last?.day ?? 0);
  if (first === undefined || last === undefined || openDays > OPEN_DAYS_MAX) return undefined;
  return {
    // Before the first of all days nobody was there.
    startsAt: days.length > DAYS_BEFORE ? first.day * DAY_MS : 0,
    endsAt: (last.day + 1) * DAY_MS,
    countedRuns: counted.flatMap(({ run }) => run ?? []),
  };
}

function isMadeOf(before: ReturningRun, whole: Whole): boolean {
  return (
    before.startsAt === whole.startsAt &&
    before.endsAt === whole.endsAt &&
    before.countedRuns.join() === whole.countedRuns.join()
  );
}

/** Makes a run of a site, and names it when it is whole. */
async function make(
  warehouse: Pick<Warehouse, 'select' | 'command' | 'insertLines'>,
  siteId: string,
  { startsAt, endsAt, countedRuns }: Whole,
  madeAt: number,
): Promise<void> {
  const run = `${randomBytes(6).readUIntBE(0, 6)}`;
  const params = { site: siteId, run, startsAt, endsAt, countedRuns };
  const count = async () => {
    const [row] = await warehouse.select<{ looked_for: string; size: string }>({
      sql: `SELECT countIf(part = '${PARTS_OF_RUN.lookedFor}') AS looked_for, count() AS size
        FROM returning_visitors WHERE site_id = {site:String} AND run = {run:UInt64}`,
      params,
    });
    return { lookedFor: Number(row?.looked_for), size: Number(row?.size) };
  };
  await warehouse.command({ sql: LOOK_FOR, params });
  const { lookedFor } = await count();
  await warehouse.command({ sql: COPY_VISITS, params });
  await warehouse.command({ sql: COPY_SEEN, params });
  const made = await count();
  if (made.lookedFor !== lookedFor) {
    await dropRun(warehouse, 'returning_visitors', run); // Somebody took rows out meanwhile, maybe not these copies.
    return;
  }
  const binding = {
    ...{ site_id: siteId, run, made_at: madeAt, starts_at: startsAt, ends_at: endsAt },
    ...{ counted_runs: countedRuns, size: made.size },
  };
  await warehouse.insertLines('returning_runs', Buffer.from(`${JSON.stringify(binding)}\n`));
}

const into = (part: string, columns: readonly string[], rows: string) => `
  INSERT INTO returning_visitors (run, site_id, part, ${columns.join(', ')}) SETTINGS async_insert = 0
  SELECT {run:UInt64}, {site:String}, '${part}', ${rows} SETTINGS ${LIMITS}`;
const LOOKED_FOR = `visitor IN (SELECT visitor FROM returning_visitors
  WHERE site_id = {site:String} AND run = {run:UInt64} AND part = '${PARTS_OF_RUN.lookedFor}')`;
const LOOK_FOR = into(
  PARTS_OF_RUN.lookedFor,
  ['visitor'],
  `visitor FROM (${CAME_SINCE}) GROUP BY visitor`,
);
const VISIT_COLUMNS = ['visitor', 'visit_started_at', ...COUNTED_COLUMNS];
const COPY_VISITS = into(
  PARTS_OF_RUN.visit,
  VISIT_COLUMNS,
  `${VISIT_COLUMNS.join(', ')} FROM settled_visits
  WHERE site_id = {site:String} AND visit_started_at >= fromUnixTimestamp64Milli({startsAt:Int64}, 'UTC')
    AND visit_started_at < fromUnixTimestamp64Milli({endsAt:Int64}, 'UTC') AND bot_class = '' AND ${LOOKED_FOR}`,
);
const COPY_SEEN = into(
  PARTS_OF_RUN.seen,
  ['visitor', 'counted', 'counted_run', 'seen'],
  `visitor, counted, run, seen FROM settled_seen
  WHERE site_id = {site:String} AND run IN {countedRuns:Array(UInt64)} AND ${LOOKED_FOR}`,
);
