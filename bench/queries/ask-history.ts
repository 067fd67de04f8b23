import { constants, cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readByHand } from './by-hand.ts';
import { compareAnswers } from './compare-answers.ts';
import { countVisits, type History } from './history-sql.ts';
import { ATTRIBUTION, FILTER_SETS, PANELS, type Panel } from './panels.ts';
import { type PreparedHistory, prepareHistory } from './prepare-history.ts';
import { runRounds, type Work } from './rounds.ts';
import { type Side, startSide } from './side.ts';
import { sumOf, type Timing, type TimingSet } from './timing.ts';
import { startTraffic, type Traffic } from './traffic.ts';

/** Which history to query, in which checkouts, how often. */
export type AskOptions = History & {
  readonly days: number;
  readonly rounds: number;
  /** This checkout, and the one to compare with, if any. */
  readonly checkouts: readonly string[];
  readonly cacheFolder: string;
  /** Receives progress, as it takes minutes. */
  readonly onStep: (step: string) => void;
};

/** The results for one history. */
export type AskResult = {
  readonly events: number;
  readonly days: number;
  /** For this checkout, then the other. */
  readonly loadedPerSecond: readonly number[];
  readonly bytesPerEvent: readonly number[];
  readonly sets: readonly TimingSet[];
  /** Our answers compared with handwritten statements over the same tables. */
  readonly byHand: readonly {
    readonly panel: string;
    readonly ms: number;
    readonly byHandMs: number;
  }[];
  /** Failed requests of the traffic, and why queries failed. */
  readonly failures: number;
  readonly refusals: readonly string[];
};

/** Attribution covers the longest named period of a dashboard. */
const ATTRIBUTION_DAYS = 91;
const ATTRIBUTION_ROUNDS_MAX = 3;
/** By then, caches that traffic invalidates are empty. */
const WARM_MS = 5_000;
/** Exact below this, as in the product. */
const ESTIMATED_FROM_VISITS = 1_000_000;

type Asked = Side & {
  readonly history: PreparedHistory;
  readonly traffic: Traffic;
  /** Why queries failed. A long run continues without them. */
  readonly refusals: Set<string>;
};
type Ask = (side: Asked) => Promise<unknown>;

/** Runs all queries on every checkout, in turns, while events and payments flow into each. */
export async function askHistory(options: AskOptions): Promise<AskResult> {
  const { checkouts, cacheFolder, onStep, rounds, days } = options;
  const history = { events: options.events, seed: options.seed, endsAt: options.endsAt };
  const runFolder = mkdtempSync(join(tmpdir(), 'trib-'));
  const sides: Asked[] = [];
  try {
    for (const [index, checkout] of checkouts.entries()) {
      onStep(`a history of ${history.events} events for ${checkout}`);
      const prepared = await prepareHistory(cacheFolder, checkout, history);
      onStep(`a server of ${checkout}`);
      sides.push(await startAsked(checkout, join(runFolder, `${index}`), prepared));
    }
    await sleep(WARM_MS);
    const sets: TimingSet[] = [];
    for (const [name, filters] of Object.entries(FILTER_SETS)) {
      onStep(name);
      const panels = mapValues(PANELS, (panel) => toAsk({ ...panel, filters }, days));
      const set = { name, ...(await timeSides(sides, panels, { rounds, isAtOnce: true })) };
      onStep(`${name}: ${JSON.stringify(sumOf(set))}`);
      sets.push(set);
    }
    onStep('attribution');
    const models = mapValues(ATTRIBUTION, (panel) => toAsk(panel, ATTRIBUTION_DAYS));
    const modelRounds = Math.min(rounds, ATTRIBUTION_ROUNDS_MAX);
    const plan = { rounds: modelRounds, isAtOnce: false };
    sets.push({ name: 'attribution', ...(await timeSides(sides, models, plan)) });
    onStep('statements by hand');
    const byHand = await timeByHand(sides[0], options);
    const sent = await Promise.all(sides.map(({ traffic }) => traffic.end()));
    return {
      ...{ events: history.events, days, sets, byHand },
      loadedPerSecond: sides.map((side) => side.history.loadedPerSecond),
      bytesPerEvent: sides.map((side) => side.history.bytesPerEvent),
      failures: sent.reduce((sum, { failures }) => sum + failures, 0),
      refusals: sides.flatMap(({ refusals }) => [...refusals]),
    };
  } finally {
    for (const side of sides) {
      await side.traffic.end();
      await side.stop();
    }
    rmSync(runFolder, { recursive: true, force: true });
  }
}

