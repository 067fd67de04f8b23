import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync, renameSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { HOUR_MS } from '#domain/time/durations.ts';
import { UnavailableError } from '#domain/unavailable.ts';
import { openLedger, openLedgerTables, readQueues, withLedgerCounts } from '#ledger/open-ledger.ts';
import { PERSON_VISITORS_MAX } from '#ledger/persons/person-book.ts';
import { OUTBOX } from '#storage/shipment-token.ts';
import { tablesOf } from '#storage/sql/copy-tables.ts';
import { NO_RATES } from '../../ledger/rates-of-test.ts';
import { type CasesOf, type LedgerOfContract, pays } from './cases.ts';
import { costs } from './of-costs.ts';

type Ledger = LedgerOfContract['ledger'];
type Counts = Parameters<Parameters<typeof withLedgerCounts>[1]>[0];

/** How long it takes at most until a file is noticed to be away. */
const NOTICED_MS = 600;

/** Reads counts as commands do, beside a ledger that is open. */
async function count<T>({ location }: LedgerOfContract, read: (counts: Counts) => Promise<T>) {
  const found = await withLedgerCounts(location, read);
  assert.ok(found !== undefined);
  return found as T;
}

const goal = (siteId: string, visitorId = 'v') => ({
  row: {
    ...{ site_id: siteId, occurred_at: 1, accepted_at: 1, event_id: randomUUID() },
    ...{ type: 'goal' as const, visitor_id: visitorId },
  },
});

const identify = (siteId: string, visitorId: string) => ({
  row: { ...goal(siteId, visitorId).row, type: 'identify' as const, user_id: '42' },
});

/** What a process needs of a ledger that it has opened. */
export const ofProcesses: CasesOf<Pick<Ledger, 'assertInPlace' | 'countRefusedJoins' | 'close'>> = {
  assertInPlace: {
    async 'throws within a second when an SQLite file is away, until it is back'(own) {
      const { ledger, location } = own;
      ledger.assertInPlace();
      if (!existsSync(location)) return;
      renameSync(location, `${location}.away`);
      await sleep(NOTICED_MS);
      assert.throws(() => ledger.assertInPlace(), UnavailableError);
      renameSync(`${location}.away`, location);
      await sleep(NOTICED_MS);
      ledger.assertInPlace();
    },
  },
  countRefusedJoins: {
    async 'counts the joins that would make a person of too many visitors'({ ledger }, site) {
      const before = await ledger.countRefusedJoins();
      const visitors = Array.from({ length: PERSON_VISITORS_MAX + 1 }, (_, index) => `v${index}`);
      await ledger.acceptEvents(visitors.map((each) => identify(site, each)));
      await ledger.findKnownPerson(site, 'v0', 'person');
      assert.equal(await ledger.countRefusedJoins(), before + 1);
    },
  },
  close: {
    async 'ends after what is under way is recorded'({ ledger, location }, site) {
      const other = await openLedger({ location });
      const paid = other.acceptPayment(site, pays('tx'));
      await other.close();
      assert.deepEqual(await paid, { kind: 'recorded' });
      assert.equal((await ledger.findPayment(site, 'tx'))?.record.statedMinor, 2999n);
    },
  },
};

