import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import pg from 'pg';
import type { PaymentReport } from '#domain/money/payment-record.ts';
import { UnavailableError } from '#domain/unavailable.ts';
import { type Ledger, openLedger } from '#ledger/open-ledger.ts';
import { findPayments } from '#ledger/payments/find-payments.ts';
import { openDatabase } from '#ledger/schema/open-database.ts';
import {
  findPostgres,
  makeSchema,
  type PostgresOfTests,
  startPostgres,
} from '../run/start-postgres.ts';

const toReport = (transactionId: string): PaymentReport => ({
  ...{ transactionId, amountMinor: 100n, currency: 'EUR', visitorId: 'v' },
  ...{ renewal: false, refunded: false, receivedAt: 1 },
});

describe('a ledger of PostgreSQL', { skip: findPostgres() === undefined }, () => {
  let server: PostgresOfTests;
  let database: string;
  let location: string;
  let ledger: Ledger;
  before(async () => {
    server = (await startPostgres()) as PostgresOfTests;
    database = await server.makeDatabase();
  });
  after(() => server.stop());
  beforeEach(async () => {
    location = await makeSchema(database);
    ledger = await openLedger({ location });
  });
  afterEach(() => ledger.close());

  /** The ids that are recorded, by reading pages of versions as a shipment does. */
  async function readAll(): Promise<string[]> {
    const db = await openDatabase(location, { checkpoints: false });
    const payments = await findPayments(db, { after: 0, upTo: Number.MAX_SAFE_INTEGER });
    await db.close();
    return payments.map(({ transactionId }) => transactionId);
  }

  async function accept(id: string): Promise<boolean> {
    try {
      await ledger.acceptPayment('site_1', toReport(id));
      return true;
    } catch (error) {
      assert.ok(error instanceof UnavailableError, String(error));
      return false;
    }
  }

  it('keeps what it has acknowledged when the server is killed, and goes on when it is back', async () => {
    const acknowledged: string[] = [];
    let isOver = false;
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let count = 0; !isOver; count++) {
        const id = `${writer}-${count}`;
        if (await accept(id)) acknowledged.push(id);
        else await new Promise((resolve) => setTimeout(resolve, 20));
      }
    });
    for (let kills = 0; kills < 3; kills++) {
      await new Promise((resolve) => setTimeout(resolve, 300));
      await server.crash();
      await server.start();
    }
    const before = acknowledged.length;
    await new Promise((resolve) => setTimeout(resolve, 500));
    isOver = true;
    await Promise.all(writers);
    assert.ok(before > 0 && acknowledged.length > before, 'it goes on');
    const recorded = await readAll();
    assert.equal(new Set(recorded).size, recorded.length);
    assert.deepEqual(
      acknowledged.filter((id) => !recorded.includes(id)),
      [],
    );
  });

  it('goes on when its connections are ended', async () => {
    assert.equal(await accept('before'), true);
    const client = new pg.Client(location);
    await client.connect();
    await client.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid != pg_backend_pid()`);
    await client.end();
    const outcomes = [await accept('first'), await accept('second')];
    assert.equal(outcomes[1], true);
    assert.deepEqual(
      await readAll(),
      outcomes[0] ? ['before', 'first', 'second'] : ['before', 'second'],
    );
    await ledger.refresh();
    ledger.assertInPlace();
  });

  it('is written by two servers at once: no version is given twice, and no reader misses one', async () => {
    const other = await openLedger({ location });
    const db = await openDatabase(location, { checkpoints: false });
    const seen: string[] = [];
    let after = 0;
    async function page(): Promise<number> {
      const payments = await findPayments(db, { after, upTo: Number.MAX_SAFE_INTEGER });
      after = payments.at(-1)?.version ?? after;
      seen.push(...payments.map(({ transactionId }) => transactionId));
      return payments.length;
    }
    const all = [ledger, other].flatMap((each, node) =>
      Array.from({ length: 400 }, (_, count) =>
        each.acceptPayment('site_1', toReport(`${node}-${count}`)),
      ),
    );
    let isDone = false;
    const done = Promise.all(all).finally(() => {
      isDone = true;
    });
    while (!isDone) await page();
    await done;
    await page();
    assert.equal(seen.length, 800);
    assert.equal(new Set(seen).size, 800);
    assert.equal(after, 800, 'versions have no gaps');
    await db.close();
    await other.close();
  });

  it('remakes a person when another server has written what it was resolving', async () => {
    const resolver = new pg.Client(location);
    await resolver.connect();
    await resolver.query(
      "BEGIN; UPDATE counters SET value = value WHERE name = 'resolved_identities'",
    );
    let isDone = false;
    const separated = ledger.separateVisitor('site_1', 'v').finally(() => {
      isDone = true;
    });
    const waiting = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'";
    while ((await resolver.query(waiting)).rowCount === 0) assert.equal(isDone, false);
    await resolver.query('COMMIT');
    await resolver.end();
    assert.deepEqual(await separated, []);
  });

  it('answers that it cannot be used while the server is away', async () => {
    await server.crash();
    assert.equal(await accept('lost'), false);
    await assert.rejects(ledger.refresh(), UnavailableError);
    await server.start();
    assert.equal(await accept('kept'), true);
    assert.deepEqual(await readAll(), ['kept']);
  });
});
