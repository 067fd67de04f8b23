import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import type { EventRow } from '#contract/rows/event-row.ts';
import {
  CHANNEL_FIELDS,
  CHANNEL_OPS,
  parseSiteChannel,
  type SiteChannel,
} from '#domain/acquisition/channels/site-channel.ts';
import { createReports } from '#report/reports/create-reports.ts';
import { openWorldWarehouse, type WorldWarehouse } from '../worlds/open-warehouse.ts';
import { findSiteChannel } from '../worlds/reference-channels.ts';

const SITE = { id: 'site_channels', timezone: 'UTC', currency: 'EUR' } as const;
const STARTED = Date.UTC(2026, 10, 20, 10);

/** Words that visits and rules share, so that rules hold now and then; some are hostile. */
const WORDS = ['', 'Google', 'Tea House', "it's", '50%_off', 'ÄRGER', 'x\\n{p0:String}', 'cpc'];
const CHANNELS = ['', 'Paid Search', 'Referral', 'Email'];

/** One visit for each word in each place, with neighbours that vary. */
const VISITS: readonly EventRow[] = Array.from({ length: 64 }, (_, index) => {
  const word = (step: number) => WORDS[(index * step + Math.floor(index / 8)) % WORDS.length] ?? '';
  return {
    site_id: SITE.id,
    occurred_at: STARTED + index,
    accepted_at: STARTED,
    event_id: crypto.randomUUID(),
    type: 'pageview',
    visitor_id: `visitor-${index}`,
    visit_id: `00000000-0000-7000-8000-${index.toString(16).padStart(12, '0')}`,
    visit_started_at: STARTED,
    path: `/${word(7)}`,
    source: word(1),
    medium: word(3),
    campaign: word(5),
    term: word(2),
    content: word(4),
    click_id: word(6),
    referrer: word(7),
    channel: CHANNELS[index % CHANNELS.length] ?? '',
  };
});

describe('channels', () => {
  let world: WorldWarehouse;
  before(async () => {
    world = await openWorldWarehouse();
    await world.addEvents(VISITS);
  });
  after(() => world.close());

  async function visitsByChannel(
    channels: readonly SiteChannel[],
    filters: unknown[][] = [],
    dimension = 'visit:channel',
  ): Promise<Record<string, unknown>> {
    const { breakdowns: report } = createReports({
      warehouse: world.warehouse,
      now: () => STARTED,
    });
    const site = { ...SITE, settings: { channels } };
    const answer = await report.answer(site, {
      site_id: SITE.id,
      date_range: 'day',
      metrics: ['visits'],
      dimensions: [dimension],
      filters,
    });
    assert.ok(answer.ok, JSON.stringify(answer));
    return Object.fromEntries(
      answer.value.results.map((row) => [row.dimensions[0] ?? '', row.metrics[0]]),
    );
  }

  it('are those of the records where the site has none of its own', async () => {
    const expected = { Direct: 16, Email: 16, 'Paid Search': 16, Referral: 16 };
    assert.deepEqual(await visitsByChannel([]), expected);
    assert.deepEqual(await visitsByChannel([], [], 'visitor:first_channel'), expected);
  });

  it('are the site’s own in history too, in order, and can be filtered by', async () => {
    const rules = [
      rule('Tea', 'source is tea house'),
      rule('Never', 'source is tea house'),
      rule('No word', 'channel is direct', 'campaign is_not', 'source is_not Google'),
    ];
    const found = await visitsByChannel(rules);
    assert.equal(found.Tea, VISITS.filter(({ source }) => source === 'Tea House').length);
    assert.equal(found.Never, undefined);
    assert.ok(Number(found['No word']) > 0);
    assert.deepEqual(await visitsByChannel(rules, [['is', 'visit:channel', ['Tea']]]), {
      Tea: found.Tea,
    });
  });

  it('are as the reference model has them, whatever the rules', async () => {
    const test = fc.record({
      field: fc.constantFrom(...CHANNEL_FIELDS),
      op: fc.constantFrom(...CHANNEL_OPS),
      value: fc.constantFrom(...WORDS.slice(1), 'ä', 'direct', '/', 'o', 'referral', 'HOUSE'),
    });
    const rules = fc.array(
      fc.record({
        name: fc.constantFrom('Own', "it's", '{p1:String}', 'Direct'),
        where: fc.array(test, { minLength: 1, maxLength: 3 }),
      }),
      { maxLength: 5 },
    );
    await fc.assert(
      fc.asyncProperty(rules, async (channels) => {
        const names = VISITS.map((visit) => expectedChannel(channels, visit));
        const counts = Map.groupBy(names, (name) => name);
        const expected = [...counts].map(([name, all]) => [name, all.length] as const);
        assert.deepEqual(await visitsByChannel(channels), Object.fromEntries(expected));
      }),
      { numRuns: 40 },
    );
  });
});

function rule(name: string, ...where: string[]): SiteChannel {
  const parsed = parseSiteChannel(name, where);
  assert.ok(parsed.ok, JSON.stringify(parsed));
  return parsed.value;
}

function expectedChannel(channels: readonly SiteChannel[], visit: EventRow): string {
  const standard = visit.channel || 'Direct';
  // A visit that came by nothing has no touch: its records of a touch are empty.
  const facts = {
    source: visit.source ?? '',
    medium: visit.medium ?? '',
    campaign: visit.campaign ?? '',
    term: visit.term ?? '',
    content: visit.content ?? '',
    click_id: visit.click_id ?? '',
    referrer: visit.referrer ?? '',
    entry_page: visit.path ?? '',
    channel: standard,
  };
  return findSiteChannel(channels, facts) ?? standard;
}
