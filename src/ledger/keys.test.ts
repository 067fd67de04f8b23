import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { type Ledger, openLedger } from './open-ledger.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

let folder: string;
let path: string;
let ledger: Ledger;
let clock: number;

const open = () => openLedger({ path, now: () => clock });

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tributary-ledger-'));
  path = join(folder, 'ledger.db');
  clock = Date.UTC(2026, 10, 21);
  ledger = open();
});

afterEach(async () => {
  await ledger.close();
  rmSync(folder, { recursive: true });
});

async function reopen(): Promise<void> {
  await ledger.close();
  ledger = open();
}

/** Polls, as the other process's half second passes. */
async function until(holds: () => boolean, withinMs: number): Promise<void> {
  const deadline = Date.now() + withinMs;
  while (!holds()) {
    assert.ok(Date.now() < deadline, `it holds within ${withinMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

function addSite(): string {
  const site = ledger.addSite({
    domain: 'example.com',
    timezone: 'Europe/Berlin',
    currency: 'EUR',
  });
  assert.ok(site.ok);
  return site.value.id;
}

describe('keys of the ledger', () => {
  const newKey = (siteId: string, expiresAt?: number) =>
    ledger.createKey({ siteId, name: 'backend', scopes: ['goals:write'], expiresAt });

  it('open their site with their scopes, also after a restart', async () => {
    const siteId = addSite();
    const { id, key } = newKey(siteId);
    await reopen();
    const found = ledger.findKey(key);
    assert.equal(found?.id, id);
    assert.equal(found?.siteId, siteId);
    assert.deepEqual(found?.scopes, ['goals:write']);
    assert.deepEqual(ledger.findKey(key), found);
  });

  it('are nowhere in the files, but for their digest', async () => {
    const { key } = newKey(addSite());
    await ledger.close();
    assert.ok(!readFileSync(path).includes(key.slice(9, -4)));
    ledger = open();
  });

  it('are refused when unknown', () => {
    addSite();
    assert.equal(ledger.findKey('trib_nonsense'), undefined);
    assert.equal(ledger.findKey(''), undefined);
  });

  it('are refused once revoked, in every process within a second', async () => {
    const { id, key } = newKey(addSite());
    const elsewhere = open();
    assert.equal(elsewhere.findKey(key)?.id, id);
    assert.equal(ledger.revokeKey(id)?.revokedAt, clock);
    assert.equal(ledger.findKey(key), undefined);
    await until(() => elsewhere.findKey(key) === undefined, 1_000);
    await elsewhere.close();
  });

  it('are known at once in every process, and so is their site', async () => {
    const elsewhere = open();
    const siteId = addSite();
    const { key } = newKey(siteId);
    assert.equal(elsewhere.findSite('example.com')?.id, siteId);
    assert.equal(elsewhere.findKey(key)?.siteId, siteId);
    await elsewhere.close();
  });

  it('are refused once expired', () => {
    const { key } = newKey(addSite(), clock + DAY_MS);
    assert.ok(ledger.findKey(key) !== undefined);
    clock += DAY_MS;
    assert.equal(ledger.findKey(key), undefined);
  });

  it('are rotated: the old one serves on for the overlap', () => {
    const old = newKey(addSite());
    const created = ledger.rotateKey(old.id, { overlapMs: DAY_MS });
    assert.ok(created !== undefined);
    assert.deepEqual(ledger.findKey(created.key)?.scopes, ['goals:write']);
    assert.ok(ledger.findKey(old.key) !== undefined);
    clock += DAY_MS;
    assert.equal(ledger.findKey(old.key), undefined);
    assert.ok(ledger.findKey(created.key) !== undefined);
  });

  it('keep their lifetime when rotated, and never gain by the overlap', () => {
    const old = newKey(addSite(), clock + 2 * DAY_MS);
    clock += DAY_MS;
    const created = ledger.rotateKey(old.id, { overlapMs: 30 * DAY_MS });
    const [first, second] = ledger.listKeys();
    assert.equal(first?.expiresAt, clock + DAY_MS);
    assert.equal(second?.id, created?.id);
    assert.equal(second?.expiresAt, clock + 2 * DAY_MS);
  });

  it('are not rotated or revoked when there are none', () => {
    const { id } = newKey(addSite());
    ledger.revokeKey(id);
    assert.equal(ledger.rotateKey(id, { overlapMs: 0 }), undefined);
    assert.equal(ledger.rotateKey('key_1', { overlapMs: 0 }), undefined);
    assert.equal(ledger.revokeKey('key_1'), undefined);
  });

  it('remember when they were used last', async () => {
    const { key } = newKey(addSite());
    assert.equal(ledger.listKeys()[0]?.lastUsedAt, undefined);
    ledger.findKey(key);
    await reopen();
    assert.equal(ledger.listKeys()[0]?.lastUsedAt, clock);
  });
});
