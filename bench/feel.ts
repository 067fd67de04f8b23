import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { toWhole } from '../test/run/usage-fault.ts';
import { runCli, startServer, type TestServer } from '../test/server/start-server.ts';
import { becomeOwner, DEMO, openSignedIn } from '../test/system/dashboard/open-dashboard.ts';
import { type Feel, watchFirstView } from '../test/system/dashboard/steps/watch-first-view.ts';
import { openBrowser } from '../test/system/e2e/open-browser.ts';
import { median } from './median.ts';
import { prepareHistory, SITE } from './queries/prepare-history.ts';
import { findEnd, QUERIES_OPTIONS } from './queries/queries.ts';
import { startSide } from './queries/side.ts';
import { startTraffic } from './queries/traffic.ts';

const USAGE = `usage: npm run bench -- feel [options]

Opens the first view of the dashboard in a browser: of the demo, and of a history while events flow in.

  --events N        events of the history (20000000); 0 for the demo alone
  --rounds N        how often each is opened (3)
  --cache FOLDER    where histories lie ready for the next run
  --json            print one JSON value
`;

const HERE = fileURLToPath(new URL('..', import.meta.url));
const SEED = 1;
const ROUNDS = 3;
const DEMO_VISITORS = 20_000;

/** The command `npm run bench -- feel`. */
export async function runFeel(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      events: { type: 'string', default: '20000000' },
      rounds: { type: 'string', default: `${ROUNDS}` },
      cache: QUERIES_OPTIONS.cache,
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stderr.write(USAGE);
    return;
  }
  const rounds = toWhole(values.rounds, 1) ?? ROUNDS;
  const events = toWhole(values.events, 0) ?? 0;
  const results = [{ of: 'the demo', ...(await feelDemo(rounds)) }];
  if (events > 0) {
    const of = `${events.toLocaleString('en')} events`;
    results.push({ of, ...(await feelHistory(events, rounds, values.cache)) });
  }
  process.stdout.write(values.json ? `${JSON.stringify(results)}\n` : toText(results));
}

async function feelDemo(rounds: number): Promise<Feel> {
  const server = await startServer();
  await runCli(['demo', '--visitors', String(DEMO_VISITORS)], server.dataDir);
  try {
    return await feel(server, DEMO, rounds);
  } finally {
    await server.stop();
    server.cleanUp();
  }
}

/** With 200 events and one payment a second arriving, as in real use. */
async function feelHistory(events: number, rounds: number, cacheFolder: string): Promise<Feel> {
  const history = { events, seed: SEED, endsAt: findEnd(cacheFolder, events, SEED) };
  const prepared = await prepareHistory(cacheFolder, HERE, history);
  const { dataDir, key } = prepared;
  const side = await startSide({ checkout: HERE, dataDir, key });
  try {
    await side.untilQuiet();
    const traffic = await startTraffic(side, prepared);
    const found = await feel({ url: side.url, dataDir }, SITE, rounds);
    await traffic.end();
    return found;
  } finally {
    await side.stop();
  }
}

/** The medians of some views, each in a browser with an empty cache. */
async function feel(
  server: Pick<TestServer, 'url' | 'dataDir'>,
  domain: string,
  rounds: number,
): Promise<Feel> {
  await becomeOwner(server).catch(() => {}); // A reused history already has its owner.
  const browser = await openBrowser();
  const views: Feel[] = [];
  try {
    for (let round = 0; round < rounds; round++) {
      const page = await openSignedIn(browser, server);
      views.push(await watchFirstView(page, `/${domain}`));
      await page.context().close();
    }
  } finally {
    await browser.close();
  }
  const middle = (name: keyof Feel) => median(views.map((view) => view[name]));
  return {
    firstContentMs: middle('firstContentMs'),
    cardsMs: middle('cardsMs'),
    firstPanelMs: middle('firstPanelMs'),
    allPanelsMs: middle('allPanelsMs'),
  };
}

function toText(results: readonly (Feel & { readonly of: string })[]): string {
  const rows = results.map(
    ({ of, ...view }) =>
      `| ${of} | ${Object.values(view)
        .map((ms) => `${(ms / 1_000).toFixed(2)} s`)
        .join(' | ')} |`,
  );
  return [
    '| first view of | first content | cards | first panel | all panels |',
    '|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}
