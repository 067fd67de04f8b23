import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { ReportSite, ReportWarehouse } from '#report/ports.ts';
import { withinLimits } from '#report/query/answer/within-limits.ts';
import { scheduleStatements } from '#report/scheduler/query-scheduler.ts';
import { waitUntil } from '../../server/wait-until.ts';
import { LONG, openReportEngine, type ReportEngine } from '../../worlds/open-report-engine.ts';

const SITE: ReportSite = { id: 'site_failed', timezone: 'UTC', currency: 'EUR' };
const BROKEN = { sql: "SELECT throwIf(sleep(1.5) = 0, 'broken')" };

describe('a query of which one statement fails', () => {
  let engine: ReportEngine;
  let report: ReportWarehouse;
  before(async () => {
    engine = await openReportEngine();
    report = engine.report;
  });
  after(() => engine.close());

  it('stops the others, in the engine and before their turn', async () => {
    let begun = 0;
    const warehouseOf = scheduleStatements({
      ...report,
      select(statement, stops) {
        begun += 1;
        return report.select(statement, stops);
      },
    });
    const query = withinLimits(warehouseOf(SITE), (stopping) =>
      Promise.all([BROKEN, LONG, LONG, LONG, LONG].map((each) => stopping.select(each))),
    );
    const rejected = assert.rejects(query, /broken/);
    await waitUntil(engine.countLong, (count) => count > 0);
    await rejected;
    const failedAt = performance.now();
    await waitUntil(engine.countLong, (count) => count === 0);
    assert.deepEqual(await report.select({ sql: 'SELECT 1 AS one' }), [{ one: 1 }]);
    const tookMs = performance.now() - failedAt;
    assert.ok(tookMs < 30_000, `a session was free again after ${Math.round(tookMs)} ms`);
    // Three at once, and at most the one whose turn it was then.
    assert.ok(begun <= 4, 'what waited behind was never asked');
  });

  it('stops nothing that others have asked', async () => {
    const warehouseOf = scheduleStatements(report);
    const [failed, other] = await Promise.allSettled([
      withinLimits(warehouseOf(SITE), (stopping) => stopping.select(BROKEN)),
      withinLimits(warehouseOf(SITE), (stopping) =>
        stopping.select({ sql: 'SELECT sleep(1) AS slept' }),
      ),
    ]);
    assert.equal(failed.status, 'rejected');
    assert.equal(other.status, 'fulfilled');
  });
});
