import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { newUuid } from '#ingest/new-uuid.ts';
import { makeDataDir, runCli, startServer, type TestServer } from '../test/server/start-server.ts';
import { startWarehouseDoor } from '../test/server/warehouse-door.ts';
import { measureProcesses } from './measure-processes.ts';

const USAGE = `usage: npm run bench -- catch-up [options]

  --rate N     events a second that come in all the time (5000)
  --away-s S   for how long the warehouse was away at that rate (60)
  --json       print one JSON value
`;

const SITE = 'bench.example';
const BATCH = 100;
const FILL_AT_ONCE = 8;
const LOOK_EVERY_MS = 250;
/** Events wait a second for company, and the engine takes its time. */
const KEPT_UP_S = 2;
const BROWSER =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36';

/** How fast what piled up went to the warehouse while more came in. */
export type CatchUpResult = {
  readonly rate: number;
  readonly backlogEvents: number;
  /** Until only what had just come waited. */
  readonly seconds: number;
  readonly shippedPerSecond: number;
  /** How many times the incoming rate that is. */
  readonly timesRate: number;
  readonly refused: number;
  readonly peakMb: number;
};

/** Builds a backlog with the warehouse away, brings it back under load, and measures. */
export async function benchCatchUp(options: {
  readonly rate: number;
  readonly awaySeconds: number;
}): Promise<CatchUpResult> {
  const { rate, awaySeconds } = options;
  const dataDir = makeDataDir();
  const door = await startWarehouseDoor(dataDir);
  let server: TestServer | undefined;
  try {
    await runCli(['site', 'add', SITE], dataDir);
    const env = { CLICKHOUSE_URL: door.url, LOG_LEVEL: 'fatal' };
    server = await startServer({ dataDir, env });
    const { url, pids } = server;
    const sender = createSender(url);
    const countShipped = async () => Number((await door.ask('SELECT count() FROM events'))[0]?.[0]);
    await untilReady(url);
    door.shut();
    const backlogEvents = rate * awaySeconds;
    await fill(sender, backlogEvents);
    const load = startLoad(sender, rate);
    door.open();
    const from = performance.now();
    let peakMb = 0;
    while ((await countShipped()) < sender.accepted() - rate * KEPT_UP_S) {
      peakMb = Math.max(peakMb, measureProcesses([...pids(), door.enginePid]).residentMb);
      await sleep(LOOK_EVERY_MS);
    }
    const seconds = (performance.now() - from) / 1_000;
    const shippedPerSecond = (await countShipped()) / seconds;
    await load.end();
    return {
      rate,
      backlogEvents,
      seconds,
      shippedPerSecond,
      timesRate: shippedPerSecond / rate,
      refused: sender.refused(),
      peakMb,
    };
  } finally {
    await server?.stop();
    await door.stop();
    server?.cleanUp();
  }
}

/** Runs the bench as `arguments_` ask, and prints what it found. */
export async function runCatchUp(arguments_: string[]): Promise<void> {
  const { values } = parseArgs({
    args: arguments_,
    options: {
      rate: { type: 'string', default: '5000' },
      'away-s': { type: 'string', default: '60' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stderr.write(USAGE);
    return;
  }
  const result = await benchCatchUp({
    rate: Number(values.rate),
    awaySeconds: Number(values['away-s']),
  });
  process.stdout.write(values.json ? `${JSON.stringify(result)}\n` : toText(result));
}

function toText(result: CatchUpResult): string {
  const { rate, backlogEvents, seconds, shippedPerSecond, timesRate } = result;
  return `${backlogEvents.toLocaleString('en')} events waited while ${rate.toLocaleString('en')} more came in each second.
They were shipped in ${seconds.toFixed(1)} s: ${Math.round(shippedPerSecond).toLocaleString('en')} events a second, ${timesRate.toFixed(1)} times what came in.
${result.refused} requests were refused; all processes together took at most ${result.peakMb.toFixed(0)} MB.
`;
}

type Sender = { send(): Promise<void>; accepted(): number; refused(): number };

function createSender(url: string): Sender {
  const agent = new Agent({ keepAlive: true, maxSockets: FILL_AT_ONCE });
  let [accepted, refused] = [0, 0];
  return {
    accepted: () => accepted,
    refused: () => refused,
    send: () =>
      new Promise((resolve, reject) => {
        const headers = { 'content-type': 'application/json', 'user-agent': BROWSER };
        const asked = request(
          `${url}/api/v1/events`,
          { agent, method: 'POST', headers },
          (answer) => {
            if (answer.statusCode === 200) accepted += BATCH;
            else refused += 1;
            answer.resume();
            answer.on('end', resolve);
          },
        );
        asked.on('error', reject);
        asked.end(JSON.stringify({ events: Array.from({ length: BATCH }, makePageview) }));
      }),
  };
}

function makePageview() {
  const now = Date.now();
  return {
    ...{ site: SITE, type: 'pageview', service_visitor_id: randomUUID(), sent_at: now },
    ...{ visit_id: newUuid(now), event_id: newUuid(now), screen_width: 1440, language: 'de-DE' },
    url: `https://${SITE}/pages/${now % 200}?utm_source=newsletter&utm_campaign=autumn`,
    referrer: 'https://www.google.com/',
    title: 'A page of the bench',
  };
}

async function fill(sender: Sender, events: number): Promise<void> {
  let left = Math.ceil(events / BATCH);
  const work = async () => {
    while (left > 0) {
      left -= 1;
      await sender.send();
    }
  };
  await Promise.all(Array.from({ length: FILL_AT_ONCE }, work));
}

function startLoad(sender: Sender, rate: number): { end(): Promise<void> } {
  const sent = new Set<Promise<void>>();
  const from = performance.now();
  let count = 0;
  const timer = setInterval(() => {
    const due = ((performance.now() - from) / 1_000) * rate;
    for (; count < due; count += BATCH) {
      const one = sender.send().finally(() => sent.delete(one));
      sent.add(one);
    }
  }, 20);
  return {
    async end() {
      clearInterval(timer);
      await Promise.all(sent);
    },
  };
}

async function untilReady(url: string): Promise<void> {
  while (!(await fetch(`${url}/readyz`)).ok) await sleep(LOOK_EVERY_MS);
}
