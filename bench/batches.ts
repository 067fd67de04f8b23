import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { metricsHeaders } from '../test/server/read-metrics.ts';
import { startServer, type TestServer } from '../test/server/start-server.ts';
import { BATCH_EVENTS, loadOf, prepareSite, runLoad, startLoadProcess } from './load-plan.ts';
import { measureProcesses } from './measure-processes.ts';

const USAGE = `usage: npm run bench -- batches [options]

  --seconds N   how long batches of ${BATCH_EVENTS} events come as fast as they are answered (15)
  --json        print one JSON value
`;

const CONNECTIONS = 8;
const VISITORS = 5_000;
const SHIPPED_MAX_S = 300;

/** The results for a server that sends batches. */
export type BatchesResult = {
  readonly events: number;
  readonly eventsPerSecond: number;
  readonly p99Ms: number;
  readonly failures: number;
  /** From the last answer until the warehouse had every event. */
  readonly shippedAfterS: number;
  readonly peakMb: number;
};

/** Sends batches as fast as they are answered, then waits until the warehouse has all of them. */
export async function benchBatches(seconds: number): Promise<BatchesResult> {
  const server = await startServer();
  const load = startLoadProcess();
  try {
    const to = await prepareSite(server);
    const peak = watchMemory(server);
    const plan = { connections: CONNECTIONS, visitors: VISITORS, round: 0 };
    const batches = loadOf('batches', to, { ...plan, durationMs: seconds * 1_000 });
    const result = await runLoad(load, batches);
    const startedAt = performance.now();
    await untilShipped(server);
    const shippedAfterS = (performance.now() - startedAt) / 1_000;
    const events = (result.requests - result.failures) * BATCH_EVENTS;
    return {
      events,
      eventsPerSecond: Math.round((events / result.durationMs) * 1_000),
      p99Ms: result.p99Ms,
      failures: result.failures,
      shippedAfterS,
      peakMb: peak.end(),
    };
  } finally {
    load.kill();
    await server.stop();
    server.cleanUp();
  }
}

function watchMemory(server: TestServer) {
  let peakMb = 0;
  const timer = setInterval(() => {
    peakMb = Math.max(peakMb, measureProcesses(server.pids()).residentMb);
  }, 1_000);
  return {
    end(): number {
      clearInterval(timer);
      return peakMb;
    },
  };
}

async function untilShipped({ url, dataDir }: TestServer): Promise<void> {
  const headers = await metricsHeaders(dataDir);
  for (const until = performance.now() + SHIPPED_MAX_S * 1_000; performance.now() < until; ) {
    const text = await (await fetch(`${url}/metrics`, { headers })).text();
    if (/^tributary_journal_backlog_bytes 0$/m.test(text)) return;
    await sleep(250);
  }
  throw new Error(`not everything was shipped within ${SHIPPED_MAX_S} s`);
}

/** The command `npm run bench -- batches`. */
export async function runBatches(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      seconds: { type: 'string', default: '15' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stderr.write(USAGE);
    return;
  }
  const result = await benchBatches(Number(values.seconds));
  if (values.json) {
    process.stdout.write(`${JSON.stringify(result)}\n`);
    return;
  }
  process.stdout.write(
    `Batches of ${BATCH_EVENTS} events over ${CONNECTIONS} connections for ${values.seconds} s: ` +
      `${result.eventsPerSecond.toLocaleString('en')} events/s accepted and durable ` +
      `(p99 of a batch ${result.p99Ms.toFixed(1)} ms, ${result.failures} failures); all ` +
      `${result.events.toLocaleString('en')} in the warehouse ${result.shippedAfterS.toFixed(1)} s after the last answer; ` +
      `at most ${result.peakMb.toFixed(0)} MB.\n`,
  );
}
