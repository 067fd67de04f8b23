import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applySchema } from '#warehouse/apply-schema.ts';
import { createWarehouse, type WarehouseAddress } from '#warehouse/client/client.ts';
import { EMBEDDED_DATABASE } from '#warehouse/client/embedded-database.ts';
import { createEngineServer, type EngineServer } from '#warehouse/engine/engine-server.ts';
import { openEngine } from '#warehouse/engine/open-engine.ts';
import { describeWarehouse, type OpenedWarehouse } from './warehouse-contract.ts';

/** This process's engine behind its HTTP server, reached as `listen` says. */
async function openBehind(
  listen: (engineServer: EngineServer, folder: string) => Promise<WarehouseAddress>,
): Promise<OpenedWarehouse> {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-contract-'));
  const engine = await openEngine(join(folder, 'warehouse'));
  const sessions = { writes: [engine], lookups: [engine], queries: [engine] };
  const engineServer = createEngineServer(sessions, engine, { folder });
  const warehouse = createWarehouse(await listen(engineServer, folder));
  await applySchema(warehouse);
  return {
    warehouse,
    async close() {
      await warehouse.close();
      await engineServer.drain();
      engine.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

describeWarehouse('the embedded engine, on its socket', () =>
  openBehind(async ({ http: server }, folder) => {
    const socketPath = join(folder, 'engine.sock');
    await new Promise<void>((resolve) => server.listen(socketPath, resolve));
    return { kind: 'embedded', socketPath };
  }),
);

describeWarehouse('a warehouse at an address', () =>
  openBehind(async ({ http: server }) => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    return { kind: 'remote', url: `http://127.0.0.1:${port}/${EMBEDDED_DATABASE}` };
  }),
);
