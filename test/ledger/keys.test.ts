import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { makeLedgerForEachTest } from './ledger-of-test.ts';

/** Half a second on a machine that does nothing else. */
const HOLDS_MAX_MS = 30_000;
const DAY_MS = 24 * 60 * 60 * 1_000;

const own = makeLedgerForEachTest();

/** Polls, as the other process's half second passes. */
async function until(holds: () => boolean): Promise<void> {
  const deadline = Date.now() + HOLDS_MAX_MS;
  while (!holds()) {
    assert.ok(Date.now() < deadline, 'it never holds');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

function addSite(): string {
  const site = own.ledger.addSite({
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
    const siteId = addSite();
    const { id, key } = newKey(siteId);
    await own.reopen();
    const found = own.ledger.findKey(key);
    assert.equal(found?.id, id);
    assert.equal(found?.siteId, siteId);
    assert.deepEqual(found?.scopes, ['goals:write']);
    assert.deepEqual(own.ledger.findKey(key), found);
  });

  it('are stored only as a digest', async () => {
    const { key } = newKey(addSite());
    await own.ledger.close();
    assert.ok(!readFileSync(own.path).includes(key.slice(9, -4)));
    own.ledger = own.open();
  });

  it('are refused when unknown', () => {
    addSite();
    assert.equal(own.ledger.findKey('trib_nonsense'), undefined);
    assert.equal(own.ledger.findKey(''), undefined);
  });

  it('are refused once revoked, in every process within a second', async () => {
    const { id, key } = newKey(addSite());
    const elsewhere = own.open();
    assert.equal(elsewhere.findKey(key)?.id, id);
    assert.equal(own.ledger.revokeKey(id)?.revokedAt, own.clock);
    assert.equal(own.ledger.findKey(key), undefined);
    await until(() => elsewhere.findKey(key) === undefined);
    await elsewhere.close();
  });

  it('work immediately in every process, like their site', async () => {
    const elsewhere = own.open();
    const siteId = addSite();
    const { key } = newKey(siteId);
    assert.equal(elsewhere.findSite('example.com')?.id, siteId);
    assert.equal(elsewhere.findKey(key)?.siteId, siteId);
    await elsewhere.close();
  });

  it('are refused once expired', () => {
    const { key } = newKey(addSite(), own.clock + DAY_MS);
    assert.ok(own.ledger.findKey(key) !== undefined);
    own.clock += DAY_MS;
    assert.equal(own.ledger.findKey(key), undefined);
  });

  it('stay valid for the overlap when rotated', () => {
    const old = newKey(addSite());
    const created = own.ledger.rotateKey(old.id, { overlapMs: DAY_MS });
    assert.ok(created !== undefined);
    assert.deepEqual(own.ledger.findKey(created.key)?.scopes, ['goals:write']);
    assert.ok(own.ledger.findKey(old.key) !== undefined);
    own.clock += DAY_MS;
    assert.equal(own.ledger.findKey(old.key), undefined);
    assert.ok(own.ledger.findKey(created.key) !== undefined);
  });

  it('keep their lifetime when rotated, and never gain by the overlap', () => {
    const old = newKey(addSite(), own.clock + 2 * DAY_MS);
    own.clock += DAY_MS;
    const created = own.ledger.rotateKey(old.id, { overlapMs: 30 * DAY_MS });
    const [first, second] = own.ledger.listKeys();
    assert.equal(first?.expiresAt, own.clock + DAY_MS);
    assert.equal(second?.id, created?.id);
    assert.equal(second?.expiresAt, own.clock + 2 * DAY_MS);
  });

  it('cannot be rotated or revoked if they do not exist', () => {
    const { id } = newKey(addSite());
    own.ledger.revokeKey(id);
    assert.equal(own.ledger.rotateKey(id, { overlapMs: 0 }), undefined);
    assert.equal(own.ledger.rotateKey('key_1', { overlapMs: 0 }), undefined);
    assert.equal(own.ledger.revokeKey('key_1'), undefined);
  });

  it('record their last use', async () => {
    const { key } = newKey(addSite());
    assert.equal(own.ledger.listKeys()[0]?.lastUsedAt, undefined);
    own.ledger.findKey(key);
    await own.reopen();
    assert.equal(own.ledger.listKeys()[0]?.lastUsedAt, own.clock);
  });
});