/** The rules of what is counted by versions, of payments or of costs. `change` changes one more on a site. */
function ofVersions(
  of: 'payments' | 'costs',
  change: (own: LedgerOfContract, siteId: string, name: string) => Promise<unknown>,
): CasesOf<Counts['payments' | 'costs']> {
  const lastOf = (own: LedgerOfContract) => count(own, (counts) => counts[of].lastVersion());
  return {
    lastVersion: {
      async [`of ${of} grows with each change, and with nothing else`](own, site) {
        const before = await lastOf(own);
        await change(own, site, 'a');
        const after = await lastOf(own);
        await change(own, site, 'a');
        assert.deepEqual([after > before, await lastOf(own)], [true, after]);
      },
    },
    shippedVersion: {
      async [`of ${of} is the one that was last shipped`](own) {
        await own.ledger.saveShipped(`shipped_${of}`, 3);
        assert.equal(await count(own, (counts) => counts[of].shippedVersion()), 3);
      },
    },
    countChangedAfter: {
      async [`counts ${of} with a later version`](own, site) {
        const before = await lastOf(own);
        for (const name of ['a', 'b']) await change(own, site, name);
        assert.equal(await count(own, (counts) => counts[of].countChangedAfter(before)), 2);
      },
    },
    createReadRows: {
      async [`reads the rows of changed ${of}, with the money of their site`](own, site) {
        const after = await lastOf(own);
        for (const name of ['a', 'b']) await change(own, site, name);
        const upTo = await lastOf(own);
        const rows = await count(own, async (counts) =>
          (await counts[of].createReadRows(NO_RATES))({ after, upTo }),
        );
        assert.deepEqual(rows.map(siteOf), [site, site]);
      },
    },
  };
}

const siteOf = (row: object) => ('site_id' in row ? row.site_id : undefined);

export const ofPaymentCounts: CasesOf<Counts['payments']> = ofVersions(
  'payments',
  ({ ledger }, site, name) => ledger.acceptPayment(site, pays(name)),
);

export const ofCostCounts: CasesOf<Counts['costs']> = ofVersions(
  'costs',
  ({ ledger }, site, campaign) =>
    ledger.recordCosts(site, [costs('2026-11-23', { campaign })], { isWhole: false }),
);

