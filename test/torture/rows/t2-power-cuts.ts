import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Chance, createChance } from '#cli/demo/chance.ts';
import { makeDataDir } from '../../server/start-server.ts';
import { createDatedOracle, type DatedOracle } from '../dated-oracle.ts';
import { startLoad } from '../load.ts';
import { readTree, type TreeFolder } from '../power-cut/file-tree.ts';
import { planCuts } from '../power-cut/plan-cuts.ts';
import { buildRecorder, findEatmydata, findRecorderObstacle } from '../power-cut/preload.ts';
import type { TracedCall } from '../power-cut/read-trace.ts';
import {
  cutAfter,
  type RecordedServerOptions,
  startRecorded,
} from '../power-cut/recorded-server.ts';
import { readLedger, recount, untilShipped } from '../recount.ts';
import { type Check, createChecks, type Row, type RowPlan, type RowReport } from '../row.ts';
import { addSite, type TortureServer } from '../torture-server.ts';

/** Cuts per run: as many as the quick size has of both kinds. */
const CUTS_PER_RUN = 10;
/** How often the power fails again during recovery from the last cut. */
const SECOND_CUT = 0.3;

const OPENS = 'it always opens, and ships what is left';
const LOSES_NOTHING = 'no acknowledged event is lost';

/** T2: the power fails at any instant, losing whatever no fsync has written. */
export const powerCuts: Row = {
  id: 'T2',
  title: 'power cuts: of each file stays what its last fsync wrote',
  unit: 'cuts',
  quick: 20,
  full: 5_000,
  findObstacle: findRecorderObstacle,
  run: (plan) => cutPowers(plan, { preload: [], secondCut: SECOND_CUT, from: 0, isControl: false }),
};

/** C2: the same under eatmydata, where fsync does nothing. The rules must then fail. */
export const powerCutsControl: Row = {
  id: 'C2',
  title: 'control of T2: under eatmydata the same row must fail',
  unit: 'cuts',
  quick: 2,
  full: 10,
  findObstacle: () =>
    findRecorderObstacle() ?? (findEatmydata() ? undefined : 'eatmydata is not installed'),
  async run(plan) {
    const { numbers, checks } = await cutPowers(plan, {
      preload: [findEatmydata() ?? ''],
      secondCut: 0,
      from: 0.5, // By then, much is acknowledged.
      isControl: true,
    });
    const broken = checks.filter((check) => check.failure !== undefined);
    const control = createChecks();
    control.that(
      'without fsync acknowledged events are lost or nothing opens, and the row says so',
      broken.some(({ rule }) => [OPENS, LOSES_NOTHING].includes(rule)),
      'it held all the same',
    );
    const [first] = broken;
    return {
      numbers: {
        ...numbers,
        'broken, as it must be': `${first?.rule} (${first?.failure?.slice(0, 200)})`,
      },
      checks: control.all,
    };
  },
};

type Circumstances = {
  readonly preload: readonly string[];
  /** The probability that the power fails again. */
  readonly secondCut: number;
  /** Cuts only come after this share of a run. */
  readonly from: number;
  /** Ends with the first cut that breaks a rule: more would show nothing new. */
  readonly isControl: boolean;
};