/** Queries a copy, to keep new events out of the next run's history. */
async function startAsked(
  checkout: string,
  dataDir: string,
  history: PreparedHistory,
): Promise<Asked> {
  mkdirSync(dataDir, { recursive: true });
  cpSync(history.dataDir, dataDir, { recursive: true, mode: constants.COPYFILE_FICLONE });
  const side = await startSide({ checkout, dataDir, key: history.key });
  await side.untilQuiet();
  return { ...side, history, traffic: await startTraffic(side, history), refusals: new Set() };
}

function toAsk(panel: Panel, days: number): Ask {
  const query = { site_id: 'bench.example', date_range: `${days}d`, ...panel };
  return (side) =>
    side.post('/api/v1/query', JSON.stringify(query)).then(JSON.parse, (error: Error) => {
      side.refusals.add(`${JSON.stringify(query)}: ${error.message}`);
    });
}

async function timeSides(
  sides: readonly Asked[],
  asks: Readonly<Record<string, Ask>>,
  { rounds, isAtOnce }: { readonly rounds: number; readonly isAtOnce: boolean },
): Promise<{ timings: Timing[]; atOnce?: Timing }> {
  const answers = new Map<string, unknown[]>();
  const works = Object.entries(asks).flatMap(([name, ask]) =>
    sides.map((side, index) => async () => {
      const all = answers.get(name) ?? [];
      all[index] = await ask(side);
      answers.set(name, all);
    }),
  );
  const timings = toTimings(Object.keys(asks), sides.length, await runRounds(works, rounds));
  const compared = timings.map((timing) => {
    const difference = compareAnswers(answers.get(timing.name) ?? []);
    return { ...timing, ...(difference !== undefined && { difference }) };
  });
  if (!isAtOnce) return { timings: compared };
  const together = sides.map(
    (side) => () => Promise.all(Object.values(asks).map((ask) => ask(side))),
  );
  const [atOnce] = toTimings(['all at once'], sides.length, await runRounds(together, rounds));
  return { timings: compared, ...(atOnce && { atOnce }) };
}

/** `medians` has one number for each side of each name. */
function toTimings(names: readonly string[], sides: number, medians: readonly number[]): Timing[] {
  return names.map((name, index) => {
    const [ms = 0, againstMs] = medians.slice(index * sides, (index + 1) * sides);
    return { name, ms, ...(againstMs !== undefined && { againstMs }) };
  });
}

async function timeByHand(side: Asked | undefined, { rounds, days }: AskOptions) {
  if (side === undefined) return [];
  const visits = countVisits(side.history, days);
  const isEstimated = visits > ESTIMATED_FROM_VISITS;
  const { siteId } = side.history;
  const statements = readByHand({ siteId, days, isEstimated });
  const works: Work[] = statements.flatMap(({ panel, sql }) => [
    () => toAsk(PANELS[panel] as Panel, days)(side),
    () => side.sql(sql).catch((error: Error) => side.refusals.add(`${panel}: ${error.message}`)),
  ]);
  const medians = await runRounds(works, rounds);
  return statements.map(({ panel }, index) => ({
    panel,
    ms: medians[2 * index] ?? 0,
    byHandMs: medians[2 * index + 1] ?? 0,
  }));
}

function mapValues<From, To>(
  from: Readonly<Record<string, From>>,
  toValue: (value: From) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(from).map(([name, value]) => [name, toValue(value)]));
}
