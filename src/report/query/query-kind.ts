import type { AskedFields } from '#contract/query-fields.ts';
import type { Result } from '#domain/result.ts';
import type { QueryKind } from '../create-reports.ts';
import type { ReportSite, ReportWarehouse, Stops } from '../ports.ts';
import type { Refusal } from '../refusal.ts';
import type { QueryScheduler } from '../scheduler/query-scheduler.ts';
import type { WarehouseOf } from '../scheduler/scheduled-warehouse.ts';
import { findFaultsBeside } from './parse/find-more-faults.ts';
import type { Clock } from './parse/parse-fields.ts';
import { understand } from './parse/resolve-query.ts';
import type { Query } from './query.ts';
import { withinLimits } from './within-limits.ts';

/** What every kind of query is made of. `now` in milliseconds, UTC. */
export type KindParts = {
  readonly warehouseOf: WarehouseOf;
  readonly turns: QueryScheduler;
  readonly now: () => number;
};

/** A kind of query, by how it is understood and then answered. */
export function createQueryKind<
  Asked extends AskedFields,
  Understood extends { readonly query: Query },
  Answer,
>(
  { warehouseOf, turns, now }: KindParts,
  how: {
    readonly parse: (asked: Asked, site: ReportSite, clock: Clock) => Result<Understood, Refusal>;
    readonly answer: (
      warehouse: ReportWarehouse,
      understood: Understood,
      asked: Asked,
    ) => Promise<Answer>;
    /** What a query needs beside a site and a period to be read at all. */
    readonly needs?: Partial<Asked>;
  },
): QueryKind<Asked, Answer> {
  const findMoreFaults: QueryKind<Asked, Answer>['findMoreFaults'] = (site, sent, faults) => {
    const defaults = { site_id: site.id, date_range: 'day', ...how.needs } as Asked;
    return findFaultsBeside(sent, faults, defaults, (asked) =>
      how.parse(asked, site, { now: now() }),
    );
  };
  const inTurn = turns.ofKind<Asked>(
    ({ site, asked }) => !how.parse(asked, site, { now: now() }).ok,
  );
  return {
    answer(site, asked, leaves) {
      const answer = async (stops: Stops | undefined) => {
        const warehouse = warehouseOf(site);
        const understood = await understand(warehouse, {
          ...{ asked, site, now: now() },
          parse: (clock) => how.parse(asked, site, clock),
        });
        if (!understood.ok) return understood;
        const ask = (stopping: ReportWarehouse) => how.answer(stopping, understood.value, asked);
        return withinLimits(warehouse, ask, stops);
      };
      return inTurn({ site, asked, how: undefined }, answer, leaves);
    },
    findMoreFaults,
  };
}
