import type { Fault } from '#contract/fault.ts';
import type { AskedFields } from '#contract/query-fields.ts';
import { ok, type Result } from '#domain/result.ts';
import {
  asShown,
  type Refusal,
  type ReportSite,
  type ReportWarehouse,
  type Stops,
} from '../../ports.ts';
import type { QueryScheduler, WarehouseOf } from '../../scheduler/query-scheduler.ts';
import { type CursorSeal, firstAskedAt } from '../cursor.ts';
import type { Clock } from '../parse/parse-fields.ts';
import type { SiteFacts } from '../plan/plan.ts';
import { planThreads } from '../plan/plan-fact.ts';
import type { BaseQuery } from '../query.ts';
import type { ExpectedFacts } from './expected-facts.ts';
import { type FindOldRates, lookUp } from './look-up.ts';
import { withinLimits, withOptions } from './within-limits.ts';

/** One kind of query: `Sent` has the form of the contract. */
export interface QueryKind<Sent, Answer> {
  /**
   * Refuses unknown names and meaningless combinations, with every fault. Throws if the warehouse does not answer, or
   * if aborted while no other caller waits for the same query.
   */
  answer(site: ReportSite, sent: Sent, stops?: Stops): Promise<Result<Answer, Refusal>>;
  /** Further faults of a body with these faults of form: unknown names, no range or zone. */
  findMoreFaults(site: ReportSite, sent: unknown, faults: readonly Fault[]): readonly Fault[];
}

/** The dependencies of every kind of query. `now` in milliseconds, UTC. */
export type KindParts = {
  readonly warehouseOf: WarehouseOf;
  readonly scheduler: QueryScheduler;
  readonly findOldRates: FindOldRates;
  readonly expected: ExpectedFacts;
  readonly cursors: CursorSeal;
  readonly now: () => number;
};

/** A parsed query, with the inputs of its plan. */
export type Resolved<Parsed> = Parsed & { readonly facts: SiteFacts; readonly now: number };

/** Creates a kind of query from its steps: parse, plan and answer. */
export function createQueryKind<
  Sent extends AskedFields,
  Parsed extends { readonly query: BaseQuery },
  Answer,
>(
  { warehouseOf, scheduler, findOldRates, expected, cursors, now }: KindParts,
  how: {
    readonly parse: (sent: Sent, site: ReportSite, clock: Clock) => Result<Parsed, Refusal>;
    readonly answer: (
      warehouse: ReportWarehouse,
      resolved: Resolved<Parsed>,
      sent: Sent,
    ) => Promise<Result<Answer, Refusal>>;
    /** Replaces malformed or missing parts, beside a site and a period, to check the other fields. */
    readonly needs?: Partial<Sent>;
  },
): QueryKind<Sent, Answer> {
  const run = scheduler.ofKind<Sent>();
  return {
    async answer(asked, sealed, leaves) {
      const site = asShown(asked);
      const sent = cursors.openIn(sealed);
      // Refuse an invalid query at once, without the warehouse.
      const clock = { now: firstAskedAt(sent) ?? now() };
      const early = how.parse(sent, site, clock);
      if (!early.ok) return early;
      const ask = async (warehouse: ReportWarehouse) => {
        const isAll = sent.date_range === 'all';
        const answerBy = async (facts: SiteFacts) => {
          const { earliestAt } = facts;
          const parsed = isAll ? how.parse(sent, site, { ...clock, earliestAt }) : early;
          if (!parsed.ok) return parsed;
          const resolved = { ...parsed.value, facts, ...clock };
          return how.answer(withOptions(warehouse, planThreads(facts)), resolved, sent);
        };
        // Not aborted with this query, because others may wait for it.
        const look = () => lookUp(warehouseOf(site), early.value.query, { isAll, findOldRates });
        const { timeZone } = early.value.query.period;
        const key = JSON.stringify([site.id, site.shown, timeZone, sent.date_range]);
        return expected.use(key, look, answerBy);
      };
      const work = async (stops: Stops) => {
        const answered = await withinLimits(warehouseOf(site), ask, stops);
        return answered.ok ? answered.value : answered;
      };
      const found = await run({ site, sent }, work, leaves);
      return found.ok ? ok(cursors.sealIn(found.value)) : found;
    },
    findMoreFaults(site, sent, faults) {
      if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return [];
      // No cursor fits a query with missing parts.
      const malformed = new Set(['pagination', ...faults.map(({ path }) => path.split('/')[1])]);
      const wellFormed = Object.entries(sent).filter(([field]) => !malformed.has(field));
      const defaults = { site_id: site.id, date_range: 'day', ...how.needs };
      const asked = { ...defaults, ...Object.fromEntries(wellFormed) } as Sent;
      const parsed = how.parse(asked, site, { now: now() });
      return parsed.ok ? [] : parsed.error.details;
    },
  };
}
