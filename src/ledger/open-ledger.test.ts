import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { PaymentReport } from '#domain/money/payment-record.ts';
import type { IngestLedger, SiteDirectory } from '#ingest/ports.ts';
import type { EventRow } from '#warehouse/event-row.ts';
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

function addSite(domain = 'example.com'): string {
  const site = ledger.addSite({ domain, timezone: 'Europe/Berlin', currency: 'EUR' });
  assert.ok(site.ok);
  return site.value.id;
}

describe('sites of the ledger', () => {
  it('are found by id and by domain, also after a restart', async () => {
    const id = addSite();
    await reopen();
    assert.match(id, /^site_[0-9a-z]{16}$/);
    assert.equal(ledger.findSite('example.com')?.id, id);
    assert.deepEqual(ledger.findSite(id), {
      id,
      domain: 'example.com',
      timezone: 'Europe/Berlin',
      currency: 'EUR',
      allowedHosts: [],
      createdAt: clock,
    });
    assert.equal(ledger.findSite('example.org'), undefined);
  });

  it('take domains as browsers write them, and currencies in any case', () => {
    const site = ledger.addSite({
      domain: 'Bücher.Example',
      timezone: 'europe/berlin',
      currency: 'eur',
      allowedHosts: ['Shop.Example'],
    });
    assert.ok(site.ok);
    assert.equal(site.value.domain, 'xn--bcher-kva.example');
    assert.equal(site.value.timezone, 'Europe/Berlin');
    assert.equal(site.value.currency, 'EUR');
    assert.deepEqual(site.value.allowedHosts, ['shop.example']);
  });

  const refusals = [
    [{ domain: 'https://example.com' }, /is not a domain/],
    [{ domain: 'example.com/shop' }, /is not a domain/],
    [{ domain: '' }, /is not a domain/],
    [{ domain: 'exa mple.com' }, /is not a domain/],
    [{ domain: 'exa_mple.com' }, /is not a domain/],
    [{ timezone: 'Mars/Olympus' }, /is not a time zone/],
    [{ timezone: '+01:00' }, /is not a time zone/],
    [{ currency: 'BTC' }, /is not a currency/],
    [{ allowedHosts: ['a b'] }, /is not a host/],
  ] as const;
  for (const [wrong, message] of refusals) {
    it(`refuse ${JSON.stringify(wrong)}`, () => {
      const wanted = { domain: 'example.com', timezone: 'UTC', currency: 'EUR', ...wrong };
      const site = ledger.addSite(wanted);
      assert.match(site.ok ? '' : site.error, message);
      assert.deepEqual(ledger.listSites(), []);
    });
  }

  it('are there once', () => {
    addSite();
    const again = ledger.addSite({ domain: 'EXAMPLE.com', timezone: 'UTC', currency: 'EUR' });
    assert.match(again.ok ? '' : again.error, /there already/);
    assert.equal(ledger.listSites().length, 1);
  });

  it('go with their keys', () => {
    const siteId = addSite();
    const { key } = ledger.createKey({ siteId, name: '', scopes: [], expiresAt: undefined });
    assert.equal(ledger.removeSite('example.com')?.id, siteId);
    assert.equal(ledger.findSite(siteId), undefined);
    assert.equal(ledger.findKey(key), undefined);
    assert.equal(ledger.removeSite('example.com'), undefined);
  });
});

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

  it('open in every process within a second of their creation', async () => {
    const elsewhere = open();
    const { key } = newKey(addSite());
    await until(() => elsewhere.findKey(key) !== undefined, 1_000);
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

const PAYMENT: PaymentReport = {
  transactionId: 'tx',
  amountMinor: 2999n,
  currency: 'EUR',
  renewal: false,
  refunded: false,
  receivedAt: 1,
};

const GOAL: EventRow = {
  site_id: 'site_1',
  occurred_at: 1,
  accepted_at: 1,
  event_id: '0190163d-8694-739b-aea5-966c26f8ad90',
  type: 'goal',
  visitor_id: 'v',
};

describe('payments of the ledger', () => {
  it('are recorded once, also after a restart', async () => {
    assert.deepEqual(await ledger.acceptPayment('site_1', PAYMENT), { kind: 'recorded' });
    await reopen();
    assert.deepEqual(await ledger.acceptPayment('site_1', PAYMENT), { kind: 'unchanged' });
    assert.deepEqual(ledger.countPayments(), { payments: 1, refunds: 0 });
  });

  it('are one when sixty-four identical reports come at once', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 64 }, () => ledger.acceptPayment('site_1', PAYMENT)),
    );
    assert.equal(outcomes.filter(({ kind }) => kind === 'recorded').length, 1);
    assert.equal(outcomes.filter(({ kind }) => kind === 'unchanged').length, 63);
    assert.deepEqual(ledger.countPayments(), { payments: 1, refunds: 0 });
  });

  it('are one when two processes report them at once', async () => {
    const elsewhere = open();
    const outcomes = await Promise.all([
      ledger.acceptPayment('site_1', PAYMENT),
      elsewhere.acceptPayment('site_1', PAYMENT),
    ]);
    assert.deepEqual(outcomes.map(({ kind }) => kind).toSorted(), ['recorded', 'unchanged']);
    await elsewhere.close();
  });

  it('of two sites may have the same transaction id', async () => {
    await ledger.acceptPayment('site_1', PAYMENT);
    const other = await ledger.acceptPayment('site_2', { ...PAYMENT, amountMinor: 1n });
    assert.deepEqual(other, { kind: 'recorded' });
  });

  it('are refused when they contradict the record, and their neighbours are not', async () => {
    await ledger.acceptPayment('site_1', PAYMENT);
    const outcomes = await Promise.all([
      ledger.acceptPayment('site_1', { ...PAYMENT, transactionId: 'ty' }),
      ledger.acceptPayment('site_1', { ...PAYMENT, amountMinor: 1n }),
      ledger.acceptPayment('site_1', { ...PAYMENT, transactionId: 'tz' }),
    ]);
    assert.deepEqual(
      outcomes.map(({ kind }) => kind),
      ['recorded', 'transaction_conflict', 'recorded'],
    );
  });

  it('tell who ships of what is new only', async () => {
    let told = 0;
    const other = openLedger({ path, onRecorded: () => (told += 1) });
    await other.acceptPayment('site_1', PAYMENT);
    await other.acceptPayment('site_1', PAYMENT);
    await other.acceptPayment('site_1', { ...PAYMENT, currency: 'USD' });
    assert.equal(told, 1);
    await other.close();
  });
});

