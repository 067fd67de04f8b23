import type { AskedFields } from '#contract/question.ts';
import { ok, type Result } from '#domain/result.ts';
import { findEarliest } from './find-earliest.ts';
import { asOf } from './find-first-visits.ts';
import type { FindSettled } from './find-settled.ts';
import { hasPersons } from './has-persons.ts';
import { knowPayments } from './know-payments.ts';
import type { Clock } from './parse-asked.ts';
import type { RecallingWarehouse, ReportSite } from './ports.ts';
import type { Question } from './question.ts';
import type { Refusal } from './refusal.ts';
import { withinLimits } from './within-limits.ts';

/** What `parse` makes of a question, with what the warehouse has to say to it first. `now` in milliseconds, UTC. */
export async function understand<Parsed extends { readonly question: Question }>(
  warehouse: RecallingWarehouse,
  {
    asked,
    site,
    now,
    findSettled,
    parse,
  }: {
    readonly asked: AskedFields;
    readonly site: ReportSite;
    readonly findSettled: FindSettled;
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
  const found = await withinLimits(warehouse, () =>
    Promise.all([
      findSettled(warehouse, site.id),
      knowPayments(warehouse, parsed.value.question),
      hasPersons(warehouse, parsed.value.question),
    ]),
  );
  if (!found.ok) return found;
  const [settled, { known: paid, versions }, persons] = found.value;
  const { firstVisits, ...days } = settled;
  const known = { ...days, firstVisits: asOf(firstVisits, versions), ...paid, ...persons };
  return ok({ ...parsed.value, question: { ...parsed.value.question, ...known } });
}
