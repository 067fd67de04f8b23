import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type LoadFigures, percentile, startLoad, tellStatuses } from './load.ts';
import { createOracle } from './oracle.ts';
import { recount, untilShipped } from './recount.ts';
import { createChecks, type Row } from './row.ts';
import { countDescriptors, startTortureServer, type TortureServer } from './torture-server.ts';

const NORMAL_MS = 4_000;
/** The longest timeout is 10 s for a whole request, looked for every second. */
const CUT_OFF_WITHIN_MS = 12_500;
/** Below this a doubled p99 is the noise of two cores, and nobody's wait. */
const P99_FLOOR_MS = 40;
const DRIP_MS = 400;

/** T9: slow, silent, pipelining and boasting clients, beside honest ones. */
export const slowClients: Row = {
  id: 'T9',
  title: 'slow headers, slow bodies, silence, pipelines, huge headers',
  unit: 'sockets',
  quick: 400,
  full: 2_000,
  async run({ seed, amount, log }) {
    const server = await startTortureServer();
    const oracle = createOracle();
    const checks = createChecks();
    const load = (round: number) =>
      startLoad({
        server,
        oracle,
        seed,
        stream: round * 100,
        senders: 4,
        batch: 10,
        payments: 20,
        pauseMs: 5,
      });
    try {
      await measure(load(0)); // Warms up.
      const pid = server.findPid('web') ?? 0;
      const before = countDescriptors(pid);
      const normal = await measure(load(1));
      log('the hostile sockets are opened');
      const hostile = Array.from({ length: amount }, (_, index) => openHostile(server, index));
      const running = load(2);
      const from = performance.now();
      await Promise.race([
        Promise.all(hostile.map(({ closed }) => closed)),
        sleep(CUT_OFF_WITHIN_MS + 2_000),
      ]);
      const cutOffMs = performance.now() - from;
      await running.end();
      const open = hostile.filter(({ socket }) => !socket.destroyed);
      for (const { socket } of open) socket.destroy();
      const after = await settleDescriptors(pid, before);
      await untilShipped(server);
      const found = await recount(server, oracle, checks);
      const [p99, hostileP99] = [p99Of(normal), p99Of(running.figures)];
      const allowed = Math.max(2 * p99, P99_FLOOR_MS);
      checks.that('the honest p99 stays under twice its normal', hostileP99 <= allowed, hostileP99);
      checks.equal('every hostile socket is cut off', open.length, 0);
      checks.that('they are cut off in time', cutOffMs <= CUT_OFF_WITHIN_MS, `${cutOffMs} ms`);
      checks.that('no descriptor leaks', after <= before + 8, `${before} before, ${after} after`);
      return {
        numbers: {
          'hostile sockets': amount,
          'requests beside them': running.figures.requests,
          answers: tellStatuses(running.figures),
          'normal p99, ms': p99.toFixed(1),
          'p99 beside them, ms': hostileP99.toFixed(1),
          'all cut off after, ms': Math.round(cutOffMs),
          'descriptors before and after': `${before}, ${after}`,
          ...found,
        },
        checks: checks.all,
      };
    } finally {
      await server.stop();
      server.cleanUp();
    }
  },
};

type Load = ReturnType<typeof startLoad>;

async function measure(load: Load): Promise<LoadFigures> {
  await sleep(NORMAL_MS);
  await load.end();
  return load.figures;
}

function p99Of({ latenciesMs }: LoadFigures): number {
  return percentile(latenciesMs, 0.99);
}

type Hostile = { readonly socket: Socket; readonly closed: Promise<void> };

const KINDS: readonly ((socket: Socket, server: TortureServer) => void)[] = [
  (socket) => drip(socket, 'POST /api/v1/goals HTTP/1.1\r\nhost: a\r\nx-slow: '),
  (socket, { key }) =>
    drip(
      socket,
      '{"service_visitor_id":"',
      `POST /api/v1/goals HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n`,
    ),
  () => {}, // Says nothing at all.
  (socket) => socket.end('GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(100)),
  (socket) => socket.write(`GET / HTTP/1.1\r\nhost: a\r\nx-huge: ${'x'.repeat(100_000)}\r\n\r\n`),
];

function openHostile(server: TortureServer, index: number): Hostile {
  const socket = connect({ port: server.port, host: '127.0.0.1' });
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
  socket.on('error', () => {});
  socket.resume();
  socket.once('connect', () => KINDS[index % KINDS.length]?.(socket, server));
  return { socket, closed };
}

/** One character after the other, for ever. */
function drip(socket: Socket, text: string, head = ''): void {
  socket.write(head);
  let next = 0;
  const timer = setInterval(() => socket.write(text[next++] ?? 'x'), DRIP_MS);
  socket.on('close', () => clearInterval(timer));
}

/** What is open once the kernel has told the server of every closed socket. */
async function settleDescriptors(pid: number, before: number): Promise<number> {
  const endsAt = performance.now() + 5_000;
  while (countDescriptors(pid) > before + 8 && performance.now() < endsAt) await sleep(100);
  return countDescriptors(pid);
}