describe('answers of the ledger', () => {
  const claim = { key: 'k', bodyDigest: 'd', answer: 'first' };

  it('are given again for the same key, also after a restart', async () => {
    const first = await ledger.acceptPayment('site_1', PAYMENT, claim);
    assert.deepEqual(first, { kind: 'recorded' });
    await reopen();
    const replayed = { kind: 'replayed', answer: 'first' } as const;
    assert.deepEqual(ledger.findAnswer('site_1', claim), replayed);
    const later = { ...claim, answer: 'second' };
    assert.deepEqual(await ledger.acceptPayment('site_1', PAYMENT, later), replayed);
  });

  it('are a conflict for the same key with another body', async () => {
    await ledger.acceptPayment('site_1', PAYMENT, claim);
    const other = { ...claim, bodyDigest: 'e' };
    const conflict = { kind: 'idempotency_conflict' } as const;
    assert.deepEqual(ledger.findAnswer('site_1', other), conflict);
    const report = { ...PAYMENT, transactionId: 'ty' };
    assert.deepEqual(await ledger.acceptPayment('site_1', report, other), conflict);
    assert.deepEqual(ledger.countPayments(), { payments: 1, refunds: 0 });
  });

  it('belong to their site', async () => {
    await ledger.acceptPayment('site_1', PAYMENT, claim);
    assert.equal(ledger.findAnswer('site_2', claim), undefined);
  });

  it('are not kept for a refused report', async () => {
    await ledger.acceptPayment('site_1', PAYMENT);
    const refused = await ledger.acceptPayment('site_1', { ...PAYMENT, amountMinor: 1n }, claim);
    assert.equal(refused.kind, 'transaction_conflict');
    assert.equal(ledger.findAnswer('site_1', claim), undefined);
  });

  it('are one for goals and payments, and for sixty-four at once', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 64 }, () => ledger.acceptKeyedGoal(GOAL, claim)),
    );
    assert.equal(outcomes.filter(({ kind }) => kind === 'recorded').length, 1);
    assert.equal(outcomes.filter(({ kind }) => kind === 'replayed').length, 63);
    const payment = await ledger.acceptPayment('site_1', PAYMENT, claim);
    assert.deepEqual(payment, { kind: 'replayed', answer: 'first' });
    assert.deepEqual(ledger.countPayments(), { payments: 0, refunds: 0 });
  });
});

describe('the ledger', () => {
  it('numbers journals from 1 on, the same name always the same', async () => {
    assert.equal(ledger.registerJournal('web-0'), 1);
    assert.equal(ledger.registerJournal('web-1'), 2);
    await reopen();
    assert.equal(ledger.registerJournal('web-0'), 1);
    assert.equal(ledger.registerJournal('web-2'), 3);
  });

  it('is not opened when it is of a later release', async () => {
    await ledger.close();
    const db = new DatabaseSync(path);
    db.exec('PRAGMA user_version = 999');
    db.close();
    assert.throws(open, /later release/);
    rmSync(path);
    ledger = open();
  });

  it('refuses with an outage, not an answer, when it cannot write', async () => {
    await ledger.acceptPayment('site_1', PAYMENT);
    const db = new DatabaseSync(path);
    db.exec('ALTER TABLE payments RENAME TO hidden');
    const report = { ...PAYMENT, transactionId: 'ty' };
    await assert.rejects(ledger.acceptPayment('site_1', report), { name: 'UnavailableError' });
    db.exec('ALTER TABLE hidden RENAME TO payments');
    db.close();
    assert.deepEqual(await ledger.acceptPayment('site_1', report), { kind: 'recorded' });
  });

  it('is what ingest asks for', () => {
    const asked: IngestLedger & SiteDirectory = ledger;
    assert.ok(asked);
  });
});
