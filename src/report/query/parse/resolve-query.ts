import type { AskedFields } from '#contract/query-fields.ts';
import { ok, type Result } from '#domain/result.ts';
import type { ReportSite, ReportWarehouse } from '../../ports.ts';
import type { Refusal } from '../../refusal.ts';
import { findEarliest } from '../plan/find-earliest.ts';
import { lookUp } from '../plan/look-up.ts';
import type { Query } from '../query.ts';
import { withinLimits } from '../within-limits.ts';
import type { Clock } from './parse-fields.ts';

/** What `parse` makes of a query, with what the warehouse has to say to it first. `now` in milliseconds, UTC. */
export async function understand<Parsed extends { readonly query: Query }>(
  warehouse: ReportWarehouse,
  {
    asked,
    site,
    now,
    parse,
  }: {
    readonly asked: AskedFields;
    readonly site: ReportSite;
    readonly now: number;
    readonly parse: (clock: Clock) => Result<Parsed, Refusal>;
  },
): Promise<Result<Parsed, Refusal>> {
  const isAll = asked.date_range === 'all';
  const early = isAll ? parse({ now }) : undefined; // What is wrong is told without asking anything.
  if (early?.ok === false) return early;
  const earliestAt = isAll ? await findEarliest(warehouse, site.id) : undefined;
  const parsed = parse({ now, earliestAt });
  if (!parsed.ok) return parsed;
  const found = await withinLimits(warehouse, (stopping) => lookUp(stopping, parsed.value.query));
  if (!found.ok) return found;
  return ok({ ...parsed.value, query: { ...parsed.value.query, has: found.value } });
}
