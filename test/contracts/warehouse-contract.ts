import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { toLineOpening, toLineTail } from '#contract/rows/event-lines.ts';
import type { EventRow } from '#contract/rows/event-row.ts';
import { VISIT } from '#contract/rows/visit-row.ts';
import type { Warehouse } from '#warehouse/client/client.ts';
import { RefusedLinesError } from '#warehouse/client/refused-lines.ts';
import { findVisitors } from '#warehouse/events/find-visitors.ts';

/** A warehouse of one kind, with the schema and no rows. */
export type OpenedWarehouse = { readonly warehouse: Warehouse; close(): Promise<void> };

const NOON = Date.UTC(2026, 10, 20, 12);
const SITE = 'site_contract';

/** What report, ingest and shipping require of every warehouse. */
export function describeWarehouse(name: string, open: () => Promise<OpenedWarehouse>): void {
  describe(name, () => {
    let opened: OpenedWarehouse;
    before(async () => {
      opened = await open();
      await opened.warehouse.command({ sql: 'SYSTEM STOP MERGES' });
    });
    after(() => opened.close());

    const insert = (events: readonly EventRow[], token: string = randomUUID()) => {
      const lines = events.map((event) => toLineOpening(1) + toLineTail(event)).join('');
      return opened.warehouse.insertLines('events', Buffer.from(lines), token);
    };
    const rows = (sql: string, params: Record<string, unknown> = {}) =>
      opened.warehouse.select<Record<string, unknown>>({ sql, params });

    it('binds what a caller wrote as a value, whatever it looks like', async () => {
      const text = `'; DROP TABLE events; -- {p:String} \\ ü \t`;
      assert.deepEqual(await rows('SELECT {p:String} AS text', { p: text }), [{ text }]);
    });

    it('answers whole numbers of 64 bits without losing a digit', async () => {
      assert.deepEqual(await rows('SELECT 9007199254740993 AS n'), [{ n: '9007199254740993' }]);
    });

    it('inserts once what comes again with the same token, in its views too', async () => {
      const token = randomUUID();
      const event = pageview({ visitor: 'once', at: NOON });
      await insert([event], token);
      await insert([event], token);
      const counts = `SELECT (SELECT count() FROM events WHERE visitor_id = 'once') AS events,
        (SELECT sum(pageviews) FROM visits WHERE visitor_id = 'once') AS pageviews,
        (SELECT sum(pageviews) FROM visitors WHERE visitor = cityHash64('once')) AS of_visitor`;
      assert.deepEqual(await rows(counts), [{ events: '1', pageviews: '1', of_visitor: '1' }]);
    });

    it('takes a visit from its earliest events, in whatever order they come, before they merge', async () => {
      const visit = randomUUID();
      const of = (minutes: number, more: Partial<EventRow>) =>
        pageview({ visitor: 'unmerged', at: NOON + minutes * 60_000, visit, ...more });
      await insert([of(5, { path: '/late', source: 'Bing', country: 'AT' })]);
      await insert([of(1, { path: '/first', source: '', country: 'DE' })]);
      await insert([of(9, { path: '/last', source: 'aaa', country: 'AA' })]);
      await insert([of(3, { path: '/second', source: 'Google', country: 'FR' })]);
      const values = ['source', 'entry_page', 'exit_page', 'country'] as const;
      const sql = `SELECT ${values.map((name) => `${VISIT[name]} AS ${name}`).join(', ')},
          pageviews, ${VISIT.durationMs} AS duration_ms
        FROM visits FINAL WHERE visitor_id = 'unmerged'`;
      const expected = {
        source: 'Google',
        entry_page: '/first',
        exit_page: '/last',
        country: 'DE',
      };
      assert.deepEqual(await rows(sql), [{ ...expected, pageviews: '4', duration_ms: '480000' }]);
    });

    it('knows the visitors it has, and no other', async () => {
      await insert([pageview({ visitor: 'a-bot', at: NOON, bot_class: 'declared' })]);
      const names = ['a-bot', 'unmerged', 'nobody'];
      const found = await findVisitors(
        opened.warehouse,
        names.map((visitorId) => ({ siteId: SITE, visitorId })),
      );
      assert.deepEqual(
        found.map((visitor) => visitor?.botClass),
        ['declared', '', undefined],
      );
    });

    it('says which lines it cannot read', async () => {
      const lines = Buffer.from('["1","site","never"]\n');
      await assert.rejects(opened.warehouse.insertLines('events', lines), RefusedLinesError);
    });

    it('writes rows as a file', async () => {
      const file = await opened.warehouse.selectFile({ sql: 'SELECT 1 AS one' }, 'Parquet');
      assert.equal(file.subarray(0, 4).toString(), 'PAR1');
    });
  });
}

function pageview({
  visitor,
  at,
  visit = randomUUID(),
  ...more
}: Partial<EventRow> & { visitor: string; at: number; visit?: string }): EventRow {
  return {
    ...{ site_id: SITE, occurred_at: at, accepted_at: at, event_id: randomUUID() },
    ...{ type: 'pageview', visitor_id: visitor, visit_id: visit, visit_started_at: NOON },
    ...more,
  };
}