async function cutPowers(
  { seed, amount, log }: RowPlan,
  { preload, secondCut, from, isControl }: Circumstances,
): Promise<RowReport> {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-power-'));
  const dataDir = makeDataDir();
  const key = await addSite(dataDir);
  const first = readTree(dataDir);
  const found = createFindings();
  const options: RecordedServerOptions = {
    ...{ dataDir, key, tracePath: join(folder, 'trace') },
    preload: [...preload, buildRecorder(folder)],
  };
  let [cut, secondCuts] = [0, 0];
  const isOver = () => cut >= amount || (isControl && found.areBroken());
  try {
    for (let run = 0; !isOver(); run++) {
      const chance = createChance(seed, run * 100);
      const { calls, oracle } = await runUnderLoad(options, first, seed + run, chance);
      found.add('calls recorded', calls.length);
      found.add('events acknowledged', oracle.events);
      found.add('payments acknowledged', oracle.payments);
      for (const planned of planCuts(calls, Math.min(CUTS_PER_RUN, amount - cut), chance)) {
        if (isOver()) break;
        const count = Math.max(planned, Math.ceil(from * calls.length));
        cut += 1;
        const at = calls[count - 1]?.endsAt ?? 0;
        const isTwice = chance.isTrue(secondCut);
        if (isTwice) secondCuts += 1;
        const left = cutAfter(first, calls, count, chance);
        const name = `run ${run}, cut after call ${count} of ${calls.length}`;
        log(`cut ${cut} of ${amount}: ${name}`);
        const cutAgain = isTwice ? () => cutRecovery(options, left, chance) : async () => left;
        await recover(options, cutAgain, { oracle, at, name, found });
      }
    }
    return {
      numbers: { cuts: cut, 'of them twice': secondCuts, ...found.numbers },
      checks: found.toChecks(),
    };
  } finally {
    rmSync(folder, { recursive: true });
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** A server's operations under load, and its acknowledgements. */
async function runUnderLoad(
  options: RecordedServerOptions,
  before: TreeFolder,
  seed: number,
  chance: Chance,
): Promise<{ calls: TracedCall[]; oracle: DatedOracle }> {
  const recorded = await startRecorded(options, before);
  const oracle = createDatedOracle(recorded.now);
  const load = startLoad({
    server: recorded.server,
    oracle,
    seed,
    ...{ senders: 4, batch: 20, goals: 20, payments: 20, pauseMs: 10, daysBack: 60 },
  });
  await sleep(chance.whole(1_500, 4_500));
  await load.end();
  await sleep(chance.whole(0, 1_000));
  return { oracle, calls: await recorded.end(recorded.now()) };
}

/** What a second cut leaves while the server restarts on what the first left. */
async function cutRecovery(
  options: RecordedServerOptions,
  left: TreeFolder,
  chance: Chance,
): Promise<TreeFolder> {
  const recorded = await startRecorded(options, left);
  await sleep(chance.whole(0, 2_000));
  const calls = await recorded.end(recorded.now());
  const [count = 0] = planCuts(calls, 1, chance);
  return cutAfter(left, calls, count, chance);
}

type Cut = {
  readonly oracle: DatedOracle;
  readonly at: number;
  readonly name: string;
  readonly found: Findings;
};

/** Serves again on what is left, without an operator, and compares it with the oracle's record. */
async function recover(
  options: RecordedServerOptions,
  findLeft: () => Promise<TreeFolder>,
  { oracle, at, name, found }: Cut,
): Promise<void> {
  const checks = createChecks();
  try {
    const { server, end, now } = await startRecorded(options, await findLeft());
    try {
      await untilShipped(server);
      const then = oracle.asOf(at);
      await settlePayments(server, oracle, then, at);
      const { lost = 0, doubled = 0 } = await recount(server, then, checks);
      found.add('lost', lost);
      found.add('doubled', doubled);
      checks.that(OPENS, true, '');
    } finally {
      await end(now());
    }
  } catch (error) {
    checks.that(OPENS, false, error);
  } finally {
    found.keep(name, checks.all);
  }
}

/** A payment whose answer was in flight may already be recorded: then it must be everywhere. */
async function settlePayments(
  { dataDir }: TortureServer,
  oracle: DatedOracle,
  then: ReturnType<DatedOracle['asOf']>,
  at: number,
): Promise<void> {
  const ledger = await readLedger({ dataDir });
  for (const [id, facts] of oracle.nextPayments(at)) {
    const there = ledger.get(id);
    const isSo =
      there?.amountMinor === facts.amountMinor && there.refundedMinor === facts.refundedMinor;
    if (isSo) then.acknowledgePayment(id, facts);
  }
}

type Findings = ReturnType<typeof createFindings>;

/** The rules for all cuts, each reported once with the cuts that broke it. */
function createFindings() {
  const failuresByRule = new Map<string, string[]>();
  const numbers: Record<string, number> = {};
  return {
    numbers,
    add(name: string, count: number): void {
      numbers[name] = (numbers[name] ?? 0) + count;
    },
    keep(cut: string, checks: readonly Check[]): void {
      for (const { rule, failure } of checks) {
        const failures = failuresByRule.getOrInsertComputed(rule, () => []);
        if (failure !== undefined) failures.push(`${cut}: ${failure}`);
      }
    },
    areBroken: () => [...failuresByRule.values()].some((failures) => failures.length > 0),
    toChecks: (): Check[] =>
      [...failuresByRule].map(([rule, failures]) => ({
        rule,
        failure: failures.length === 0 ? undefined : failures.join('; '),
        needsQuiet: false,
      })),
  };
}
