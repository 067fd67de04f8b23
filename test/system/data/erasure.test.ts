import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import { zstdDecompressSync } from 'node:zlib';
import { createKey } from '../../server/add-site.ts';
import { addCaller, type Caller } from '../../server/caller.ts';
import { startServer, type TestServer } from '../../server/start-server.ts';
import { assertVerified, verifyData } from '../../server/verify-data.ts';
import { waitUntil } from '../../server/wait-until.ts';

const PHONE = 'visitor-of-anna-on-the-phone';
const LAPTOP = 'visitor-of-anna-on-the-laptop';
const OTHER = 'visitor-of-ben';
const SHARED = 'visitor-of-a-shared-machine';
const EMAIL = 'anna.unforgettable@shop.example';
const NAME = 'Anna Unforgettable';
const CUSTOMER = 'cus_unforgettable';
/** Traces that no file may hold later. */
const TRACES = [PHONE, LAPTOP, SHARED, EMAIL, NAME, CUSTOMER, 'user-of-anna'];

type Receipt = {
  erasure: { id: string; state: string; counts: Record<string, number>; done_at: string | null };
};

describe('the erasure of a visitor', () => {
  let server: TestServer;
  let caller: Caller;
  let key: string;

  before(async () => {
    server = await startServer();
    caller = await addCaller(server.url, server.dataDir, 'example.com');
    key = await createKey(server.dataDir, 'example.com', ['visitors:read', 'visitors:delete']);
    await live(PHONE, 'newsletter');
    await live(OTHER, 'google');
    await caller.post('/api/v1/identify', {
      ...{ service_visitor_id: PHONE, user_id: 'user-of-anna', email: EMAIL },
    });
    await caller.post('/api/v1/events', {
      ...{ site: 'example.com', url: 'https://example.com/', type: 'identify' },
      ...{ service_visitor_id: LAPTOP, user_id: 'user-of-anna' },
    });
    await caller.goal(PHONE, 'signup', `signup-${PHONE}`);
    await pay('paid-by-anna', { service_visitor_id: PHONE, email: EMAIL, name: NAME });
    await pay('renewed-by-anna', { email: EMAIL.toUpperCase(), customer_id: CUSTOMER });
    await pay('paid-by-ben', { service_visitor_id: OTHER, email: 'ben@shop.example' });
    await untilShipped();
  });
  after(async () => {
    await server.stop();
    server.cleanUp();
  });

  async function live(visitor: string, source: string): Promise<void> {
    await caller.pageview(visitor, `/?utm_source=${source}`);
    await caller.pageview(visitor, '/pricing');
    await caller.goal(visitor, 'signup');
  }

  const pay = (transaction_id: string, facts: Readonly<Record<string, string>>) =>
    caller.payment({ amount: 10, currency: 'USD', transaction_id, ...facts });

  async function untilShipped(): Promise<void> {
    await waitUntil(
      () => verifyData(server.dataDir),
      ({ counts }) => counts.every(({ what }) => !what.includes('wait')) && counts.length > 3,
    );
  }

  async function ask(method: string, path: string) {
    const answer = await fetch(`${server.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}` },
    });
    return { status: answer.status, body: JSON.parse(await answer.text()) };
  }

  function untilDone({ erasure }: Receipt): Promise<Receipt> {
    return waitUntil(
      async () => (await ask('GET', `/api/v1/erasures/${erasure.id}`)).body as Receipt,
      (receipt) => receipt.erasure.state === 'done',
    );
  }

  it('can be looked at before: everything that is stored is told', async () => {
    const alone = await ask('GET', `/api/v1/visitors/${LAPTOP}`);
    assert.deepEqual([alone.body.person.emails, alone.body.payments], [[], []]);
    const { status, body } = await ask('GET', `/api/v1/visitors/${PHONE}?scope=person`);
    assert.equal(status, 200, JSON.stringify(body));
    const visitors = body.person.visitors as { service_visitor_id: string; joined_by: unknown[] }[];
    assert.deepEqual(visitors.map((each) => each.service_visitor_id).toSorted(), [LAPTOP, PHONE]);
    const why = { field: 'user_id', value: 'user-of-anna', source: 'identify' };
    assert.ok(
      visitors.every((each) => JSON.stringify(each.joined_by).includes(JSON.stringify(why))),
    );
    assert.deepEqual(body.person.emails, [EMAIL]);
    assert.deepEqual(body.person.user_ids, ['user-of-anna']);
    assert.equal(body.visits[0].source, 'newsletter');
    assert.equal(body.visits[0].pageviews, 2);
    assert.deepEqual(body.events.map(({ type }: { type: string }) => type).toSorted(), [
      'goal',
      'goal',
      'identify',
      'identify',
      'pageview',
      'pageview',
    ]);
    const ids = body.payments.map((each: { transaction_id: string }) => each.transaction_id);
    assert.deepEqual(ids.toSorted(), ['paid-by-anna', 'renewed-by-anna']);
    assert.deepEqual(body.payments[0].amount, { value: '10.00', currency: 'USD' });
    assert.equal(body.identities.length, 2);
    assert.equal((await ask('GET', '/api/v1/visitors/nobody')).status, 404);
    assert.equal((await ask('GET', '/api/v1/visitors/a%20b')).status, 400);
  });

  it('takes a visitor alone, and leaves who was joined with it', async () => {
    await live(SHARED, 'newsletter');
    await caller.post('/api/v1/identify', {
      ...{ service_visitor_id: SHARED, user_id: 'user-of-anna' },
    });
    await pay('paid-on-a-shared-machine', { service_visitor_id: SHARED, email: EMAIL });
    const person = await ask('GET', `/api/v1/visitors/${PHONE}?scope=person`);
    assert.equal(person.body.person.visitors.length, 3);
    const { body } = await ask('DELETE', `/api/v1/visitors/${SHARED}`);
    await untilDone(body as Receipt);
    assert.deepEqual(
      findTraces(server.dataDir).filter(([trace]) => trace === SHARED),
      [],
    );
    const left = await ask('GET', `/api/v1/visitors/${PHONE}?scope=person`);
    assert.equal(left.body.person.visitors.length, 2);
    assert.deepEqual(left.body.person.emails, [EMAIL]);
    const ids = left.body.payments.map((each: { transaction_id: string }) => each.transaction_id);
    assert.deepEqual(ids.toSorted(), ['paid-by-anna', 'renewed-by-anna']);
  });

  it('takes the whole person out of every file, and answers with a receipt', async () => {
    assert.ok(findTraces(server.dataDir).length > 0, 'the search finds what is there');
    const startedAt = performance.now();
    const { body } = await ask('DELETE', `/api/v1/visitors/${PHONE}?scope=person`);
    assert.equal(body.visitors.length, 2);
    const done = await untilDone(body as Receipt);
    const seconds = (performance.now() - startedAt) / 1_000;
    assert.ok(seconds < 60, `it took ${seconds} s`);
    assert.deepEqual(done.erasure.counts, {
      visitors: 2,
      events: 6,
      archived_events: 6,
      unread_archive_bytes: 0,
      payments: 2,
      identities: 2,
    });
    assert.deepEqual(findTraces(server.dataDir), []);
    assert.equal((await ask('GET', `/api/v1/visitors/${PHONE}`)).status, 404);
  });

  it('leaves the money, and everybody else', async () => {
    const { body } = await caller.query({
      metrics: ['revenue', 'visitors', 'pageviews', 'conversions'],
      dimensions: ['visit:source'],
    });
    const rows = (body as { results: { dimensions: string[]; metrics: unknown[] }[] }).results;
    const found = rows.map(({ dimensions, metrics: [revenue, ...counts] }) =>
      [...dimensions, (revenue as { value: string }).value, ...counts].join(' | '),
    );
    assert.deepEqual(found.toSorted(), [
      'Google | 10.00 | 1 | 2 | 1',
      'Unattributed | 30.00 | 0 | 0 | 0',
    ]);
    await assertVerified(server.dataDir);
  });

  it('is not undone by a payment that is reported again, nor by a new visit', async () => {
    await pay('paid-by-anna', { service_visitor_id: PHONE, email: EMAIL, name: NAME });
    assert.equal((await caller.goal(PHONE, 'signup')).status, 404);
    await caller.pageview(PHONE, '/?utm_source=again');
    await untilShipped();
    const { body } = await ask('GET', `/api/v1/visitors/${PHONE}`);
    assert.deepEqual([body.events.length, body.payments.length], [1, 0]);
    assert.deepEqual(
      findTraces(server.dataDir).filter(([trace]) => trace === EMAIL || trace === NAME),
      [],
    );
  });

  it('goes on after a crash', async () => {
    const asked = fetch(`${server.url}/api/v1/visitors/${PHONE}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${key}` },
    }).catch(() => undefined);
    await waitUntil(
      async () => erasuresUnderWay(server.dataDir),
      (count) => count > 0,
    );
    await server.kill();
    await asked;
    server = await startServer({ dataDir: server.dataDir });
    caller = caller.at(server.url);
    await waitUntil(
      async () => findTraces(server.dataDir),
      (traces) => traces.length === 0,
      60_000,
    );
    await assertVerified(server.dataDir);
  });
});

/** All files below the folder that contain a trace, compressed or not. */
function findTraces(folder: string): (readonly [trace: string, file: string])[] {
  return listFiles(folder).flatMap((path) => {
    const bytes = unpacked(path);
    return TRACES.filter((trace) => bytes.includes(trace)).map((trace) => [trace, path] as const);
  });
}

function erasuresUnderWay(dataDir: string): number {
  const ledger = new DatabaseSync(join(dataDir, 'ledger.db'), { readOnly: true });
  const row = ledger.prepare("SELECT count(*) AS n FROM erasures WHERE state != 'done'").get();
  ledger.close();
  return Number(row?.n);
}

/** The existing files; merges remove some meanwhile. */
function listFiles(folder: string): string[] {
  return globSync('**/*', { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

function unpacked(path: string): Buffer {
  const bytes = readIfThere(path);
  if (!path.endsWith('.zst') || bytes.length === 0) return bytes;
  return Buffer.concat([bytes, zstdDecompressSync(bytes)]);
}

function readIfThere(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return Buffer.alloc(0); // A merge has removed it since the listing.
  }
}
