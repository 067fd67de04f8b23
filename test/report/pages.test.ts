import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createCursorSeal } from '#report/query/cursor.ts';
import { BAKERY_CURSOR_KEY, type Bakery, openBakery } from '../worlds/open-bakery.ts';

let bakery: Bakery;
before(async () => {
  bakery = await openBakery();
});
after(() => bakery.close());

/** What the cursor of a query's first page says, and a writer of others for the same query. */
async function takeApart(query: Parameters<Bakery['ask']>[0]) {
  const { meta } = await bakery.ask({ ...query, pagination: { limit: 1 } });
  const [text = '', signature] = (meta.next_cursor ?? '').split('.');
  const [digest, askedAt, ...position] = JSON.parse(Buffer.from(text, 'base64url').toString());
  const write = (...parts: unknown[]) =>
    Buffer.from(JSON.stringify([digest, ...parts])).toString('base64url');
  return { askedAt, after: position, write, signature };
}

describe('order and pages', () => {
  it('orders by what is asked, money by amount', async () => {
    assert.deepEqual(
      await bakery.lines({
        metrics: ['gross_revenue'],
        dimensions: ['visit:source'],
        order_by: [['gross_revenue', 'asc']],
      }),
      ['Hacker News | 0.00', 'Unattributed | 25.55', 'Google | 39.90', 'Newsletter | 100.00'],
    );
  });
  it('gives a page, and says how many rows there are', async () => {
    const { results, meta } = await bakery.ask({
      metrics: ['visits'],
      dimensions: ['visit:source'],
      pagination: { limit: 2, offset: 1 },
      include: { total_rows: true },
    });
    assert.deepEqual(
      results.map((row) => row.dimensions[0]),
      ['Hacker News', 'Google'],
    );
    assert.equal(meta.total_rows, 4);
  });
  it('goes from page to page by cursors, through every row once', async () => {
    for (const order_by of [undefined, [['bounce_rate', 'asc']], [['revenue', 'desc']]] as const) {
      const query = {
        metrics: ['bounce_rate', 'visits', 'revenue'],
        dimensions: ['visit:source', 'event:page'].slice(0, 1),
        ...(order_by && {
          order_by: order_by.map(([by, direction]) => [by, direction] as [string, 'asc']),
        }),
      };
      const all = await bakery.ask(query);
      assert.equal(all.meta.next_cursor, undefined);
      const pages: unknown[] = [];
      let cursor: string | undefined;
      do {
        const page = await bakery.ask({
          ...query,
          pagination: { limit: 2, ...(cursor && { cursor }) },
        });
        pages.push(...page.results);
        cursor = page.meta.next_cursor;
      } while (cursor !== undefined);
      assert.deepEqual(pages, all.results);
    }
  });
  it('counts the visitors of the rows shown, also of those that are ranked by revenue', async () => {
    for (const dimension of ['visit:source', 'event:page', 'event:goal', 'visit:country']) {
      const query = {
        metrics: ['visitors', 'revenue', 'new_visitors', 'revenue_per_visitor'],
        dimensions: [dimension],
        attribution: { model: 'linear' as const },
        include: { total_rows: true },
      };
      const all = await bakery.ask({ ...query, order_by: [[dimension, 'asc']] });
      const whole = new Map(all.results.map((row) => [row.dimensions[0], row]));
      for (let limit = 1; limit <= whole.size; limit += 1) {
        const pagination = { limit, offset: limit % 2 };
        const ranked = { ...query, order_by: [['revenue', 'desc'] as [string, 'desc']] };
        const { results, meta } = await bakery.ask({ ...ranked, pagination });
        for (const row of results) assert.deepEqual(row, whole.get(row.dimensions[0]), dimension);
        assert.equal(results.length, Math.min(limit, whole.size - pagination.offset));
        assert.equal(meta.total_rows, whole.size);
      }
    }
  });
  it('goes on by cursors through time, and where nothing is known', async () => {
    const query = { metrics: ['bounce_rate'], dimensions: ['time:day'], date_range: 'month' };
    const first = await bakery.ask({ ...query, pagination: { limit: 9 } });
    const next = await bakery.ask({
      ...query,
      pagination: { limit: 20, cursor: first.meta.next_cursor ?? '' },
    });
    assert.equal(next.results[0]?.dimensions[0], '2026-11-10');
    assert.equal(next.results.length, 12);
  });
  it('refuses the cursor of another query, and what is no cursor', async () => {
    const query = { metrics: ['visits'], dimensions: ['visit:source'] };
    const { meta } = await bakery.ask({ ...query, pagination: { limit: 1 } });
    const cursor = meta.next_cursor ?? '';
    const message =
      '/pagination/cursor: This is not a cursor of this query: send next_cursor with the same query.';
    assert.deepEqual(
      await bakery.faults({ ...query, metrics: ['visitors'], pagination: { cursor } }),
      [message],
    );
    assert.deepEqual(await bakery.faults({ ...query, pagination: { cursor: 'WyJ4Il0' } }), [
      message,
    ]);
    assert.deepEqual(await bakery.faults({ ...query, pagination: { cursor, offset: 1 } }), [
      '/pagination/cursor: Give either cursor or offset, not both.',
    ]);
  });
  it('takes no cursor that somebody wrote themselves', async () => {
    const query = { metrics: ['visits'], dimensions: ['visit:source'] };
    const { askedAt, after, write, signature } = await takeApart(query);
    const own = write(askedAt, ...after);
    const made = [
      ...[own, `${own}.`, `${own}.AAAA`, `.${signature}`, `${own}.${signature?.slice(1)}`],
      ...[`${write(askedAt - 60_000, ...after)}.${signature}`, `${own}.${'A'.repeat(43)}`],
      createCursorSeal(Buffer.from('sugar')).sealIn({ meta: { next_cursor: own } }).meta
        .next_cursor,
    ];
    for (const cursor of made) {
      const [fault] = await bakery.faults({ ...query, pagination: { cursor } });
      assert.match(fault ?? '', /not a cursor of this query/, cursor);
    }
    await bakery.ask({ ...query, pagination: { cursor: `${own}.${signature}` } });
  });
  it('goes on a day later as when the first page was asked for', async () => {
    const query = { metrics: ['visits'], dimensions: ['visit:source'], date_range: '30d' };
    const { askedAt, after, write } = await takeApart(query);
    const first = await bakery.ask({ ...query, pagination: { limit: 1 } });
    const { meta } = createCursorSeal(BAKERY_CURSOR_KEY).sealIn({
      meta: { next_cursor: write(askedAt - 24 * 60 * 60_000, ...after) },
    });
    const next = await bakery.ask({ ...query, pagination: { cursor: meta.next_cursor } });
    assert.equal(first.query.date_range[0], '2026-10-23T00:00:00+02:00');
    assert.equal(next.query.date_range[0], '2026-10-22T00:00:00+02:00');
  });
  it('says how it understood the query', async () => {
    const { query } = await bakery.ask({
      metrics: ['visits'],
      dimensions: ['visit:source'],
      date_range: '7d',
    });
    assert.deepEqual(query, {
      site_id: 'site_bakery',
      metrics: ['visits'],
      date_range: ['2026-11-15T00:00:00+01:00', '2026-11-22T00:00:00+01:00'],
      dimensions: ['visit:source'],
      filters: [],
      order_by: [
        ['visits', 'desc'],
        ['visit:source', 'asc'],
      ],
      pagination: { limit: 10_000, offset: 0 },
      attribution: { model: 'first_touch', lookback_days: null },
      include: {},
      timezone: 'Europe/Berlin',
    });
  });
});
