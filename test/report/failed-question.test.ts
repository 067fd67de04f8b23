import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Session } from 'chdb';
import { inTurns } from '#report/in-turns.ts';
import type { ReportSite, ReportWarehouse } from '#report/ports.ts';
import { withinLimits } from '#report/within-limits.ts';
import { createWarehouse, type Warehouse } from '#warehouse/client.ts';
import { createEngineFace, type EngineFace } from '#warehouse/engine-face.ts';
import { openEngine } from '#warehouse/open-engine.ts';
import { waitUntil } from '../wait-until.ts';

const SITE: ReportSite = { id: 'site_failed', timezone: 'UTC', currency: 'EUR' };
/** Work for longer than a question may take. */
const LONG = {
  sql: "SELECT max(sipHash128(repeat(toString(number), 20))) FROM numbers(400000000) WHERE {site:String} = 'a'",
  params: { site: 'a' },
};
const BROKEN = { sql: "SELECT throwIf(sleep(1.5) = 0, 'broken')" };

describe('a question of which one statement fails', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-failed-'));
  let sessions: Session[];
  let face: EngineFace;
  let warehouse: Warehouse;
  let report: ReportWarehouse;
  before(async () => {
    sessions = [];
    for (let session = 0; session < 4; session += 1) {
      sessions.push(await openEngine(join(folder, 'warehouse')));
    }
    const [engine, pulse, ...questions] = sessions as [Session, Session, ...Session[]];
    face = createEngineFace({ writes: [engine], lookups: [engine], questions }, pulse, { folder });
    const socketPath = join(folder, 'engine.sock');
    await new Promise<void>((resolve) => face.server.listen(socketPath, resolve));
    warehouse = createWarehouse({ kind: 'embedded', socketPath });
    report = {
      select: (statement, stops) => warehouse.select(statement, { isReport: true, ...stops }),
      selectFile: (statement, format, stops) =>
        warehouse.selectFile(statement, format, { isReport: true, ...stops }),
    };
  });
  after(async () => {
    await warehouse.close();
    await face.drain();
    for (const session of sessions) session.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** How many statements of reports are under way in the engine. */
  async function countUnderWay(): Promise<number> {
    const [row] = await warehouse.select<{ n: string }>({
      sql: "SELECT count() AS n FROM system.processes WHERE query LIKE '%sipHash128(repeat%' AND query NOT LIKE '%processes%'",
    });
    return Number(row?.n);
  }

  it('stops the others, in the engine and before their turn', async () => {
    let begun = 0;
    const warehouseOf = inTurns({
      ...report,
      select(statement, stops) {
        begun += 1;
        return report.select(statement, stops);
      },
    });
    const question = withinLimits(warehouseOf(SITE), (stopping) =>
      Promise.all([BROKEN, LONG, LONG, LONG, LONG].map((each) => stopping.select(each))),
    );
    const rejected = assert.rejects(question, /broken/);
    await waitUntil(countUnderWay, (count) => count > 0);
    await rejected;
    const failedAt = performance.now();
    await waitUntil(countUnderWay, (count) => count === 0);
    assert.deepEqual(await report.select({ sql: 'SELECT 1 AS one' }), [{ one: 1 }]);
    const tookMs = performance.now() - failedAt;
    assert.ok(tookMs < 5_000, `a session was free again after ${Math.round(tookMs)} ms`);
    // Three at once, and at most the one whose turn it was then.
    assert.ok(begun <= 4, 'what waited behind was never asked');
  });

  it('stops nothing that others have asked', async () => {
    const warehouseOf = inTurns(report);
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
