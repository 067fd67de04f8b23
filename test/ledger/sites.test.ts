import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { makeLedgerForEachTest } from './ledger-of-test.ts';

const own = makeLedgerForEachTest();

async function addSite(): Promise<string> {
  const site = await own.ledger.addSite({
    domain: 'example.com',
    timezone: 'Europe/Berlin',
    currency: 'EUR',
  });
  assert.ok(site.ok);
  return site.value.id;
}

describe('sites of the ledger', () => {
  it('are found by id and by domain, also after a restart', async () => {
    const id = await addSite();
    await own.reopen();
    assert.match(id, /^site_[0-9a-z]{16}$/);
    assert.equal(own.ledger.findSite('example.com')?.id, id);
    assert.equal(own.ledger.findSite('EXAMPLE.com')?.id, id);
    assert.deepEqual(own.ledger.findSite(id), {
      id,
      domain: 'example.com',
      name: '',
      timezone: 'Europe/Berlin',
      currency: 'EUR',
      allowedHosts: [],
      settings: {},
      identitySecret: undefined,
      createdAt: own.clock,
      shown: { currency: 'EUR', place: 0 },
      converting: undefined,
    });
    assert.equal(own.ledger.findSite('example.org'), undefined);
  });

  it('accept domains in Unicode and Punycode, and currencies in any case', async () => {
    const site = await own.ledger.addSite({
      domain: 'Bücher.Example',
      timezone: 'europe/berlin',
      currency: 'eur',
      allowedHosts: ['Shop.Example', '127.0.0.1:8080'],
    });
    assert.ok(site.ok);
    assert.equal(site.value.domain, 'xn--bcher-kva.example');
    assert.equal(site.value.name, 'Bücher.Example');
    for (const name of ['BÜCHER.example', 'xn--bcher-kva.example']) {
      assert.equal(own.ledger.findSite(name)?.id, site.value.id);
    }
    assert.equal(site.value.timezone, 'Europe/Berlin');
    assert.equal(site.value.currency, 'EUR');
    assert.deepEqual(site.value.allowedHosts, ['shop.example', '127.0.0.1']);
  });

  const refusals = [
    [{ domain: 'https://example.com' }, /is not a domain/],
    [{ domain: 'example.com/shop' }, /is not a domain/],
    [{ domain: '' }, /is not a domain/],
    [{ domain: 'exa mple.com' }, /is not a domain/],
    [{ domain: 'exa_mple.com' }, /is not a domain/],
    [{ domain: 'account' }, /is not a domain/],
    [{ domain: 'shop..example' }, /is not a domain/],
    [{ timezone: 'Mars/Olympus' }, /is not a time zone/],
    [{ timezone: '+01:00' }, /is not a time zone/],
    [{ currency: 'BTC' }, /is not an ISO 4217 currency/],
    [{ allowedHosts: ['a b'] }, /is not a host/],
    [{ allowedHosts: ['localhost:x'] }, /"localhost:x" is not a host/],
    [{ allowedHosts: ['localhost', 'foo'] }, /"foo" is not a host/],
  ] as const;
  for (const [wrong, message] of refusals) {
    it(`refuse ${JSON.stringify(wrong)}`, async () => {
      const wanted = { domain: 'example.com', timezone: 'UTC', currency: 'EUR', ...wrong };
      const site = await own.ledger.addSite(wanted);
      assert.match(site.ok ? '' : site.error.message, message);
      assert.deepEqual([site.ok ? '' : site.error.field], Object.keys(wrong));
      assert.deepEqual(await own.ledger.listSites(), []);
    });
  }

  it('exist only once', async () => {
    await addSite();
    const again = await own.ledger.addSite({
      domain: 'EXAMPLE.com',
      timezone: 'UTC',
      currency: 'EUR',
    });
    assert.match(again.ok ? '' : again.error.message, /already exists/);
    assert.equal((await own.ledger.listSites()).length, 1);
  });

  it('keep their settings, also after a restart, until these are reset', async () => {
    const id = await addSite();
    assert.ok((await own.ledger.setSite('example.com', { retention: '25mo' })).ok);
    await own.reopen();
    assert.deepEqual(own.ledger.findSite(id)?.settings, { retention: '25mo' });
    assert.ok((await own.ledger.setSite(id, { retention: 'default' })).ok);
    assert.deepEqual(own.ledger.findSite(id)?.settings, {});
  });

  it('refuse an unknown setting and an invalid value', async () => {
    const id = await addSite();
    const refusalOf = async (changes: Record<string, string>, site = id) => {
      const set = await own.ledger.setSite(site, changes);
      return set.ok ? '' : set.error.message;
    };
    assert.match(
      await refusalOf({ retention: 'forever' }),
      /^retention must be a time .*25mo.*forever\.$/,
    );
    assert.match(
      await refusalOf({ colour: 'red' }),
      /^There is no setting colour\. The settings are retention/,
    );
    assert.match(await refusalOf({ constructor: 'x' }), /^There is no setting/);
    assert.match(await refusalOf({}, 'absent.example'), /^There is no site absent\.example/);
    assert.deepEqual(own.ledger.findSite(id)?.settings, {});
  });

  it('keep custom channels and other settings apart', async () => {
    const id = await addSite();
    const channel = { name: 'Own', where: [{ field: 'source', op: 'is', value: 'a' }] } as const;
    assert.ok((await own.ledger.setChannels(id, [channel])).ok);
    assert.ok((await own.ledger.setSite(id, { dataCentres: 'bots' })).ok);
    assert.ok(!(await own.ledger.setSite(id, { dataCentres: 'robots' })).ok);
    assert.ok(!(await own.ledger.setSite(id, { channels: '[]' })).ok);
    await own.reopen();
    assert.deepEqual(own.ledger.findSite(id)?.settings, {
      channels: [channel],
      dataCentres: 'bots',
    });
  });

  it('are removed with their keys', async () => {
    const siteId = await addSite();
    const { key } = await own.ledger.createKey({
      siteId,
      name: '',
      scopes: [],
      expiresAt: undefined,
    });
    assert.equal((await own.ledger.removeSite('example.com'))?.id, siteId);
    assert.equal(own.ledger.findSite(siteId), undefined);
    assert.equal(own.ledger.findKey(key), undefined);
    assert.equal(await own.ledger.removeSite('example.com'), undefined);
  });

  it('can be added again after removal, and keep being found by their old id', async () => {
    const before = await addSite();
    await own.ledger.removeSite(before);
    const after = await addSite();
    assert.notEqual(after, before);
    assert.deepEqual(
      (await own.ledger.listRemovedSites()).map(({ id }) => id),
      [before],
    );
    assert.equal(own.ledger.findSite('example.com')?.id, after);
  });

  it('can change domain, name, time zone and currency, with the rules of a new site', async () => {
    const id = await addSite();
    const wanted = { domain: 'Shop.example', name: ' The shop ', timezone: 'Asia/Tokyo' };
    assert.ok((await own.ledger.setSite(id, {}, { ...wanted, currency: 'jpy' })).ok);
    const { domain, name, timezone, currency } = own.ledger.findSite('shop.example') ?? {};
    assert.deepEqual(
      [domain, name, timezone, currency],
      ['shop.example', 'The shop', 'Asia/Tokyo', 'JPY'],
    );
    assert.equal(own.ledger.findSite('example.com'), undefined);
    await own.ledger.addSite({ domain: 'taken.example', timezone: 'UTC', currency: 'EUR' });
    for (const refused of [
      { domain: 'taken.example' },
      { timezone: 'Mars' },
      { currency: 'BTC' },
      { name: 'a\nb' },
    ]) {
      assert.equal((await own.ledger.setSite(id, {}, refused)).ok, false, JSON.stringify(refused));
    }
    assert.equal(own.ledger.findSite(id)?.domain, 'shop.example');
  });

  it('lose a www before their domain, and are found with it', async () => {
    const added = await own.ledger.addSite({
      ...{ domain: 'www.example.org', timezone: 'UTC', currency: 'EUR' },
    });
    assert.ok(added.ok);
    assert.equal(added.value.domain, 'example.org');
    assert.equal(own.ledger.findSite('www.example.org')?.id, added.value.id);
  });
});
