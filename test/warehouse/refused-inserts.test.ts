import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { toLineOpening, toLineTail } from '#contract/rows/event-lines.ts';
import type { EventRow } from '#contract/rows/event-row.ts';
import { SHIPMENT_LIMITS } from '#storage/queue-source.ts';
import { applySchema } from '#warehouse/apply-schema.ts';
import { RefusedLinesError } from '#warehouse/client/refused-lines.ts';
import { openReportEngine, type ReportEngine } from '../worlds/open-report-engine.ts';

const MONTHS = [Date.UTC(2026, 8, 15), Date.UTC(2026, 9, 15)] as const;
const LINE_BYTES = SHIPMENT_LIMITS.sizeBytes / SHIPMENT_LIMITS.rows;
const TABLES = ['events', 'visits', 'visitors'];

let engine: ReportEngine;
before(async () => {
  engine = await openReportEngine();
  await applySchema(engine.warehouse);
});
after(() => engine.close());

/** As many events as a shipment may hold, of as many bytes, half of them of each month. */
function fullShipment(): string {
  const lines: string[] = [];
  for (let index = 0; index < SHIPMENT_LIMITS.rows; index++) {
    const at = MONTHS[index % 2 === 0 ? 0 : 1];
    const id = `019a0000-0000-7000-8000-${String(index).padStart(12, '0')}`;
    const row: EventRow = {
      ...{ site_id: 'site_1', occurred_at: at, accepted_at: at, event_id: id, type: 'pageview' },
      ...{ visitor_id: `v-${index}`, visit_id: id, visit_started_at: at, extends_visit: 1 },
    };
    const line = toLineOpening(1) + toLineTail({ ...row, path: '' });
    const path = `/${'p'.repeat(Math.max(0, LINE_BYTES - line.length))}`;
    lines.push(toLineOpening(1) + toLineTail({ ...row, path }));
  }
  return lines.join('');
}

async function countRows(): Promise<number[]> {
  return Promise.all(
    TABLES.map(async (table) => {
      const sql = `SELECT count() AS rows FROM ${table}`;
      const [row] = await engine.warehouse.select<{ rows: string }>({ sql });
      return Number(row?.rows);
    }),
  );
}

it('an unreadable last line keeps all lines out of the warehouse and its views', async () => {
  const lines = fullShipment();
  await assert.rejects(
    engine.warehouse.insertLines('events', Buffer.from(`${lines}["not a number"]\n`), 'refused'),
    RefusedLinesError,
  );
  assert.deepEqual(await countRows(), [0, 0, 0]);

  await engine.warehouse.insertLines('events', Buffer.from(lines), 'accepted');
  const [events, ...views] = await countRows();
  assert.equal(events, SHIPMENT_LIMITS.rows);
  assert.ok(views.every((rows) => rows > 0));
});
