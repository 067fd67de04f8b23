import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { afterEach, before, beforeEach } from 'node:test';
import { DAY_MS } from '#domain/time/durations.ts';
import { withWarehouse } from '#processes/with-warehouse.ts';
import { parseSettings } from '#settings.ts';
import { keepOpen } from '../../run/keep-open.ts';
import { addCaller, type Caller } from '../../server/caller.ts';
import { MAIN } from '../../server/program.ts';
import { makeDataDir, startServer } from '../../server/start-server.ts';
import { type Tamper, type VerifyOptions, verifyData } from '../../server/verify-data.ts';
import { waitUntil } from '../../server/wait-until.ts';

/** Two days of the shop; someone signed up today. */
export const MONDAY = Date.now() - 9 * DAY_MS;
export const TUESDAY = MONDAY + DAY_MS;

/** A day as written by verify. */
export const toDay = (at: number) => new Date(at).toISOString().slice(0, 10);

/** Makes a mutation of the engine finish before its answer. */
export const ALTER_NOW = 'SETTINGS mutations_sync = 2';

/** The data directory of a stopped server: events of two sites, payments of one. */
async function makeShop(): Promise<string> {
  const dataDir = makeDataDir();
  const server = await startServer({ dataDir });
  const caller = await addCaller(server.url, dataDir, 'example.com');
  const other = await addCaller(server.url, dataDir, 'other.example');
  await send(caller, 'ada', [MONDAY, MONDAY + 1, TUESDAY]);
  await send(caller, 'ben', [MONDAY]);
  await send(other, 'ada', [MONDAY]);
  assert.equal((await caller.goal('ada', 'signup', 'signup-of-ada')).status, 200);
  await pay(caller, 't-1', 29.99, MONDAY);
  await pay(caller, 't-2', 10, TUESDAY);
  await untilShipped(dataDir);
  assert.equal(await server.stop(), 0);
  return dataDir;
}

/** A busy machine may take longer to ship than a stop waits. */
async function untilShipped(dataDir: string): Promise<void> {
  const shipped = [
    'pageview events of example.com in the archive: 4',
    'goal events of example.com in the archive: 1',
    'pageview events of other.example in the archive: 1',
    'payments of example.com in USD: 2',
  ];
  await waitUntil(
    async () => (await verifyData(dataDir)).counts.map(({ what, found }) => `${what}: ${found}`),
    (counts) => shipped.every((count) => counts.includes(count)),
  );
}

/** The site's backend key may set the time. */
async function send(from: Caller, visitor: string, at: readonly number[]): Promise<void> {
  const events = at.map((occurred_at) => ({
    ...{ site: from.site, type: 'pageview', url: `https://${from.site}/`, occurred_at },
    ...{ service_visitor_id: visitor, user_agent: 'Mozilla/5.0 (X11) Firefox/140.0' },
  }));
  const { status, body } = await from.post('/api/v1/events', { events });
  assert.deepEqual([status, (body as { dropped: unknown[] }).dropped], [200, []]);
}

async function pay(from: Caller, transaction_id: string, amount: number, at: number) {
  const timestamp = new Date(at).toISOString();
  const { status } = await from.payment({ transaction_id, amount, currency: 'USD', timestamp });
  assert.equal(status, 200);
}

/** A copy of a shop that may be damaged, and checked by verify. */
type ShopCopy = ReturnType<typeof copyShop>;

/** A shop shared by the files of this process, and a copy of it for each test. */
export function copyShopForEach(): { readonly whole: string; readonly shop: ShopCopy } {
  const copied = {} as { whole: string; shop: ShopCopy };
  before(async () => {
    const shop = await keepOpen('stopped shop', async () => {
      const dataDir = await makeShop();
      return { dataDir, close: async () => rmSync(dataDir, { recursive: true }) };
    });
    copied.whole = shop.dataDir;
  });
  beforeEach(() => {
    copied.shop = copyShop(copied.whole);
  });
  afterEach(() => copied.shop.remove());
  return copied;
}

type Ran = { readonly code: number; readonly stdout: string; readonly stderr: string };

function copyShop(shop: string) {
  const dataDir = makeDataDir();
  cpSync(shop, dataDir, { recursive: true });

  function runCommand(
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
  ): Promise<Ran> {
    return new Promise((resolve) => {
      const child = execFile(
        process.execPath,
        [MAIN, ...args],
        { env: { ...process.env, DATA_DIR: dataDir, ...env } },
        (_, stdout, stderr) => resolve({ code: child.exitCode ?? -1, stdout, stderr }),
      );
    });
  }

  const verify = (options?: VerifyOptions) => verifyData(dataDir, options);

  return {
    dataDir,
    /** The command itself. */
    run: (options: readonly string[], env?: Readonly<Record<string, string>>) =>
      runCommand(['verify', ...options], env),
    rebuild: (...options: string[]) => runCommand(['rebuild', ...options]),
    /** The same answer, computed in this process. */
    verify,
    /** The differences, as "what: expected, found", of counts whose name matches. */
    async differing(about: RegExp, tamper?: Tamper): Promise<string[]> {
      const { differences } = await verify({ tamper });
      return differences
        .filter(({ what }) => about.test(what))
        .map(({ what, expected, found }) => `${what}: ${expected}, ${found}`);
    },
    tamper(work: Parameters<typeof withWarehouse<void>>[1]): Promise<void> {
      const settings = parseSettings({ DATA_DIR: dataDir });
      assert.ok(settings.ok);
      return withWarehouse(settings.value, work);
    },
    remove: () => rmSync(dataDir, { recursive: true }),
  };
}
