import type { Ltv, LtvAnswer } from '#contract/reports/ltv.ts';
import { echoOf } from '../../query/parse/parse-fields.ts';
import type { KindParts, QueryKind } from '../../query/query-kind.ts';
import { toMoney } from '../../query/shape/to-answer-row.ts';
import { perHeadOf } from '../cohorts/percent.ts';
import { createReportKind } from '../report-kind.ts';
import { type LtvRow, toLtvStatement } from './ltv-statement.ts';
import { type LtvPlan, parseLtv } from './parse-ltv.ts';

/** Answers what people have paid by each month since they first came or paid, by whence or when that was. */
export function createLtv(parts: KindParts): QueryKind<Ltv, LtvAnswer> {
  return createReportKind(parts, {
    parse: parseLtv,
    toStatement: toLtvStatement,
    paymentsOf: ({ filter }) => filter.payments,
    toAnswer(rows: readonly LtvRow[], asked, sent, moneyNotes) {
      const { query, group, joined } = asked;
      const [overall, ...groups] = rows;
      return {
        results: groups.map((row) => ({ group: row.told, ...toResult(row, asked) })),
        overall: toResult(overall, asked),
        meta: { total_rows: Math.max(0, Number(overall?.rows ?? 1) - 1), ...moneyNotes },
        query: {
          ...echoOf(sent, { ...joined, timeZone: query.period.timeZone }),
          cohort: asked.cohort,
          group_by: typeof group === 'string' ? group : group.name,
          months: asked.months,
          limit: asked.limit,
        },
      };
    },
  });
}

/** Without a row there is nobody. */
function toResult(row: LtvRow | undefined, { months, query }: LtvPlan): LtvAnswer['overall'] {
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
