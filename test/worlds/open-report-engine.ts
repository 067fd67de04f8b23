import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Session } from 'chdb';
import type { ReportWarehouse } from '#report/ports.ts';
import { createWarehouse, type Warehouse } from '#warehouse/client/client.ts';
import { createEngineServer } from '#warehouse/engine/engine-server.ts';
import { openEngine } from '#warehouse/engine/open-engine.ts';

/** As long as the client waits: only what is stopped ends sooner, however busy the machine is. */
const QUERY_MAX_MS = 55_000;

/** Work for longer than a query may take. */
export const LONG = {
  sql: "SELECT max(sipHash128(repeat(toString(number), 200))) FROM numbers(400000000) WHERE {site:String} = 'a'",
  params: { site: 'a' },
};

/** The real engine, in this process, with sessions for reports beside others, as a server has them. */
export interface ReportEngine {
  readonly warehouse: Warehouse;
  /** The warehouse as reports ask it. */
  readonly report: ReportWarehouse;
  /** How many statements of {@link LONG} are under way in the engine. */
  countLong(): Promise<number>;
  close(): Promise<void>;
}

/** An empty engine without the schema. One at a time in a process: the engine has one data folder. */
export async function openReportEngine(): Promise<ReportEngine> {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-reports-'));
  const sessions: Session[] = [];
  for (let session = 0; session < 4; session += 1) {
    sessions.push(await openEngine(join(folder, 'warehouse')));
  }
  const [engine, pulse, ...queries] = sessions as [Session, Session, ...Session[]];
  const lanes = { writes: [engine], lookups: [engine], queries };
  const engineServer = createEngineServer(lanes, pulse, { folder });
  const socketPath = join(folder, 'engine.sock');
  await new Promise<void>((resolve) => engineServer.http.listen(socketPath, resolve));
  const warehouse = createWarehouse({ kind: 'embedded', socketPath });
  return {
    warehouse,
    report: {
      select: (statement, stops) =>
        warehouse.select(statement, { isReport: true, durationMs: QUERY_MAX_MS, ...stops }),
      selectFile: (statement, format, stops) =>
        warehouse.selectFile(statement, format, {
          isReport: true,
          durationMs: QUERY_MAX_MS,
          ...stops,
        }),
    },
    async countLong() {
      const [row] = await warehouse.select<{ n: string }>({
        sql: "SELECT count() AS n FROM system.processes WHERE query LIKE '%sipHash128(repeat%' AND query NOT LIKE '%processes%'",
      });
      return Number(row?.n);
    },
    async close() {
      await warehouse.close();
      await engineServer.drain();
      for (const session of sessions) session.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