/** What commands count in a ledger, and compare with the warehouse. */
export const ofCounts: CasesOf<Omit<Counts, 'payments' | 'costs'>> = {
  shippedPersonsVersion: {
    async 'is the version that was last shipped'(own) {
      await own.ledger.saveShipped('shipped_persons', 4);
      assert.equal(await count(own, (counts) => counts.shippedPersonsVersion()), 4);
    },
  },
  findConverted: {
    async 'finds the currency of a site’s rows, but not while they are converted'(own, id) {
      const read = () => count(own, (counts) => counts.findConverted(NO_RATES));
      const { currency = '', timezone = '' } = own.ledger.findSite(id) ?? {};
      const site = { id, currency, timezone, projection: {} };
      await own.ledger.saveProjections([[site, { currency, timezone, rates: '', place: 1 }]]);
      assert.deepEqual((await read()).get(id), { currency, place: 1 });
      await own.ledger.setSite(id, {}, { currency: 'USD' });
      assert.equal((await read()).get(id), undefined);
    },
  },
  listSites: {
    async 'lists the sites as the ledger does'(own) {
      const listed = await count(own, (counts) => counts.listSites());
      assert.deepEqual(listed, await own.ledger.listSites());
    },
  },
  domainsById: {
    async 'knows the domains of removed sites, too'(own, site) {
      const { domain } = own.ledger.findSite(site) ?? {};
      await own.ledger.removeSite(site);
      const domains = await count(own, (counts) => counts.domainsById());
      assert.equal(domains.get(site), domain);
    },
  },
  erasedByJournal: {
    async 'counts erased events, and those of erasures that are at their end'(own, site) {
      const { id } = await own.ledger.requestErasure(site, 'v', 'visitor');
      const person = { visitors: ['v'], users: [], customers: [], emails: [], transactions: [] };
      await own.ledger.begin(id, person);
      await own.ledger.addCounted(id, [{ journal: 77, lastBatch: 1, blocks: [], rows: 3 }]);
      const read = async () => (await count(own, (counts) => counts.erasedByJournal())).get(77);
      assert.deepEqual(await read(), { all: 3, finished: 0 });
      await own.ledger.finish(id);
      assert.deepEqual(await read(), { all: 3, finished: 3 });
    },
  },
  forgettingBySite: {
    async 'tells which sites an erasure runs on, and how many have ended'(own, site) {
      const { id } = await own.ledger.requestErasure(site, 'v', 'visitor');
      const person = { visitors: ['v'], users: [], customers: [], emails: [], transactions: [] };
      const read = async () => (await count(own, (counts) => counts.forgettingBySite())).get(site);
      await own.ledger.begin(id, person);
      assert.equal(await read(), 'running');
      await own.ledger.finish(id);
      assert.equal(await read(), '1');
    },
  },
  personsUpTo: {
    async 'reads the rows of persons with several visitors'(own, site) {
      await own.ledger.acceptEvents(['a', 'b'].map((visitor) => identify(site, visitor)));
      await own.ledger.findKnownPerson(site, 'a', 'person');
      const rows = await count(own, (counts) =>
        Array.fromAsync(counts.personsUpTo(Number.MAX_SAFE_INTEGER)),
      );
      const ofSite = rows.filter((row) => row.site_id === site);
      assert.deepEqual(
        ofSite.map(({ kind, key, person_id }) => [kind, key, person_id]),
        [['visitor', 'b', 'a']],
      );
    },
  },
  countPersons: {
    async 'counts these rows up to a version'(own, site) {
      const read = (upTo: number) => count(own, (counts) => counts.countPersons(upTo));
      const before = await read(Number.MAX_SAFE_INTEGER);
      await own.ledger.acceptEvents(['a', 'b'].map((visitor) => identify(site, visitor)));
      await own.ledger.findKnownPerson(site, 'a', 'person');
      assert.deepEqual([await read(Number.MAX_SAFE_INTEGER), await read(0)], [before + 1, 0]);
    },
  },
  findUnknownSiteDrops: {
    async 'counts the dropped events of unknown sites, and names their hosts'(own) {
      const drop = { siteId: '', reason: 'unknown_site' as const, hourAt: 5 * HOUR_MS };
      const sample = { ...drop, type: 'pageview', host: 'typo.example', path: '/' };
      await own.ledger.saveDrops([{ ...drop, count: 3 }], [sample]);
      const since = (at: number) => count(own, (counts) => counts.findUnknownSiteDrops(at));
      assert.deepEqual(await since(0), { count: 3, hosts: ['typo.example'] });
      assert.deepEqual(await since(6 * HOUR_MS), { count: 0, hosts: [] });
    },
  },
  readOutbox: {
    async 'counts the events that wait to be shipped, as all queues do'(own, site) {
      const read = () => count(own, (counts) => counts.readOutbox());
      const before = await read();
      await own.ledger.acceptEvents([goal(site), goal(site)]);
      const after = await read();
      assert.equal(after.waiting, before.waiting + 2);
      const queues = await readQueues({ ledger: own.location, journals: '/nowhere' });
      assert.deepEqual([...queues], [[OUTBOX, after]]);
    },
  },
};

type Tables = Awaited<ReturnType<typeof openLedgerTables>>;

/** What copying needs of a ledger. */
export const ofTables: CasesOf<Tables> = {
  db: {
    async 'reads what the ledger has recorded'({ ledger, location }, site) {
      await ledger.acceptPayment(site, pays('tx'));
      const { db, close } = await openLedgerTables(location);
      const found = await db.get('SELECT count(*) AS n FROM payments WHERE site_id = ?', site);
      assert.equal(Number(found?.n), 1);
      await close();
    },
  },
  schema: {
    async 'names every table, each of which is there'({ location }) {
      const { db, schema, close } = await openLedgerTables(location);
      const tables = tablesOf(schema);
      assert.ok(tables.includes('payments') && tables.includes('provider_events'));
      for (const table of tables) await db.get(`SELECT count(*) AS n FROM ${table}`);
      await close();
    },
  },
  close: {
    async 'leaves the ledger open for others'({ ledger, location }, site) {
      await (await openLedgerTables(location)).close();
      assert.deepEqual(await ledger.acceptPayment(site, pays('tx')), { kind: 'recorded' });
    },
  },
};
