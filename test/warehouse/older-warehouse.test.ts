import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { EventRow } from '#contract/rows/event-row.ts';
import { newUuid } from '#ingest/new-uuid.ts';
import { openWorldWarehouse, type WorldWarehouse } from '../worlds/open-warehouse.ts';

/** A data directory of commit 36ccd374: a shop with three visitors, who have begun a visit each. */
const FIXTURE = new URL('../fixtures/data-of-36ccd374.tgz', import.meta.url).pathname;

const AT = Date.parse('2026-11-29T12:00:00Z');
const SHAPE = `SELECT table, name, type FROM system.columns WHERE database = currentDatabase()
  AND table NOT LIKE '%_from_events' ORDER BY table, name`;
const VIEWS = `SELECT name, as_select FROM system.tables
  WHERE database = currentDatabase() AND name LIKE '%_from_events' ORDER BY name`;

describe('a warehouse of an older version', () => {
  let world: WorldWarehouse;
  before(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tributary-older-'));
    execFileSync('tar', ['-xzf', FIXTURE, '-C', folder, '--strip-components=1']);
    world = await openWorldWarehouse(folder);
  });
  after(() => world.close());
  const select = <Row>(sql: string) => world.warehouse.select<Row>({ sql });

  it('keeps its visits', async () => {
    const visits = await select(`SELECT visitor_id, sum(pageviews) AS pages, arrivals FROM visits
      GROUP BY visitor_id, arrivals ORDER BY visitor_id`);
    assert.deepEqual(
      visits,
      ['ann', 'bob', 'cleo'].map((visitor_id) => ({ visitor_id, pages: '1', arrivals: [] })),
    );
  });

  it('reads payments as paid in the currency of their site until they are shipped again', async () => {
    const money =
      await select(`SELECT countIf(site_minor_0 != amount_minor) AS others, count() > 4 AS some,
      groupUniqArray((toString(earlier_minor_0), rate_0, rate_source_0, rate_days_0, toString(site_minor_1), rate_source_1)) AS rest
      FROM payments FINAL`);
    assert.deepEqual(money, [{ others: '0', some: 1, rest: [['0', 1, 'same', 0, '0', '']] }]);
  });

  it('notes paid clicks in mid-visit from now on', async () => {
    const visitId = newUuid(AT);
    const pageview = (eventId: string, at: number, more: Partial<EventRow> = {}): EventRow => ({
      ...{ site_id: 'site_1', type: 'pageview', visitor_id: 'dora', visit_id: visitId },
      ...{ visit_started_at: AT, extends_visit: 1, event_id: eventId },
      ...{ occurred_at: at, accepted_at: at, ...more },
    });
    const click = { source: 'news', medium: 'email', campaign: 'may' };
    await world.addEvents([
      pageview(visitId, AT),
      pageview(newUuid(AT + 60_000), AT + 60_000, click),
    ]);
    const found = await select<{ arrivals: string[] }>(
      "SELECT arrivals FROM visits FINAL WHERE visitor_id = 'dora'",
    );
    assert.deepEqual(
      found.map(({ arrivals }) => arrivals.map((text) => text.split('\x1f').includes('may'))),
      [[true]],
    );
  });

  it('has the columns and views of a new one', async () => {
    const [columns, views] = [await select(SHAPE), await select(VIEWS)];
    await world.close();
    world = await openWorldWarehouse();
    assert.deepEqual(columns, await select(SHAPE));
    assert.deepEqual(views, await select(VIEWS));
  });
});
