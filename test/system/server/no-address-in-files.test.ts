import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { zstdDecompressSync } from 'node:zlib';
import { dataPathsOf } from '#processes/paths.ts';
import { createWarehouse } from '#warehouse/client/client.ts';
import { addSite } from '../../server/add-site.ts';
import { addCaller, type Caller } from '../../server/caller.ts';
import { makeDataDir, startServer, type TestServer } from '../../server/start-server.ts';
import { waitUntil } from '../../server/wait-until.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

/** A visitor's address, as text and bytes. Four bytes may match by chance, two matches hardly. */
const ADDRESSES = [
  { text: '81.2.69.142', bytes: [81, 2, 69, 142] },
  { text: '91.64.83.217', bytes: [91, 64, 83, 217] },
  {
    text: '2a00:1450:4001:82a::200e',
    bytes: [0x2a, 0, 0x14, 0x50, 0x40, 1, 8, 0x2a, 0, 0, 0, 0, 0, 0, 0x20, 0x0e],
  },
  {
    text: '2a01:4f8:c17:b5f::2',
    bytes: [0x2a, 1, 4, 0xf8, 0xc, 0x17, 0xb, 0x5f, 0, 0, 0, 0, 0, 0, 0, 2],
  },
];

describe('addresses of visitors', () => {
  let dataDir: string;
  let server: TestServer;
  let caller: Caller;
  let told = '';

  before(async () => {
    dataDir = makeDataDir();
    const env = { TRUSTED_PROXIES: '127.0.0.1,::1', LOG_LEVEL: 'debug' };
    server = await startServer({ dataDir, env });
    caller = await addCaller(server.url, dataDir, 'example.com');
    await addSite(dataDir, 'quiet.example', { settings: { cookieless: 'always' } });
    for (const [index, { text }] of ADDRESSES.entries()) {
      await post(pageview(`browser-${index}`), { 'x-forwarded-for': text, 'user-agent': FIREFOX });
      const authorization = `Bearer ${caller.key}`;
      await post({ ...pageview(`told-${index}`), ip: text }, { authorization });
      await post({ ...pageview(`odd-${index}`), ip: text, type: 'none' }, { authorization });
      const quiet = { site: 'quiet.example', type: 'pageview', url: 'https://quiet.example/' };
      // A running server learns of a site's choice within a second.
      await waitUntil(
        () => post(quiet, { 'x-forwarded-for': text, 'user-agent': FIREFOX }),
        (answer) => answer.includes('daily-'),
      );
    }
    const shipped = await waitUntil(
      () => caller.query({ metrics: ['visits'], dimensions: ['visit:country'] }),
      ({ body }) => sumOf(body) === 2 * ADDRESSES.length,
    );
    told = JSON.stringify(shipped.body);
    await readWarehouse();
    await server.stop();
  });
  after(() => rmSync(dataDir, { recursive: true }));

  let warehouseText = '';
  async function readWarehouse(): Promise<void> {
    const { warehouseSocket: socketPath } = dataPathsOf(dataDir);
    const warehouse = createWarehouse({ kind: 'embedded', socketPath });
    for (const table of ['events', 'visits', 'visitors', 'payments']) {
      const rows = await warehouse.select({ sql: `SELECT * FROM ${table}` });
      warehouseText += JSON.stringify(rows);
    }
    await warehouse.close();
  }

  async function post(body: object, headers: Record<string, string>): Promise<string> {
    const response = await fetch(`${server.url}/api/v1/events`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    assert.equal(response.status, 200);
    return response.text();
  }

  it('name the country', () => {
    assert.match(told, /"GB"/);
    assert.match(told, /"DE"/);
  });

  it('are in no row of the warehouse', () => {
    assert.match(warehouseText, /browser-0.*daily-|daily-.*browser-0/s);
    for (const { text } of ADDRESSES) assert.ok(!warehouseText.includes(text), text);
  });

  it('are in no file, neither as text nor as bytes, compressed or not', () => {
    const contents = filesIn(dataDir).flatMap(contentsOf);
    const found = new Map(ADDRESSES.map((address) => [address.text, timesIn(contents, address)]));
    const times = [...found.values()];
    const byChance = times.slice(0, 2).reduce((sum, count) => sum + count, 0);
    assert.deepEqual(times.slice(2), [0, 0], JSON.stringify([...found]));
    assert.ok(byChance < 2, JSON.stringify([...found]));
  });
});

function pageview(visitor: string) {
  return {
    site: 'example.com',
    type: 'pageview',
    url: 'https://example.com/',
    service_visitor_id: visitor,
  };
}

function sumOf(body: unknown): number {
  const { results } = body as { results?: { metrics: number[] }[] };
  return (results ?? []).reduce((sum, { metrics }) => sum + (metrics[0] ?? 0), 0);
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => join(folder, path))
    .filter((path) => statSync(path).isFile());
}

function contentsOf(path: string): Buffer[] {
  const content = readFileSync(path);
  return path.endsWith('.zst') ? [content, zstdDecompressSync(content)] : [content];
}

function timesIn(contents: readonly Buffer[], { text, bytes }: (typeof ADDRESSES)[number]): number {
  const forms = [Buffer.from(text), Buffer.from(bytes), Buffer.from(bytes.toReversed())];
  return contents.filter((content) => forms.some((form) => content.includes(form))).length;
}
