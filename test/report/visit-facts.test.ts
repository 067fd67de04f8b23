import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { EventRow } from '#contract/rows/event-row.ts';
import { newUuid } from '#ingest/new-uuid.ts';
import { createReports } from '#report/reports/create-reports.ts';
import { openWorldWarehouse, type WorldWarehouse } from '../worlds/open-warehouse.ts';

const SITE = { id: 'site_facts', timezone: 'UTC', currency: 'EUR' } as const;
const NOON = Date.UTC(2026, 10, 20, 12);

const ANNA: Partial<EventRow> = {
  country: 'DE',
  region: 'Bavaria',
  city: 'Munich',
  browser: 'Firefox',
  browser_version: '146',
  os: 'Windows',
  os_version: '11',
  device: 'desktop',
  language: 'de-DE',
  screen_width: 1920,
};

/** Anna comes by an ad and reads on; ben is on his phone, and says little; a crawler reads twice. */
const EVENTS: readonly EventRow[] = [
  // What was first is told last: the order of arrival must not matter.
  pageview('anna', 3, '/c', { ...ANNA, country: 'FR', source: 'Bing', channel: 'Organic Search' }),
  pageview('anna', 2, '/b', {
    ...ANNA,
    source: 'Google',
    medium: 'cpc',
    campaign: 'autumn',
    term: 'tea',
    content: 'top',
    click_id: 'gclid',
    referrer: 'https://www.google.com/?q=a',
    channel: 'Paid Search',
  }),
  pageview('anna', 1, '/a', ANNA),
  goal('anna', 0, { country: 'AT' }),
  pageview('ben', 1, '/ben', { browser: 'Safari', screen_width: 390, device: 'mobile' }),
  pageview('crawler', 1, '/', { bot_class: 'ai', bot_reason: 'GPTBot' }),
  pageview('crawler', 2, '/b', { bot_class: 'ai', bot_reason: 'GPTBot' }),
];

describe('what is known of a visit', () => {
  let world: WorldWarehouse;
  before(async () => {
    world = await openWorldWarehouse();
    for (const event of EVENTS) await world.addEvents([event]);
    await world.merge();
  });
  after(() => world.close());

  async function lines(
    dimensions: readonly string[],
    filters: readonly unknown[][] = [],
    metrics: readonly string[] = ['visits'],
  ): Promise<string[]> {
    const { breakdowns: report } = createReports({ warehouse: world.warehouse, now: () => NOON });
    const answer = await report.answer(SITE, {
      site_id: SITE.id,
      date_range: 'day',
      metrics: [...metrics],
      dimensions: [...dimensions],
      filters: [...filters],
    });
    assert.ok(answer.ok, JSON.stringify(answer));
    return answer.value.results.map((row) => [...row.dimensions, ...row.metrics].join(' | '));
  }

  const cases: readonly (readonly [dimension: string, anna: string, ben: string])[] = [
    ['visit:source', 'Google', 'Direct'],
    ['visit:medium', 'cpc', '(none)'],
    ['visit:campaign', 'autumn', '(none)'],
    ['visit:term', 'tea', '(none)'],
    ['visit:content', 'top', '(none)'],
    ['visit:click_id', 'gclid', '(none)'],
    ['visit:referrer', 'https://www.google.com/?q=a', '(none)'],
    ['visit:entry_page', '/a', '/ben'],
    ['visit:country', 'DE', '(none)'],
    ['visit:region', 'Bavaria', '(none)'],
    ['visit:city', 'Munich', '(none)'],
    ['visit:browser', 'Firefox', 'Safari'],
    ['visit:browser_version', 'Firefox 146', 'Safari'],
    ['visit:os', 'Windows', '(none)'],
    ['visit:os_version', 'Windows 11', '(none)'],
    ['visit:device', 'desktop', 'mobile'],
    ['visit:language', 'de-DE', '(none)'],
    ['visit:screen_size', 'from 1440 px', 'under 576 px'],
  ];
  for (const [dimension, anna, ben] of cases) {
    it(`tells ${dimension} by the first page, the source by the first that has one`, async () => {
      assert.deepEqual(
        (await lines([dimension])).toSorted(),
        [`${anna} | 1`, `${ben} | 1`].toSorted(),
      );
      assert.deepEqual(await lines([], [['is', dimension, [anna]]]), ['1']);
    });
  }

  it('keeps what a tag brought later apart, and not what opened the visit', async () => {
    const startedAt = Date.UTC(2026, 9, 1, 10);
    const visit_id = newUuid(startedAt);
    // As of a client whose clock is five minutes behind.
    const seen = (afterMs: number, source: string): EventRow => ({
      ...pageview('cleo', 0, '/', { visit_id, source, visit_started_at: startedAt }),
      event_id: newUuid(startedAt + afterMs),
      occurred_at: startedAt + afterMs + 300_000,
    });
    const tagged = [seen(600_000, 'newsletter'), seen(3, 'Google'), seen(900_000, '')];
    for (const event of tagged) await world.addEvents([event]);
    const rows = await world.warehouse.select<{ arrivals: string[] }>({
      sql: "SELECT arrivals FROM visits FINAL WHERE visitor_id = 'cleo'",
    });
    const sources = rows.flatMap(({ arrivals }) => arrivals.map((text) => text.split('\x1F')[2]));
    assert.deepEqual(sources, ['newsletter']);
  });

  it('counts bots only where a query names them', async () => {
    const counted = ['visits', 'pageviews', 'visitors', 'events'];
    assert.deepEqual(await lines([], [], counted), ['2 | 4 | 2 | 5']);
    assert.deepEqual(await lines(['visit:bot_class'], [], counted), [
      '(none) | 2 | 4 | 2 | 5',
      'ai | 1 | 2 | 1 | 2',
    ]);
    assert.deepEqual(await lines(['visit:bot'], [['is', 'visit:bot_class', ['ai']]], counted), [
      'GPTBot | 1 | 2 | 1 | 2',
    ]);
    assert.deepEqual(
      await lines(['event:page'], [['is', 'visit:bot', ['GPTBot']]], ['pageviews']),
      ['/ | 1', '/b | 1'],
    );
  });
});

function pageview(
  visitor: string,
  minute: number,
  path: string,
  more: Partial<EventRow>,
): EventRow {
  return { ...event(visitor, minute), type: 'pageview', path, ...more };
}

function goal(visitor: string, minute: number, more: Partial<EventRow>): EventRow {
  return { ...event(visitor, minute), type: 'goal', name: 'signup', ...more };
}

function event(visitor: string, minute: number) {
  const startedAt = Date.UTC(2026, 10, 20, 10);
  const hex = Buffer.from(visitor).toString('hex').slice(0, 12).padStart(12, '0');
  return {
    site_id: SITE.id,
    occurred_at: startedAt + minute * 60_000,
    accepted_at: startedAt,
    event_id: crypto.randomUUID(),
    visitor_id: visitor,
    visit_id: `00000000-0000-7000-8000-${hex}`,
    visit_started_at: startedAt,
  };
}
