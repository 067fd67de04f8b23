import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { EventRow } from '#contract/rows/event-row.ts';
import { MINUTE_MS } from '#domain/time/durations.ts';
import { UnavailableError } from '#domain/unavailable.ts';
import type { KnownVisitor } from '#domain/visit/known-visitor.ts';
import { createEnricher } from '#enrich/enrich-event.ts';
import { newUuid } from '../new-uuid.ts';
import { createOwnVisits } from '../own-visits.ts';
import type { IngestSite } from '../ports.ts';
import { createVisitorDirectory } from '../visitor-directory.ts';
import { createAcceptEvents } from './accept-events.ts';
import { createOpenVisits } from './open-visits.ts';

const START = Date.UTC(2026, 10, 21, 12);
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const SITE: IngestSite = {
  id: 'site_1',
  domain: 'example.com',
  timezone: 'UTC',
  currency: 'EUR',
  allowedHosts: ['example.shop'],
};
const BROWSER = { userAgent: FIREFOX, trustedSiteId: undefined };
const SERVER = { userAgent: 'backend/1.0', trustedSiteId: SITE.id };
const enricher = createEnricher();

/** What the warehouse knows; a visitor called `down` finds it silent. */
const WAREHOUSE = new Map<string, KnownVisitor>([
  [
    'returning',
    {
      botClass: '',
      hasPageview: true,
      visitId: newUuid(START - MINUTE_MS),
      visitStartedAt: START - MINUTE_MS,
      lastEventAt: START - MINUTE_MS,
    },
  ],
]);

