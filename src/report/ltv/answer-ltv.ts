import type { Ltv, LtvAnswer } from '#contract/ltv.ts';
import { perHeadOf } from '../cohorts/percent.ts';
import { findConversions } from '../find-conversions.ts';
import { toAnsweredRange } from '../parse-asked.ts';
import type { ReportWarehouse } from '../ports.ts';
import { createQuestionKind, type KindParts } from '../question-kind.ts';
import type { QuestionKind } from '../questions.ts';
import { toMoney } from '../to-answer-row.ts';
import { type LtvRow, toLtvStatement } from './ltv-statement.ts';
import { type LtvQuestion, parseLtv } from './parse-ltv.ts';

/** Answers what people have paid by each month since they first came or paid, by whence or when that was. */
export function createLtv(parts: KindParts): QuestionKind<Ltv, LtvAnswer> {
  return createQuestionKind(parts, { parse: parseLtv, answer });
}

async function answer(
  warehouse: ReportWarehouse,
  asked: LtvQuestion,
  sent: Ltv,
): Promise<LtvAnswer> {
  const { question, filter, group, joined } = asked;
  const [rows, conversions] = await Promise.all([
    warehouse.select<LtvRow>(toLtvStatement(asked)),
    findConversions(warehouse, { ...question, filter: filter.payments, dimensions: [] }),
  ]);
  const [overall, ...groups] = rows;
  return {
    results: groups.map((row) => ({ group: row.told, ...toResult(row, asked) })),
    overall: toResult(overall, asked),
    meta: { total_rows: Math.max(0, Number(overall?.rows ?? 1) - 1), ...conversions },
    query: {
      site_id: sent.site_id,
      date_range: toAnsweredRange({ ...joined, timeZone: question.period.timeZone }),
      filters: sent.filters ?? [],
      timezone: question.period.timeZone,
      cohort: asked.cohort,
      group_by: typeof group === 'string' ? group : group.name,
      months: asked.months,
      limit: asked.limit,
    },
  };
}

/** Without a row there is nobody. */
function toResult(
  row: LtvRow | undefined,
  { months, question }: LtvQuestion,
): LtvAnswer['overall'] {
  const { currency } = question.site;
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
