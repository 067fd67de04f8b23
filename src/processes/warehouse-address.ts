import type { Settings } from '#settings.ts';
import type { WarehouseAddress } from '#warehouse/client.ts';
import { dataPathsOf } from './paths.ts';

/** Where these settings have the warehouse: a ClickHouse server, or the embedded engine. */
export function warehouseAddressOf(settings: Settings): WarehouseAddress {
  if (settings.clickhouseUrl !== undefined) return { kind: 'remote', url: settings.clickhouseUrl };
  return { kind: 'embedded', socketPath: dataPathsOf(settings.dataDir).warehouseSocket };
}
