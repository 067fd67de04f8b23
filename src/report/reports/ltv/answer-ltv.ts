import type { Ltv, LtvAnswer } from '#contract/reports/ltv.ts';
import type { QueryKind } from '../../create-reports.ts';
import type { ReportWarehouse } from '../../ports.ts';
import { toAnsweredRange } from '../../query/parse/parse-fields.ts';
import { createQueryKind, type KindParts } from '../../query/query-kind.ts';
import { findConversions } from '../../query/shape/find-conversions.ts';
import { toMoney } from '../../query/shape/to-answer-row.ts';
import { perHeadOf } from '../cohorts/percent.ts';
import { type LtvRow, toLtvStatement } from './ltv-statement.ts';
import { type LtvQuery, parseLtv } from './parse-ltv.ts';

/** Answers what people have paid by each month since they first came or paid, by whence or when that was. */
export function createLtv(parts: KindParts): QueryKind<Ltv, LtvAnswer> {
  return createQueryKind(parts, { parse: parseLtv, answer });
}

async function answer(warehouse: ReportWarehouse, asked: LtvQuery, sent: Ltv): Promise<LtvAnswer> {
  const { query, filter, group, joined } = asked;
  const [rows, conversions] = await Promise.all([
    warehouse.select<LtvRow>(toLtvStatement(asked)),
    findConversions(warehouse, { ...query, filter: filter.payments, dimensions: [] }),
  ]);
  const [overall, ...groups] = rows;
  return {
    results: groups.map((row) => ({ group: row.told, ...toResult(row, asked) })),
    overall: toResult(overall, asked),
    meta: { total_rows: Math.max(0, Number(overall?.rows ?? 1) - 1), ...conversions },
    query: {
      site_id: sent.site_id,
      date_range: toAnsweredRange({ ...joined, timeZone: query.period.timeZone }),
      filters: sent.filters ?? [],
      timezone: query.period.timeZone,
      cohort: asked.cohort,
      group_by: typeof group === 'string' ? group : group.name,
      months: asked.months,
      limit: asked.limit,
    },
  };
}

/** Without a row there is nobody. */
function toResult(row: LtvRow | undefined, { months, query }: LtvQuery): LtvAnswer['overall'] {
  const { currency } = query.site;
  return {
    size: Number(row?.size ?? 0),
    months: Array.from({ length: months }, (_, month) => {
      const members = BigInt(row?.members[month] ?? 0);
      if (members === 0n) return null;
      const minor = BigInt(row?.minors[month] ?? 0);
      return {
        members: Number(members),
        revenue: toMoney(minor, currency),
        revenue_per_member: toMoney(perHeadOf(minor, members), currency),
      };
    }),
  };
}
