import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { createChance } from '#cli/demo/chance.ts';
import { MAIN } from '../../server/program.ts';
import { startLoad } from '../load.ts';
import { createOracle } from '../oracle.ts';
import { recount, untilShipped } from '../recount.ts';
import { createChecks, type Row } from '../row.ts';
import { startTortureServer, type TortureServer } from '../torture-server.ts';

const LOAD_MS = 2_500;

/** T1c: `kill -9` of a warehouse rebuild, with all of its processes, at random instants. */
export const killedRebuilds: Row = {
  id: 'T1c',
  title: 'kill -9 of a rebuild, and of the server that comes between',
  unit: 'rebuilds',
  quick: 4,
  full: 200,
  async run({ seed, amount, log }) {
    const server = await startTortureServer();
    const oracle = createOracle();
    const chance = createChance(seed, 0);
    try {
      await fill(server, oracle, seed);
      await server.stop();
      const wholeMs = (await rebuild(server.dataDir, undefined)).tookMs;
      let killed = 0;
      for (let number = 1; number <= amount; number++) {
        const { code } = await rebuild(server.dataDir, chance.whole(0, Math.ceil(wholeMs)));
        if (code !== 0) killed += 1;
        log(`rebuild ${number} of ${amount}: ${code === 0 ? 'done before its kill' : 'killed'}`);
        if (chance.isTrue(0.3)) await serveBetween(server, oracle, seed + number);
      }
      const checks = createChecks();
      const last = await rebuild(server.dataDir, undefined);
      checks.equal(
        'a rebuild that nobody kills ends, and its counts agree',
        String(last.code),
        '0',
      );
      await server.startAgain();
      await server.untilReady(20_000);
      await untilShipped(server);
      const found = await recount(server, oracle, checks);
      const numbers = { rebuilds: amount, 'killed in the middle': killed, ...found };
      return { numbers, checks: checks.all };
    } finally {
      await server.stop();
      server.cleanUp();
    }
  },
};

type Oracle = ReturnType<typeof createOracle>;

/** Serves on what a killed rebuild left, accepts more, and is killed too. */
async function serveBetween(server: TortureServer, oracle: Oracle, seed: number): Promise<void> {
  await server.startAgain();
  await server.untilReady(20_000);
  await fill(server, oracle, seed, 300);
  await server.killAll();
}

async function fill(
  server: TortureServer,
  oracle: Oracle,
  seed: number,
  durationMs = LOAD_MS,
): Promise<void> {
  const load = startLoad({
    server,
    oracle,
    seed,
    ...{ senders: 4, batch: 50, goals: 10, payments: 20, daysBack: 60 },
  });
  await sleep(durationMs);
  await load.end();
}

/** Runs `rebuild`, and kills it with its engine after this time. */
async function rebuild(dataDir: string, killAfterMs: number | undefined) {
  const from = performance.now();
  const env = { ...process.env, DATA_DIR: dataDir, LOG_LEVEL: 'error' };
  const child = spawn(process.execPath, [MAIN, 'rebuild', '--json'], {
    env,
    stdio: 'ignore',
    detached: true, // In its own group, so that its engine dies with it.
  });
  const timer =
    killAfterMs === undefined ? undefined : setTimeout(() => killGroup(child.pid), killAfterMs);
  const [code] = await once(child, 'exit');
  clearTimeout(timer);
  return { code: code as number | null, tookMs: performance.now() - from };
}

function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // It already ended by itself.
  }
}
