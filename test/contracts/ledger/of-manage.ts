import assert from 'node:assert/strict';
import { DAY_MS } from '#domain/time/durations.ts';
import { type CasesOf, type LedgerOfContract, pays } from './cases.ts';

type Ledger = LedgerOfContract['ledger'];
type OfSites =
  | 'addSite'
  | 'setSite'
  | 'setChannels'
  | 'rotateIdentitySecret'
  | 'removeSite'
  | 'listSites'
  | 'listRemovedSites'
  | 'hasPayments';
type OfKeys = 'createKey' | 'listKeys' | 'findKey' | 'rotateKey' | 'revokeKey';

const KEY = { name: 'Shop', scopes: ['events:write'], expiresAt: undefined } as const;

const ids = (listed: readonly { readonly id: string }[]) => listed.map(({ id }) => id);

/** Another process may have removed it. */
async function findAfterRestart(own: LedgerOfContract, site: string) {
  await own.reopen();
  return own.ledger.findSite(site);
}

/** What the management API and its commands need of a ledger. */
export const ofManage: CasesOf<Pick<Ledger, OfSites | OfKeys>> = {
  addSite: {
    async 'adds a site that is found at once, and after a restart'(own) {
      const wanted = { domain: 'www.Bücher.example', timezone: 'europe/berlin', currency: 'eur' };
      const added = await own.ledger.addSite(wanted);
      assert.ok(added.ok);
      const { domain, name, timezone, currency, id } = added.value;
      assert.deepEqual(
        [domain, name, timezone, currency],
        ['xn--bcher-kva.example', 'www.Bücher.example', 'Europe/Berlin', 'EUR'],
      );
      assert.equal(own.ledger.findSite('bücher.example')?.id, id);
      assert.deepEqual(await findAfterRestart(own, id), added.value);
    },
    async 'refuses a domain that another site has, and what is no currency'({ ledger }, site) {
      const { domain = '', timezone = '' } = ledger.findSite(site) ?? {};
      const again = await ledger.addSite({ domain, timezone, currency: 'EUR' });
      const faulty = await ledger.addSite({ domain: 'x.example', timezone, currency: 'XYZ' });
      assert.deepEqual(
        [again, faulty].map((each) => each.ok || each.error.field),
        ['domain', 'currency'],
      );
    },
  },
  setSite: {
    async 'changes settings and names, also for the next start'(own, site) {
      const changed = await own.ledger.setSite(site, { retention: '90d' }, { name: 'Tea' });
      assert.ok(changed.ok);
      assert.deepEqual([changed.value.settings, changed.value.name], [{ retention: '90d' }, 'Tea']);
      assert.deepEqual(await findAfterRestart(own, site), changed.value);
      await own.ledger.setSite(site, { retention: 'default' }, {});
    },
    async 'refuses another site’s domain and unknown sites, and changes nothing'(own, site) {
      const { domain = '' } = own.ledger.findSite(await own.addSite()) ?? {};
      assert.equal((await own.ledger.setSite(site, {}, { domain, name: 'Tea' })).ok, false);
      assert.equal((await own.ledger.setSite('site_9', {}, { name: 'Tea' })).ok, false);
      assert.equal((await findAfterRestart(own, site))?.name, '');
    },
  },
  setChannels: {
    async 'replaces the channels of one site'(own, site) {
      const other = await own.addSite();
      const channels = [
        { name: 'Partners', where: [{ field: 'source', op: 'is', value: 'ä' }] },
      ] as const;
      assert.equal((await own.ledger.setChannels(site, channels)).ok, true);
      assert.deepEqual((await findAfterRestart(own, site))?.settings.channels, channels);
      assert.equal(own.ledger.findSite(other)?.settings.channels, undefined);
    },
  },
  rotateIdentitySecret: {
    async 'replaces the secret'(own, site) {
      const secrets: unknown[] = [];
      for (let times = 0; times < 2; times++) {
        const made = await own.ledger.rotateIdentitySecret(site);
        secrets.push(made.ok && made.value);
      }
      assert.equal(new Set(secrets).size, 2);
      assert.equal((await findAfterRestart(own, site))?.identitySecret, secrets[1]);
      assert.equal((await own.ledger.rotateIdentitySecret('site_9')).ok, false);
    },
  },
  removeSite: {
    async 'takes a site and its keys away, and frees its domain'(own, site) {
      const { domain = '' } = own.ledger.findSite(site) ?? {};
      const { key } = await own.ledger.createKey({ ...KEY, siteId: site });
      await own.ledger.removeSite(site);
      assert.equal(own.ledger.findKey(key), undefined);
      assert.equal(await findAfterRestart(own, site), undefined);
      const again = await own.ledger.addSite({ domain, timezone: 'UTC', currency: 'EUR' });
      assert.equal(again.ok, true);
      assert.equal(await own.ledger.removeSite('site_9'), undefined);
    },
  },
  listSites: {
    async 'lists sites as they are found, in the order of their domains'(
      { ledger, addSite },
      site,
    ) {
      await addSite();
      const listed = await ledger.listSites();
      const domains = listed.map(({ domain }) => domain);
      assert.deepEqual(domains, domains.toSorted());
      assert.deepEqual(
        listed.find(({ id }) => id === site),
        ledger.findSite(site),
      );
    },
  },
  listRemovedSites: {
    async 'lists only those that are removed'({ ledger, addSite }, site) {
      const other = await addSite();
      await ledger.removeSite(site);
      const removed = ids(await ledger.listRemovedSites());
      assert.deepEqual([removed.includes(site), removed.includes(other)], [true, false]);
      assert.ok(!ids(await ledger.listSites()).includes(site));
    },
  },
  hasPayments: {
    async 'tells whether the site has any'({ ledger, addSite }, site) {
      assert.equal(await ledger.hasPayments(site), false);
      await ledger.acceptPayment(site, pays('tx'));
      assert.equal(await ledger.hasPayments(site), true);
      assert.equal(await ledger.hasPayments(await addSite()), false);
    },
  },
  createKey: {
    async 'creates a key that is valid at once, and after a restart'(own, siteId) {
      const { id, key } = await own.ledger.createKey({ ...KEY, siteId });
      assert.equal(own.ledger.findKey(key)?.id, id);
      await own.reopen();
      const { name, scopes, siteId: of } = own.ledger.findKey(key) ?? {};
      assert.deepEqual([of, name, scopes], [siteId, KEY.name, KEY.scopes]);
    },
  },
  listKeys: {
    async 'lists the keys of a site, the oldest first, and none of another'(own, siteId) {
      const made = [];
      for (const name of ['a', 'b'])
        made.push(await own.ledger.createKey({ ...KEY, siteId, name }));
      const listed = await own.ledger.listKeys(siteId);
      assert.deepEqual(ids(listed).toSorted(), ids(made).toSorted());
      assert.deepEqual(await own.ledger.listKeys(await own.addSite()), []);
      assert.ok((await own.ledger.listKeys()).length >= 2);
    },
    async 'shows when a key was last used, after a restart at the latest'(own, siteId) {
      const { id, key } = await own.ledger.createKey({ ...KEY, siteId });
      own.ledger.findKey(key);
      await own.reopen();
      const [found] = await own.ledger.listKeys(siteId);
      assert.equal(found?.id, id);
      assert.ok(Date.now() - (found.lastUsedAt ?? 0) < DAY_MS);
    },
  },
  findKey: {
    async 'finds no key that has expired, and none that never was'({ ledger }, siteId) {
      const { key } = await ledger.createKey({ ...KEY, siteId, expiresAt: 1 });
      assert.equal(ledger.findKey(key), undefined);
      assert.equal(ledger.findKey('trb_x'), undefined);
    },
  },
  rotateKey: {
    async 'makes a key like the old one, which stays valid for a while'({ ledger }, siteId) {
      const old = await ledger.createKey({ ...KEY, siteId });
      const next = await ledger.rotateKey(old.id, { overlapMs: DAY_MS });
      const { name, scopes } = ledger.findKey(next?.key ?? '') ?? {};
      assert.deepEqual([name, scopes], [KEY.name, KEY.scopes]);
      assert.equal(ledger.findKey(old.key)?.id, old.id);
      await ledger.rotateKey(next?.id ?? '', { overlapMs: 0 });
      assert.equal(ledger.findKey(next?.key ?? ''), undefined);
      assert.equal(await ledger.rotateKey('key_9', { overlapMs: 0 }), undefined);
    },
  },
  revokeKey: {
    async 'ends a key at once, and keeps when'(own, siteId) {
      const { id, key } = await own.ledger.createKey({ ...KEY, siteId });
      const revoked = await own.ledger.revokeKey(id);
      assert.equal(own.ledger.findKey(key), undefined);
      await own.reopen();
      assert.equal(own.ledger.findKey(key), undefined);
      assert.equal((await own.ledger.revokeKey(id))?.revokedAt, revoked?.revokedAt);
      assert.equal(await own.ledger.revokeKey('key_9'), undefined);
    },
  },
};
