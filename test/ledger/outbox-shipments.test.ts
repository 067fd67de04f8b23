import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, it } from 'node:test';
import { readEventLine } from '#contract/rows/event-lines.ts';
import type { EventRow } from '#contract/rows/event-row.ts';
import { openLedger, openProjection, readQueues } from '#ledger/open-ledger.ts';
import type { Shipment } from '#storage/shipment.ts';
import { OUTBOX } from '#storage/shipment-token.ts';
import { LEDGER_THREAD } from './database-of-tests.ts';
import { makeProjectionForEachTest } from './projection-of-test.ts';
import { NO_RATES } from './rates-of-test.ts';

const own = makeProjectionForEachTest();

const nextShipment = () => own.nextShipment(1);

const GOAL: EventRow = {
  site_id: 'site_1',
  occurred_at: 1_500,
  accepted_at: 1_500,
  event_id: '0190163d-8694-739b-aea5-966c26f8ad90',
  type: 'goal',
  visitor_id: 'v',
};

const keyedGoal = (key: string, visitorId: string) =>
  own.ledger.acceptEvents([{ row: { ...GOAL, visitor_id: visitorId } }], {
    key,
    bodyDigest: 'd',
    answer: 'a',
    subject: visitorId,
  });

let firstBatch: number | undefined;
beforeEach(() => {
  firstBatch = undefined;
});

/** Batches are numbered by the clock: 1 for the first that a test asks about. */
const numberOf = (batch: string) => {
  firstBatch ??= Number(batch);
  return Number(batch) - firstBatch + 1;
};
const tokenOf = (shipment: Shipment | undefined) =>
  shipment?.token?.replaceAll(/\d{9,}/g, (batch) => `${numberOf(batch)}`);
const batchesOf = (lines: Buffer | undefined) =>
  `${lines}`
    .trimEnd()
    .split('\n')
    .map((line) => `${readEventLine(line).batch_id}`);
const batchAndVisitor = (lines: Buffer | undefined) => {
  const events = `${lines}`.trimEnd().split('\n').map(readEventLine);
  return events.map((event) => [numberOf(`${event.batch_id}`), event.visitor_id]);
};

describe('shipments of the outbox', () => {
  it('have higher numbers than any batch before a restore from a backup', async () => {
    await keyedGoal('k1', 'v1');
    const backup = join(own.folder, 'backup.db');
    const db = new DatabaseSync(own.path);
    db.exec(`VACUUM INTO '${backup}'`);
    db.close();
    await keyedGoal('k2', 'v2');
    const given = (await nextShipment())?.token;
    await own.projection.close();
    await own.ledger.close();
    own.path = backup;
    own.ledger = await openLedger({ location: own.path, thread: LEDGER_THREAD });
    own.projection = await openProjection(own.path, NO_RATES);
    await keyedGoal('k3', 'v3');
    const lastGiven = given?.split('-').at(-1);
    const now = batchesOf((await nextShipment())?.lines);
    assert.ok(Number(now.at(-1)) > Number(lastGiven), `${now} after ${lastGiven}`);
  });

  it('carry the id of their batch', async () => {
    await keyedGoal('k1', 'v1');
    await keyedGoal('k2', 'v2');
    const shipment = await nextShipment();
    assert.equal(shipment?.table, 'events');
    assert.equal(shipment?.rows, 2);
    assert.equal(tokenOf(shipment), 'journal-0-1-2');
    assert.deepEqual(batchAndVisitor(shipment?.lines), [
      [1, 'v1'],
      [2, 'v2'],
    ]);
  });

  it('repeat with the same token until confirmed, also after a crash', async () => {
    await keyedGoal('k1', 'v1');
    const shipment = await nextShipment();
    assert.equal(tokenOf(shipment), 'journal-0-1-1');
    await keyedGoal('k2', 'v2');
    await own.projection.close();
    own.projection = await openProjection(own.path, NO_RATES);
    const again = await nextShipment();
    assert.equal(again?.token, shipment?.token);
    assert.deepEqual(again?.lines, shipment?.lines);
    await again?.confirm();
    assert.equal(tokenOf(await nextShipment()), 'journal-0-2-2');
  });

  it('report that more is waiting behind a repeated shipment', async () => {
    await keyedGoal('k1', 'v1');
    assert.equal((await nextShipment())?.hasMore, false);
    await keyedGoal('k2', 'v2');
    const repeated = await nextShipment();
    assert.deepEqual([repeated?.rows, repeated?.hasMore], [1, true]);
  });

  it('never reuse a batch id, even after shipped batches are deleted', async () => {
    await keyedGoal('k1', 'v1');
    const first = await nextShipment();
    assert.deepEqual(batchAndVisitor(first?.lines), [[1, 'v1']]);
    await first?.confirm();
    assert.equal(await nextShipment(), undefined);
    await keyedGoal('k2', 'v2');
    assert.deepEqual(batchAndVisitor((await nextShipment())?.lines), [[2, 'v2']]);
  });

  it('are counted in bytes until they are confirmed', async () => {
    const db = new DatabaseSync(own.path);
    const counter = db.prepare("SELECT value FROM counters WHERE name = 'outbox_bytes'");
    const outboxBytes = () => Number(counter.get()?.value);
    await keyedGoal('k1', 'v1');
    const shipment = await nextShipment();
    assert.equal(shipment?.lines.length, outboxBytes());
    await keyedGoal('k2', 'v2');
    await shipment?.confirm();
    assert.equal(shipment?.lines.length, outboxBytes());
    await (await nextShipment())?.confirm();
    assert.equal(outboxBytes(), 0);
    db.close();
  });

  it('are set aside and reported when they are damaged', async () => {
    await keyedGoal('k1', 'v1');
    await keyedGoal('k2', 'v2');
    const db = new DatabaseSync(own.path);
    const damaged = db
      .prepare(`UPDATE batches SET lines = CAST('{}' AS BLOB)
        WHERE seq = (SELECT min(seq) FROM batches) RETURNING seq`)
      .get();
    assert.equal(numberOf(String(damaged?.seq)), 1);
    const shipment = await nextShipment();
    assert.deepEqual(batchAndVisitor(shipment?.lines), [[2, 'v2']]);
    await shipment?.confirm();
    const counts = (await readQueues({ ledger: own.path, journals: 'none' })).get(OUTBOX);
    assert.deepEqual([counts?.waiting, counts?.damagedBatches], [0, 1]);
    db.close();
  });
});
