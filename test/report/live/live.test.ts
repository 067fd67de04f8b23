import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { EventRow } from '#contract/rows/event-row.ts';
import { createCountLive } from '#report/live/count-live.ts';
import { scheduleStatements } from '#report/scheduler/query-scheduler.ts';
import { openWorldWarehouse, type WorldWarehouse } from '../../worlds/open-warehouse.ts';

/**
 * Noon on a site. By minutes and seconds before it:
 *
 * ```
 * 40:00  ann    Google, DE: /            too long ago, but her visit goes on
 * 29:59  bob    Newsletter, FR: /        minute 0
 * 20:30  ann                /pricing     minute 9
 * 20:10  ann                /            minute 9
 *  4:00  ann                /docs        minute 26
 *  3:00  cat    nowhere, nobody knows: /docs, and 0:30 the page is hidden: minutes 27 and 29
 *  2:00  bob    a goal that a server reports: does not show that he is there
 *  1:00  a bot  /docs
 * -2:00  dan    Google, DE: /fast        his clock is two minutes ahead; accepted 0:10 ago
 * 90:00  eve    /old                     accepted just now, of long ago
 * ```
 */
const NOON = Date.parse('2026-11-21T12:00:00Z');
const SITE = { id: 'site_live', timezone: 'Europe/Berlin', currency: 'EUR' };
const ago = (text: string) => {
  const [minutes = 0, seconds = 0] = text.split(':').map(Number);
  return NOON - (minutes * 60 + (text.startsWith('-') ? -seconds : seconds)) * 1_000;
};
type Told = readonly [
  at: string,
  visitor: string,
  path: string,
  visitBegan: string,
  more: Partial<EventRow> & { readonly accepted?: string },
];
const EVENTS: readonly Told[] = [
  ['40:00', 'ann', '/', '40:00', { source: 'Google', country: 'DE' }],
  ['29:59', 'bob', '/', '29:59', { source: 'Newsletter', country: 'FR' }],
  ['20:30', 'ann', '/pricing', '40:00', {}],
  ['20:10', 'ann', '/', '40:00', {}],
  ['4:00', 'ann', '/docs', '40:00', {}],
  ['3:00', 'cat', '/docs', '3:00', {}],
  ['0:30', 'cat', '', '3:00', { type: 'engagement', engagement_ms: 5 }],
  ['2:00', 'bob', '', '29:59', { type: 'goal', name: 'paid', extends_visit: 0 }],
  ['1:00', 'bot', '/docs', '1:00', { bot_class: 'ai' }],
  ['-2:00', 'dan', '/fast', '-2:00', { source: 'Google', country: 'DE', accepted: '0:10' }],
  ['90:00', 'eve', '/old', '90:00', { accepted: '0:05' }],
];

describe('who is there now', () => {
  let world: WorldWarehouse;
  let queries = 0;
  let now = NOON;
  before(async () => {
    world = await openWorldWarehouse();
    await world.addEvents(
      EVENTS.map(([at, visitor, path, began, { accepted = at, ...more }]) => ({
        ...{ site_id: SITE.id, event_id: crypto.randomUUID(), type: 'pageview' as const },
        ...{ visitor_id: visitor, path, visit_id: visitOf(visitor) },
        ...{
          occurred_at: ago(at),
          accepted_at: ago(accepted),
          visit_started_at: ago(began),
        },
        ...more,
      })),
    );
  });
  after(() => world.close());
  const countLive = createCountLive({
    warehouseOf: (site) =>
      scheduleStatements({
        ...world.warehouse,
        select(statement) {
          queries += 1;
          return world.warehouse.select(statement);
        },
      })(site),
    now: () => now,
  });
  async function ask(limit = 10) {
    const answer = await countLive(SITE, limit);
    assert.ok(answer.ok);
    return answer.value;
  }
  const rows = (list: Awaited<ReturnType<typeof ask>>['pages']) =>
    list.map(({ value, visitors }) =>
      [value, visitors.last_5_minutes, visitors.last_30_minutes].join(' | '),
    );

  it('is everybody who did something in the last 5 and 30 minutes', async () => {
    const { visitors, now: until } = await ask();
    assert.deepEqual(visitors, { last_5_minutes: 3, last_30_minutes: 4 }); // Not bob: 29:59 ago.
    assert.equal(until, '2026-11-21T12:00:00.000Z');
  });

  it('is where each was last, by page, source and country', async () => {
    const { pages, sources, countries } = await ask();
    assert.deepEqual(rows(pages), ['/docs | 2 | 2', '/fast | 1 | 1', '/ | 0 | 1']);
    assert.deepEqual(rows(sources), ['Google | 2 | 2', 'Direct | 1 | 1', 'Newsletter | 0 | 1']);
    assert.deepEqual(rows(countries), ['DE | 2 | 2', '(none) | 1 | 1', 'FR | 0 | 1']);
  });

  it('is counted by the minute', async () => {
    const { minutes } = await ask();
    assert.equal(minutes.length, 30);
    assert.equal(minutes[0]?.starts_at, '2026-11-21T11:30:00.000Z');
    const busy = minutes.flatMap(({ visitors, pageviews }, minute) =>
      visitors + pageviews === 0 ? [] : [`${minute}: ${visitors} ${pageviews}`],
    );
    assert.deepEqual(busy, ['0: 1 1', '9: 1 2', '26: 1 1', '27: 1 1', '29: 2 1']);
  });

  it('is queried once a second, however many want to know', async () => {
    now += 5_000;
    queries = 0;
    const many = await Promise.all(Array.from({ length: 50 }, () => ask()));
    assert.equal(queries, 1);
    assert.equal(new Set(many).size, 1);
    now += 1_001;
    await ask();
    assert.equal(queries, 2);
  });

  it('is as many rows as wanted', async () => {
    const { pages, sources } = await ask(1);
    assert.equal(pages.length, 1);
    assert.equal(sources.length, 1);
  });
});

function visitOf(visitor: string): string {
  const hex = Buffer.from(visitor).toString('hex').padStart(12, '0');
  return `00000000-0000-7000-8000-${hex}`;
}
