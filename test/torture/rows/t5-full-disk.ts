import { execFileSync } from 'node:child_process';
import { closeSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createChance } from '#cli/demo/chance.ts';
import { makeDataDir } from '../../server/start-server.ts';
import { ask } from '../dashboard-queries.ts';
import { type LoadFigures, send, startLoad, tellStatuses } from '../load.ts';
import { createOracle, type Oracle } from '../oracle.ts';
import { recount, untilShipped } from '../recount.ts';
import { createChecks, type Row } from '../row.ts';
import { addSite, reopenTortureServer, type TortureServer } from '../torture-server.ts';

const DISK_MB = 256;
const RESUMES_WITHIN_MS = 5_000;
const PATIENCE_MS = 30_000;
/** Enough for journals, ledger and accounts; not enough for table definitions. */
const FIRST_ROOM_BYTES = 1_000_000;
const FIRST_TRIES_MS = 2_500;

/** T5: the disk is full for a while, including at startup. */
export const fullDisk: Row = {
  id: 'T5',
  title: 'the disk is full for a while, also at starts (a sized tmpfs)',
  unit: 'fills',
  quick: 1,
  full: 20,
  findObstacle: () => (process.getuid?.() === 0 ? undefined : 'only root can mount a tmpfs'),
  async run({ seed, amount, log }) {
    const dataDir = makeDataDir();
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m`, 'tmpfs', dataDir]);
    process.once('exit', () => unmount(dataDir));
    const ballast = join(dataDir, 'ballast');
    const server = await startFirst(dataDir, ballast);
    const oracle = createOracle();
    const chance = createChance(seed, 0);
    const load = startLoad({
      server,
      oracle,
      seed,
      senders: 4,
      batch: 40,
      goals: 20,
      payments: 20,
      pauseMs: 10,
    });
    const checks = createChecks();
    let slowestMs = 0;
    let answered = 0;
    try {
      for (let fill = 0; fill < amount; fill++) {
        await sleep(chance.whole(500, 2_000));
        const refusedBefore = countRefused(load.figures);
        await until(() => {
          fillDisk(dataDir, ballast); // Repeatedly, because merges free space.
          return countRefused(load.figures) > refusedBefore + 20;
        }, 'a write is refused');
        const { status } = await untilAnswered(server, RESUMES_WITHIN_MS);
        if (status === 200) answered += 1;
        log(`fill ${fill + 1} of ${amount}: the disk is full, a query answers ${status}`);
        await sleep(chance.whole(200, 1_500));
        rmSync(ballast);
        slowestMs = Math.max(slowestMs, await untilAccepted(load.figures));
      }
      await load.end();
      const starts: FullStart[] = [];
      for (const after of ['kill', 'stop'] as const) {
        starts.push(await startFull(server, oracle, { dataDir, ballast, after }));
      }
      await untilShipped(server);
      const found = await recount(server, oracle, checks);
      const slowestStartMs = Math.max(...starts.map(({ resumedMs }) => resumedMs));
      const slowestAnswerMs = Math.max(...starts.map(({ answeredMs }) => answeredMs));
      const silent = starts.filter(
        ({ showed }) => !/answers 200$|DATA_DIR .* is full/.test(showed),
      );
      checks.equal(
        'a start on a full disk serves queries, or says what is the matter',
        silent.map(({ showed }) => showed).join(' | '),
        '',
      );
      checks.that(
        'after a start on a full disk it accepts writes within 5 s of its being freed',
        slowestStartMs <= RESUMES_WITHIN_MS,
        `${Math.round(slowestStartMs)} ms`,
      );
      checks.equal('queries are answered while the disk is full, within 5 s', answered, amount);
      checks.thatWhenQuiet(
        'a start on a full disk answers queries within 5 s, if it serves',
        slowestAnswerMs <= RESUMES_WITHIN_MS,
        `${Math.round(slowestAnswerMs)} ms`,
      );
      checks.that(
        'writes are accepted again within 5 s',
        slowestMs <= RESUMES_WITHIN_MS,
        `${Math.round(slowestMs)} ms`,
      );
      const others = [...load.figures.statuses.keys()].filter(
        (status) => ![200, 503].includes(status),
      );
      checks.equal('every answer is 200 or 503', others.join(), '');
      return {
        numbers: {
          fills: amount,
          requests: load.figures.requests,
          answers: tellStatuses(load.figures),
          ...found,
          'slowest resumption, ms': Math.round(slowestMs),
          'slowest start after a full disk, ms': Math.round(slowestStartMs),
        },
        checks: checks.all,
      };
    } finally {
      rmSync(ballast, { force: true });
      await Promise.race([load.end(), sleep(1_000)]);
      await server.stop();
      unmount(dataDir);
      server.cleanUp();
    }
  },
};

/** The very first start, with almost no space until it has tried to create its tables. */
async function startFirst(dataDir: string, ballast: string): Promise<TortureServer> {
  const key = await addSite(dataDir);
  fillDisk(dataDir, ballast, FIRST_ROOM_BYTES);
  const starting = reopenTortureServer(dataDir, key);
  starting.catch(() => {}); // The caller awaits it.
  await sleep(FIRST_TRIES_MS);
  rmSync(ballast);
  return starting;
}

/** The result of a start on a full disk, how soon it answered, and accepted writes once space was free. */
type FullStart = {
  readonly showed: string;
  readonly answeredMs: number;
  readonly resumedMs: number;
};

/** Stops it, fills the disk, and restarts it like an outside supervisor until it serves. */
async function startFull(
  server: TortureServer,
  oracle: Oracle,
  place: { readonly dataDir: string; readonly ballast: string; readonly after: 'kill' | 'stop' },
): Promise<FullStart> {
  await (place.after === 'kill' ? server.killAll() : server.stop());
  fillDisk(place.dataDir, place.ballast);
  const start = () => server.startAgain('listening').then(() => 'serves', String);
  let showed = await start();
  const serves = showed === 'serves';
  let answeredMs = 0;
  if (serves) {
    const { status, tookMs } = await untilAnswered(server, PATIENCE_MS);
    showed = `serves, a query answers ${status}`;
    answeredMs = tookMs;
  }
  rmSync(place.ballast);
  const from = performance.now();
  const then = serves ? 'serves' : await start();
  if (then !== 'serves') throw new Error(`it does not start on a free disk: ${then}`);
  const id = `started-after-${place.after}`;
  oracle.sendPayment(id, 100);
  const body = JSON.stringify({ amount: 1, currency: 'EUR', transaction_id: id });
  const agent = new Agent();
  while ((await send(agent, server, '/api/v1/payments', body)).status !== 200) {
    if (performance.now() - from > PATIENCE_MS) throw new Error('writes are never accepted again');
    await sleep(50);
  }
  oracle.acknowledgePayment(id, { amountMinor: 100, refundedMinor: 0 });
  return { showed, answeredMs, resumedMs: performance.now() - from };
}

/** The engine is ready shortly after the web process, and replaced when one of its merges fails. */
async function untilAnswered(
  server: TortureServer,
  maxMs: number,
): Promise<{ readonly status: number; readonly tookMs: number }> {
  const from = performance.now();
  for (;;) {
    const status = await ask(server);
    const tookMs = performance.now() - from;
    if (status === 200 || tookMs > maxMs) return { status, tookMs };
    await sleep(50);
  }
}

/** Fills the disk, to the last block or down to the given free space. */
function fillDisk(dataDir: string, path: string, leaveBytes = 0): void {
  const file = openSync(path, 'a');
  const block = Buffer.alloc(4_096, 1);
  try {
    while (freeBytesOf(dataDir) > leaveBytes) writeSync(file, block);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  } finally {
    closeSync(file);
  }
}

function freeBytesOf(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

function countRefused({ statuses }: LoadFigures): number {
  return statuses.get(503) ?? 0;
}

/** The time until senders only get 200 again, and no more 503. */
async function untilAccepted(figures: LoadFigures): Promise<number> {
  const from = performance.now();
  const accepted = figures.statuses.get(200) ?? 0;
  await until(() => (figures.statuses.get(200) ?? 0) > accepted + 20, 'writes are accepted again');
  return performance.now() - from;
}

async function until(isSo: () => boolean, what: string): Promise<void> {
  const endsAt = performance.now() + PATIENCE_MS;
  while (!isSo()) {
    if (performance.now() > endsAt) throw new Error(`waited in vain: ${what}`);
    await sleep(10);
  }
}

function unmount(dataDir: string): void {
  try {
    execFileSync('umount', ['--lazy', dataDir], { stdio: 'ignore' });
  } catch {
    // Already unmounted.
  }
}