describe('an accepted event', () => {
  let now: number;
  let rows: EventRow[];
  let drops: string[];
  let accept: ReturnType<typeof createAcceptEvents>;

  beforeEach(() => {
    now = START;
    rows = [];
    drops = [];
    accept = createAcceptEvents({
      journal: {
        async append(appended) {
          rows.push(...appended);
        },
      },
      ledger: {
        async acceptEvents(events) {
          rows.push(...events.map(({ row }) => row));
          return { kind: 'recorded' };
        },
      },
      recorded: { find: async () => new Set<EventRow>() },
      ...{ openVisit: createOpenVisits(), ownVisits: createOwnVisits(Date.now) },
      directory: createVisitorDirectory({
        async findVisitors(visitors) {
          if (visitors.some(({ visitorId }) => visitorId === 'down')) {
            throw new UnavailableError('The warehouse does not answer.');
          }
          return visitors.map(({ visitorId }) => WAREHOUSE.get(visitorId));
        },
        waitForShipping: async () => {},
      }),
      sites: {
        findSite: (name) => ([SITE.id, SITE.domain].includes(name) ? SITE : undefined),
        refresh: async () => {},
      },
      enricher,
      drops: { countDrop: (site, reason) => drops.push(`${site} ${reason}`) },
      now: () => now,
      newId: newUuid,
      hashVisitor: ({ address }) => `day:${address}`,
    });
  });

  const page = (changes: object = {}) => ({
    site: 'example.com',
    type: 'pageview',
    url: 'https://example.com/pricing',
    service_visitor_id: 'ada',
    ...changes,
  });
  const acceptOne = async (
    changes: object = {},
    sender: typeof BROWSER | typeof SERVER = BROWSER,
  ) => {
    const { accepted, dropped } = await accept({ events: [page(changes)], sender });
    assert.equal(accepted, 1, JSON.stringify(dropped));
    return rows.at(-1) as EventRow;
  };

  it('becomes a row with the page, the source and the visit', async () => {
    const visitId = newUuid(START - MINUTE_MS);
    const row = await acceptOne({
      visit_id: visitId.toUpperCase(),
      sent_at: START,
      url: 'https://WWW.example.com/pricing?utm_source=newsletter&utm_campaign=tea#top',
      referrer: 'https://www.google.com/',
      title: 'Pricing',
      screen_width: 1440,
    });
    assert.deepEqual(JSON.parse(JSON.stringify(row)), {
      site_id: 'site_1',
      occurred_at: START,
      accepted_at: START,
      event_id: row.event_id,
      type: 'pageview',
      visitor_id: 'ada',
      visit_id: visitId,
      visit_started_at: START - MINUTE_MS,
      extends_visit: 1,
      hostname: 'www.example.com',
      path: '/pricing',
      source: 'newsletter',
      campaign: 'tea',
      channel: 'Email',
      referrer: 'https://www.google.com/',
      browser: 'Firefox',
      browser_version: '140',
      os: 'Linux',
      device: 'desktop',
      title: 'Pricing',
      screen_width: 1440,
    });
  });

  it('may come from a host that the site allows', async () => {
    assert.equal((await acceptOne({ url: 'https://example.shop/' })).hostname, 'example.shop');
  });

  it('opens a visit when it names none, which the next event within 30 minutes joins', async () => {
    const first = await acceptOne();
    now += 30 * MINUTE_MS - 1;
    const second = await acceptOne();
    now += 30 * MINUTE_MS;
    const third = await acceptOne();
    assert.equal(first.visit_started_at, START);
    assert.deepEqual(
      [second.visit_id, second.visit_started_at],
      [first.visit_id, first.visit_started_at],
    );
    assert.notEqual(third.visit_id, first.visit_id);
    assert.equal(third.visit_started_at, now);
  });

  it('shares its visit with its batch', async () => {
    await accept({ events: [page(), page({ type: 'goal', name: 'signup' })], sender: BROWSER });
    assert.equal(rows[0]?.visit_id, rows[1]?.visit_id);
  });

  it('continues the visit that the warehouse knows', async () => {
    const row = await acceptOne({ service_visitor_id: 'returning' });
    assert.equal(row.visit_id, WAREHOUSE.get('returning')?.visitId);
    assert.equal(row.visit_started_at, START - MINUTE_MS);
  });

  it('opens a visit when the warehouse does not answer, and is not lost', async () => {
    assert.equal((await acceptOne({ service_visitor_id: 'down' })).visit_started_at, START);
  });

  it('keeps the start of its visit when the sender’s clock changes', async () => {
    const visit_id = newUuid(START);
    const first = await acceptOne({ visit_id, sent_at: START });
    now += MINUTE_MS;
    const second = await acceptOne({ visit_id, sent_at: now + 60 * MINUTE_MS });
    assert.equal(second.visit_started_at, first.visit_started_at);
  });

  it('ignores a visit id with an implausible start', async () => {
    const row = await acceptOne({ visit_id: newUuid(Date.UTC(2001)), sent_at: START });
    assert.equal(row.visit_started_at, START);
  });

  it('is kept for a bot, with the reason', async () => {
    const bot = { userAgent: 'Googlebot/2.1', trustedSiteId: undefined };
    const declared = await acceptOne({}, bot);
    assert.equal(declared.bot_class, 'declared');
    assert.match(declared.bot_reason ?? '', /Googlebot/);
  });

  it('is of the class of its visit, whichever program sends it', async () => {
    const bot = { userAgent: 'Googlebot/2.1', trustedSiteId: undefined };
    const visit = { visit_id: newUuid(START) };
    for (const sender of [bot, BROWSER]) {
      assert.equal((await acceptOne(visit, sender)).bot_reason, 'Googlebot');
    }
    const agents = ['curl/8', FIREFOX].map((user_agent) =>
      page({ service_visitor_id: 'bea', user_agent }),
    );
    await accept({ events: agents, sender: SERVER });
    assert.equal(rows.at(-1)?.bot_reason, 'curl');
  });

  it('states the visitor’s browser only with a key', async () => {
    const claimed = { user_agent: 'Googlebot/2.1', occurred_at: START - 60 * MINUTE_MS };
    const event_id = '0193A1B2-6C1D-4F7A-9E55-2F1F6B0C7D10';
    const ignored = await acceptOne({ ...claimed, event_id });
    assert.equal(ignored.bot_class, undefined);
    assert.equal(ignored.occurred_at, START);
    assert.notEqual(ignored.event_id, event_id.toLowerCase());
    const believed = await acceptOne({ ...claimed, event_id }, SERVER);
    assert.equal(believed.bot_class, 'declared');
    assert.equal(believed.occurred_at, START - 60 * MINUTE_MS);
    assert.equal(believed.event_id, event_id.toLowerCase());
    assert.equal((await acceptOne({}, SERVER)).bot_class, undefined);
  });

  it('needs no page from a server, unless it is a pageview', async () => {
    const row = await acceptOne({ type: 'goal', name: 'renewed', url: undefined }, SERVER);
    assert.equal(row.hostname, undefined);
    const { dropped } = await accept({ events: [page({ url: undefined })], sender: SERVER });
    assert.equal(dropped[0]?.reason, 'invalid_event');
  });

  it('has a source only if it is a pageview', async () => {
    const row = await acceptOne({ type: 'goal', name: 'a', url: 'https://example.com/?ref=x' });
    assert.equal(row.source, undefined);
  });

  it('has no markup in its properties or traits', async () => {
    const goal = await acceptOne({ type: 'goal', name: 'a', metadata: { b: '<i>1</i> < 2' } });
    assert.deepEqual(goal.props, { b: '1 < 2' });
    const known = await acceptOne({ type: 'identify', user_id: 'u7', traits: { plan: 'pro' } });
    assert.deepEqual([known.user_id, known.props], ['u7', { plan: 'pro' }]);
  });

  it('is counted when it is dropped', async () => {
    const events = [page({ site: 'absent.example' }), page({ url: 'https://evil.example/' }), 7];
    await accept({ events, sender: BROWSER });
    assert.deepEqual(drops, [' unknown_site', 'site_1 hostname_not_allowed', ' invalid_event']);
    assert.deepEqual(rows, []);
  });

  it('is counted for the site it names, whatever its fault', async () => {
    await accept({ events: [page({ type: 'hit' })], sender: BROWSER });
    await accept({ events: [page()], sender: { ...SERVER, trustedSiteId: 'site_2' } });
    assert.deepEqual(drops, ['site_1 invalid_event', 'site_1 site_of_another_key']);
  });
});
