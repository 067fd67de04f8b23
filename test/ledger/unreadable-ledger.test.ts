import assert from 'node:assert/strict';
import { closeSync, fstatSync, openSync, writeSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { addRoutes, type RouteParts } from '#app/add-routes.ts';
import { keepErasing } from '#ingest/erase/keep-erasing.ts';
import { mintKey } from '#ledger/keys/api-key.ts';
import { createListPayments } from '#report/payments/list-payments.ts';
import { createServer } from '#server/create-server.ts';
import { createMetrics } from '#server/metrics.ts';
import { makeLedgerForEachTest } from './ledger-of-test.ts';

const own = makeLedgerForEachTest();
const NOWHERE = '/nowhere';

/** Longer than a ledger leaves between two looks at its sites and keys. */
const REFRESH_MS = 700;
/** The first page of a file says what it is; the others hold what is in it. */
const PAGE_BYTES = 4_096;

/** A server of what the ledger alone answers. */
async function serveLedger() {
  const settings = {
    ...{ baseUrl: undefined, trustedProxies: [], logLevel: 'silent', connectionsMax: 10 },
    ...{ rateLimitReads: 0, rateLimitWrites: 0 },
  };
  const server = createServer(settings);
  await addRoutes(server, {
    settings,
    ...{ ledger: own.ledger, accounts: {} },
    listPayments: createListPayments({ select: async () => [] }, own.ledger),
    reports: { people: () => ({ visitors: {}, persons: {} }), exports: () => ({}) },
    liveWatch: { close() {} },
    metrics: createMetrics(
      { backlogBytes: () => 0, setAsideBatches: () => 0, listJobs: async () => [] },
      {
        countRefusedJoins: async () => 0,
        listJobs: async () => [],
        countConverting: () => ({ converted: 0, payments: 0 }),
      },
      server.log,
    ),
  } as unknown as RouteParts); // Nobody comes as far as the rest.
  await server.listen({ host: '127.0.0.1', port: 0 });
  const { port } = server.server.address() as AddressInfo;
  return { server, url: `http://127.0.0.1:${port}` };
}

it('an unreadable ledger refuses keys it has not seen yet, and recovers', async () => {
  const { server, url } = await serveLedger();
  const send = () =>
    fetch(`${url}/api/v1/goals`, {
      method: 'POST',
      headers: { authorization: `Bearer ${mintKey()}`, 'content-type': 'application/json' },
      body: '{}',
    });

  const db = new DatabaseSync(own.path);
  db.exec('ALTER TABLE counters RENAME TO counters_away');
  await sleep(REFRESH_MS);
  const refused = await send();
  assert.equal(refused.status, 503, await refused.text());
  assert.equal(refused.headers.get('retry-after'), '1');

  db.exec('ALTER TABLE counters_away RENAME TO counters');
  db.close();
  await sleep(REFRESH_MS);
  assert.equal((await send()).status, 401);
  await server.close();
});

it('a damaged ledger answers reads with 503, and they are logged once', async (t) => {
  const added = await own.ledger.addSite({
    domain: 'example.com',
    timezone: 'UTC',
    currency: 'EUR',
  });
  assert.ok(added.ok);
  const siteId = added.value.id;
  const scopes = ['stats:read'] as const;
  const { key } = await own.ledger.createKey({ siteId, name: 'k', scopes, expiresAt: undefined });
  await own.ledger.acceptPayment(siteId, {
    ...{ transactionId: 't', amountMinor: 1n, currency: 'EUR', receivedAt: 1 },
    ...{ renewal: false, refunded: false },
  });
  await own.reopen(); // All that it holds is in its file now.
  const { server, url } = await serveLedger();
  const warn = t.mock.method(server.log, 'warn');
  const read = () =>
    fetch(`${url}/api/v1/payments?site_id=${siteId}`, {
      headers: { authorization: `Bearer ${key}` },
    });

  const file = openSync(own.path, 'r+');
  const { size } = fstatSync(file);
  writeSync(file, Buffer.alloc(size - PAGE_BYTES, 'x'), 0, size - PAGE_BYTES, PAGE_BYTES);
  closeSync(file);
  const refused = await read();
  const again = await read();
  await server.close();
  assert.equal(refused.status, 503, await refused.text());
  assert.equal(refused.headers.get('retry-after'), '1');
  assert.equal(again.status, 503);
  assert.equal(warn.mock.callCount(), 1);
});

it('an unreadable ledger keeps erasures waiting, and no process ends', async () => {
  const failures: string[] = [];
  const db = new DatabaseSync(own.path);
  const erasing = keepErasing({
    thread: new URL('../../src/app/erase-thread.ts', import.meta.url),
    ledger: own.ledger,
    warehouse: { kind: 'remote', url: 'http://127.0.0.1:1' },
    paths: { journals: NOWHERE, archive: NOWHERE, rebuild: NOWHERE },
    wake() {},
    leaveArchiveFile() {},
    ship: async () => {},
    onFailure: (message) => failures.push(message),
    onUnread() {},
  });
  assert.deepEqual(failures, []);
  db.exec('PRAGMA legacy_alter_table = ON; ALTER TABLE erasures RENAME TO erasures_away');
  await sleep(REFRESH_MS);
  db.exec('ALTER TABLE erasures_away RENAME TO erasures');
  db.close();
  await erasing.stop();
  assert.match(failures.join(), /no such table/);
});
