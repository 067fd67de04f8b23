import type { ReportWarehouse } from '#report/ports.ts';
import type { Warehouse } from '#warehouse/client/client.ts';

/** The warehouse as reports ask it, within their limits. `assertReady` throws while answers would be wrong. */
export function toReportWarehouse(warehouse: Warehouse, assertReady: () => void): ReportWarehouse {
  return {
    async select(statement, stops) {
      assertReady();
      return warehouse.select(statement, { isReport: true, ...stops });
    },
    async selectFile(statement, format, stops) {
      assertReady();
      return warehouse.selectFile(statement, format, { isReport: true, ...stops });
    },
  };
}
