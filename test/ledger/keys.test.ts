import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DAY_MS } from '#domain/time/durations.ts';
import { openDatabase } from '#ledger/schema/open-database.ts';
import { makeLedgerForEachTest } from './ledger-of-test.ts';

/** Half a second on a machine that does nothing else. */
const HOLDS_MAX_MS = 30_000;

const own = makeLedgerForEachTest();

/** Polls, as the other process's half second passes. */
async function until(holds: () => boolean): Promise<void> {
  const deadline = Date.now() + HOLDS_MAX_MS;
  while (!holds()) {
    assert.ok(Date.now() < deadline, 'it never holds');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

async function addSite(): Promise<string> {
  const site = await own.ledger.addSite({
    domain: 'example.com',
    timezone: 'Europe/Berlin',
    currency: 'EUR',
  });
  assert.ok(site.ok);
  return site.value.id;
}

describe('keys of the ledger', () => {
  const newKey = (siteId: string, expiresAt?: number) =>
    own.ledger.createKey({ siteId, name: 'backend', scopes: ['goals:write'], expiresAt });

  it('give access to their site with their scopes, also after a restart', async () => {
    const siteId = await addSite();
    const { id, key } = await newKey(siteId);
    await own.reopen();
    const found = own.ledger.findKey(key);
    assert.equal(found?.id, id);
    assert.equal(found?.siteId, siteId);
    assert.deepEqual(found?.scopes, ['goals:write']);
    assert.deepEqual(own.ledger.findKey(key), found);
  });

  it('are stored only as a digest', async () => {
    const { key } = await newKey(await addSite());
    const db = await openDatabase(own.path, { checkpoints: false });
    const [row] = await db.all('SELECT * FROM keys');
    assert.ok(!JSON.stringify(row).includes(key.slice(9, -4)));
    await db.close();
  });

  it('are refused when unknown', async () => {
    await addSite();
    assert.equal(own.ledger.findKey('trib_nonsense'), undefined);
    assert.equal(own.ledger.findKey(''), undefined);
  });

  it('are refused once revoked, in every process within a second', async () => {
    const { id, key } = await newKey(await addSite());
    const elsewhere = await own.open();
    assert.equal(elsewhere.findKey(key)?.id, id);
    assert.equal((await own.ledger.revokeKey(id))?.revokedAt, own.clock);
    assert.equal(own.ledger.findKey(key), undefined);
    await until(() => elsewhere.findKey(key) === undefined);
    await elsewhere.close();
  });

  it('work immediately in every process, like their site', async () => {
    const elsewhere = await own.open();
    const siteId = await addSite();
    const { key } = await newKey(siteId);
    await elsewhere.refresh(); // As ingest does for a site or key that it does not know.
    assert.equal(elsewhere.findSite('example.com')?.id, siteId);
    assert.equal(elsewhere.findKey(key)?.siteId, siteId);
    await elsewhere.close();
  });

  it('are refused once expired', async () => {
    const { key } = await newKey(await addSite(), own.clock + DAY_MS);
    assert.ok(own.ledger.findKey(key) !== undefined);
    own.clock += DAY_MS;
    assert.equal(own.ledger.findKey(key), undefined);
  });

  it('stay valid for the overlap when rotated', async () => {
    const old = await newKey(await addSite());
    const created = await own.ledger.rotateKey(old.id, { overlapMs: DAY_MS });
    assert.ok(created !== undefined);
    assert.deepEqual(own.ledger.findKey(created.key)?.scopes, ['goals:write']);
    assert.ok(own.ledger.findKey(old.key) !== undefined);
    own.clock += DAY_MS;
    assert.equal(own.ledger.findKey(old.key), undefined);
    assert.ok(own.ledger.findKey(created.key) !== undefined);
  });

  it('keep their lifetime when rotated, and never gain by the overlap', async () => {
    const old = await newKey(await addSite(), own.clock + 2 * DAY_MS);
    own.clock += DAY_MS;
    const created = await own.ledger.rotateKey(old.id, { overlapMs: 30 * DAY_MS });
    const [first, second] = await own.ledger.listKeys();
    assert.equal(first?.expiresAt, own.clock + DAY_MS);
    assert.equal(second?.id, created?.id);
    assert.equal(second?.expiresAt, own.clock + 2 * DAY_MS);
  });

  it('cannot be rotated or revoked if they do not exist', async () => {
    const { id } = await newKey(await addSite());
    await own.ledger.revokeKey(id);
    assert.equal(await own.ledger.rotateKey(id, { overlapMs: 0 }), undefined);
    assert.equal(await own.ledger.rotateKey('key_1', { overlapMs: 0 }), undefined);
    assert.equal(await own.ledger.revokeKey('key_1'), undefined);
  });

  it('record their last use', async () => {
    const { key } = await newKey(await addSite());
    assert.equal((await own.ledger.listKeys())[0]?.lastUsedAt, undefined);
    own.ledger.findKey(key);
    await own.reopen();
    assert.equal((await own.ledger.listKeys())[0]?.lastUsedAt, own.clock);
  });
});
