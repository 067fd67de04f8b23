import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { EventRow } from '#contract/rows/event-row.ts';
import { HOUR_MS, MINUTE_MS } from '#domain/time/durations.ts';
import type { KnownVisitor } from '#domain/visit/known-visitor.ts';
import { createHashVisitor } from '#enrich/cookieless/hash-visitor.ts';
import { createEnricher } from '#enrich/enrich-event.ts';
import { newUuid } from '../new-uuid.ts';
import { createOwnVisits } from '../own-visits.ts';
import type { IngestSite } from '../ports.ts';
import { createVisitorDirectory } from '../visitor-directory.ts';
import { createAcceptEvents } from './accept-events.ts';
import type { Sender } from './event-draft.ts';

const START = Date.UTC(2026, 10, 21, 12);
const ADA: Sender = { userAgent: 'Firefox/140.0', address: '192.0.2.7', trustedSiteId: undefined };
const enricher = createEnricher({ geoipPath: undefined, dataCentreRanges: undefined } as never);

function siteOf(cookieless?: 'always' | 'gpc'): IngestSite {
  const settings = cookieless && { cookieless };
  const site = { id: 'site_1', domain: 'example.com', timezone: 'UTC', currency: 'EUR' };
  return { ...site, allowedHosts: [], ...(settings && { settings }) };
}

describe('a visitor of a cookieless site', () => {
  let now: number;
  let rows: EventRow[];
  let site: IngestSite;
  const known = new Map<string, KnownVisitor>();

  beforeEach(() => {
    now = START;
    rows = [];
    site = siteOf('always');
  });

  const directory = createVisitorDirectory({
    findVisitors: async (visitors) => visitors.map(({ visitorId }) => known.get(visitorId)),
    waitForShipping: async () => {},
  });
  const accept = createAcceptEvents({
    journal: {
      async append(appended) {
        rows.push(...appended);
      },
    },
    ledger: { acceptEvents: async () => ({ kind: 'recorded' }) },
    recorded: { find: async () => new Set() },
    openVisit: (_site, _visitor, _at, fresh) => fresh,
    ownVisits: createOwnVisits(Date.now),
    directory,
    sites: { findSite: () => site, refresh: async () => {} },
    enricher,
    drops: { countDrop() {} },
    now: () => now,
    newId: newUuid,
    hashVisitor: createHashVisitor((atMs) =>
      Buffer.alloc(32, Math.floor(atMs / (24 * HOUR_MS)) % 251),
    ),
  });
  const send = async (changes: object = {}, sender: Sender = ADA) => {
    const event = { site: 'example.com', type: 'pageview', url: 'https://example.com/' };
    return accept({ events: [{ ...event, ...changes }], sender });
  };

  it('is identified by address, user agent and site, and named in the answer to the page', async () => {
    const { visitor } = await send();
    assert.match(visitor?.visitorId ?? '', /^daily-[\w-]{22}$/);
    assert.equal(visitor?.isCookieless, true);
    assert.equal(rows[0]?.visitor_id, visitor?.visitorId);
    assert.equal((await send()).visitor?.visitorId, visitor?.visitorId);
    for (const other of [
      { ...ADA, address: '192.0.2.8' },
      { ...ADA, userAgent: 'Safari/18' },
    ]) {
      assert.notEqual((await send({}, other)).visitor?.visitorId, visitor?.visitorId);
    }
    site = { ...site, id: 'site_2' };
    assert.notEqual((await send()).visitor?.visitorId, visitor?.visitorId);
  });

  it('is the same for every spelling of the address', async () => {
    const idOf = async (address: string) =>
      (await send({}, { ...ADA, address })).visitor?.visitorId;
    const spellings = [
      ['203.0.113.77', '::ffff:203.0.113.77', '::FFFF:cb00:714d', '0:0:0:0:0:ffff:203.0.113.77'],
      ['2001:db8::1', '2001:DB8:0:0:0:0:0:1', '2001:0db8::0001'],
    ];
    for (const [first = '', ...others] of spellings) {
      const id = await idOf(first);
      for (const other of others) assert.equal(await idOf(other), id, other);
    }
    assert.notEqual(await idOf('2001:db8::1'), await idOf('2001:db8::2'));
  });

  it('has another id on the next day', async () => {
    const today = (await send()).visitor?.visitorId;
    now += 12 * HOUR_MS;
    assert.notEqual((await send()).visitor?.visitorId, today);
  });

  it('ignores ids that a page sends', async () => {
    const visit_id = newUuid(START);
    await send({ service_visitor_id: 'ada', visit_id });
    assert.match(rows[0]?.visitor_id ?? '', /^daily-/);
    assert.notEqual(rows[0]?.visit_id, visit_id);
  });

  it('continues the open visit, and begins another after 30 minutes', async () => {
    now += HOUR_MS; // Whatever the tests before this one left open is over.
    await send();
    now += 29 * MINUTE_MS;
    await send();
    now += 30 * MINUTE_MS;
    await send();
    assert.equal(rows[1]?.visit_id, rows[0]?.visit_id);
    assert.notEqual(rows[2]?.visit_id, rows[0]?.visit_id);
  });

  it('opens no visit by leaving a page', async () => {
    now += 3 * HOUR_MS;
    await send({ type: 'engagement', engagement_ms: 900, scroll_depth: 40 });
    assert.equal(rows[0]?.visit_id, undefined);
    assert.equal(rows[0]?.extends_visit, 0);
  });

  it('has the id that a server with a key sends', async () => {
    await send({ service_visitor_id: 'ada' }, { ...ADA, trustedSiteId: 'site_1' });
    assert.equal(rows[0]?.visitor_id, 'ada');
    const { dropped } = await send({}, { ...ADA, trustedSiteId: 'site_1' });
    assert.equal(dropped[0]?.reason, 'visitor_missing');
  });

  it('is only a visitor with Global Privacy Control, if the site says so', async () => {
    site = siteOf('gpc');
    await send({}, { ...ADA, isPrivate: true });
    await send({ service_visitor_id: 'ada' });
    assert.match(rows[0]?.visitor_id ?? '', /^daily-/);
    assert.equal(rows[1]?.visitor_id, 'ada');
    assert.equal((await send()).dropped[0]?.reason, 'visitor_missing');
  });

  it('is missing on a site with cookies', async () => {
    site = siteOf();
    const { dropped } = await send({}, { ...ADA, isPrivate: true });
    assert.equal(dropped[0]?.reason, 'visitor_missing');
  });
});
