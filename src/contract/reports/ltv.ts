import Type, { type Static } from 'typebox';
import { Limit, Money, MoneyOf, NameOf } from '../query-fields.ts';
import { ReportAnswer, ReportQuery } from './report.ts';
import { CohortOf } from './retention.ts';

/** Maximum number of rows of an answer. */
const LTV_ROWS_MAX = 1_000;
/** Maximum number of months of an answer: ten years. */
const LTV_MONTHS_MAX = 120;

const FIELDS = {
  cohort: CohortOf,
  group_by: NameOf(
    ['visit', 'visitor'],
    '`cohort_month` (default) or `cohort_week`: when members first visited or paid. Or a `visit:*` or `visitor:*` dimension of their first visit, such as `visitor:first_source`.',
    ['cohort_month', 'cohort_week'],
  ),
  months: Limit(LTV_MONTHS_MAX, `Number of months: 1 to ${LTV_MONTHS_MAX}. Default: 12.`),
  limit: Limit(
    LTV_ROWS_MAX,
    `Number of rows: 1 to ${LTV_ROWS_MAX}. Default: 100. Groups of a dimension are ordered by size, largest first.`,
  ),
};

/** The body of `POST /api/v1/query/ltv`: customer lifetime value. */
export const Ltv = ReportQuery(FIELDS);
export type Ltv = Static<typeof Ltv>;

const Months = Type.Array(
  Type.Union([
    Type.Object({
      members: Type.Integer({ description: 'Members for whom this month has ended.' }),
      revenue: MoneyOf('Their cumulative revenue to the end of this month.'),
      revenue_per_member: Money,
    }),
    Type.Null(),
  ]),
  {
    description:
      'Months since the first visit or payment; the first entry is the month from it. Null if the month has ended for no member.',
  },
);

/** The answer to {@link Ltv}. */
export const LtvAnswer = ReportAnswer({
  row: { group: Type.String(), size: Type.Integer(), months: Months },
  beside: {
    overall: Type.Object(
      { size: Type.Integer(), months: Months },
      { description: 'All groups together, including groups beyond the limit.' },
    ),
  },
  meta: { total_rows: Type.Integer({ description: 'Number of groups before the limit.' }) },
  query: FIELDS,
});
export type LtvAnswer = Static<typeof LtvAnswer>;
