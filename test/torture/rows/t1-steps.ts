import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CrashPoint } from '#storage/crash-points.ts';
import { MAIN } from '../../server/program.ts';
import { makeDataDir } from '../../server/start-server.ts';
import { startLoad, tellStatuses } from '../load.ts';
import { createOracle } from '../oracle.ts';
import { recount, untilShipped } from '../recount.ts';
import { BACK_WITHIN_MS, type Checks, createChecks, type Row } from '../row.ts';
import { startTortureServer, type TortureServer } from '../torture-server.ts';

/** The path of events and payments, step by step. */
const WAY: readonly CrashPoint[] = [
  ...(['journal commit', 'ledger commit', 'answer', 'shipment note', 'warehouse insert'] as const),
  ...(['archive', 'journal delete', 'outbox delete', 'payments insert', 'payments note'] as const),
];

/** Where the web process is killed: around each step, and while a shipment is in doubt. */
const PLANS: readonly (readonly string[])[] = [
  ...WAY.flatMap((step) => [[`before ${step}`], [`after ${step}`]]),
  ['after warehouse insert', 'before completion'],
  ['after warehouse insert', 'after completion'],
  ['after shipment note', 'after completion', 'before completion'],
];

/** A few of them then cover the whole path; the stride is coprime to their number. */
const STRIDE = 7;

const CRASH_MAX_MS = 15_000;

/** T1b: kills the process at every step, and while the ledger's tables are created. */
export const crashesAtSteps: Row = {
  id: 'T1b',
  title: 'a crash right before and right after every step',
  unit: 'points',
  quick: PLANS.length,
  full: 1_000,
  async run({ seed, amount, log }) {
    const folder = mkdtempSync(join(tmpdir(), 'tributary-steps-'));
    const plan = join(folder, 'plan');
    const dataDir = makeDataDir();
    const checks = createChecks();
    const schemaCrashes = await crashAtFirstOpening(dataDir, plan, checks);
    const server = await startTortureServer({ dataDir, env: { TRIBUTARY_TEST_CRASH_PLAN: plan } });
    const oracle = createOracle();
    const load = startLoad({
      server,
      oracle,
      seed,
      ...{ senders: 4, batch: 20, goals: 20, payments: 25, pauseMs: 10 },
    });
    let crashes = 0;
    let slowestMs = 0;
    try {
      for (let number = 0; number < amount; number++) {
        const points = PLANS[(number * STRIDE) % PLANS.length] ?? [];
        writeFileSync(plan, points.join('\n'));
        await untilCrashed(plan, points);
        crashes += points.length;
        slowestMs = Math.max(slowestMs, await untilBack(server));
        log(`${number + 1} of ${amount}: ${points.join(', then ')}`);
      }
      await load.end();
      await untilShipped(server);
      const found = await recount(server, oracle, checks);
      const isBack = slowestMs <= BACK_WITHIN_MS;
      checks.thatWhenQuiet('it serves again within 5 s', isBack, `${slowestMs} ms`);
      return {
        numbers: {
          crashes,
          'crashes at the first opening': schemaCrashes,
          requests: load.figures.requests,
          answers: tellStatuses(load.figures),
          ...found,
          'slowest recovery, ms': Math.round(slowestMs),
        },
        checks: checks.all,
      };
    } finally {
      await Promise.race([load.end(), sleep(1_000)]);
      await server.stop();
      server.cleanUp();
      rmSync(folder, { recursive: true });
    }
  },
};

async function untilCrashed(plan: string, points: readonly string[]): Promise<void> {
  const until = performance.now() + CRASH_MAX_MS;
  while (existsSync(plan)) {
    if (performance.now() > until) throw new Error(`it never came to: ${points.join(', then ')}`);
    await sleep(10);
  }
}

/** The time until the killed web process's successor answers. */
async function untilBack(server: TortureServer): Promise<number> {
  const from = performance.now();
  await sleep(50); // The plan is gone shortly before its process.
  await server.untilReady(30_000);
  return performance.now() - from;
}

/** Creates a ledger with commands that die before and after the commit of its tables. */
async function crashAtFirstOpening(dataDir: string, plan: string, checks: Checks): Promise<number> {
  const crashes = ['before ledger schema', 'after ledger schema'];
  writeFileSync(plan, crashes.join('\n'));
  let killed = 0;
  for (const _ of crashes) if ((await listSites(dataDir, plan)) === 'SIGKILL') killed += 1;
  checks.equal('a crash comes before and after the tables are there', killed, crashes.length);
  checks.equal('the ledger opens afterwards', String(await listSites(dataDir, plan)), '0');
  return killed;
}

async function listSites(dataDir: string, plan: string): Promise<unknown> {
  const env = { ...process.env, DATA_DIR: dataDir, TRIBUTARY_TEST_CRASH_PLAN: plan };
  const child = spawn(process.execPath, [MAIN, 'site', 'list', '--json'], { env, stdio: 'ignore' });
  const [code, signal] = await once(child, 'exit');
  return signal ?? code;
}
