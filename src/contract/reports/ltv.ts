import Type, { type Static } from 'typebox';
import { Limit, Money, MoneyOf, NameOf } from '../query-fields.ts';
import { ReportAnswer, ReportQuery } from './report.ts';
import { CohortOf } from './retention.ts';

/** How many rows an answer has at most, and how many months. */
export const LTV_ROWS_MAX = 1_000;
/** Ten years. */
export const LTV_MONTHS_MAX = 120;

const FIELDS = {
  cohort: CohortOf,
  group_by: NameOf(
    ['visit', 'visitor'],
    '`cohort_month` (when left out) or `cohort_week`: when members first came or paid; or a dimension ' +
      '`visit:*` or `visitor:*` of their first visit, such as `visitor:first_source`.',
    ['cohort_month', 'cohort_week'],
  ),
  months: Limit(LTV_MONTHS_MAX, `How many months since: 1 to ${LTV_MONTHS_MAX}, 12 when left out.`),
  limit: Limit(
    LTV_ROWS_MAX,
    `How many rows: 1 to ${LTV_ROWS_MAX}, 100 when left out. By dimension, the largest groups come first.`,
  ),
};

/** A query for lifetime value, as it is posted to `/api/v1/query/ltv`. */
export const Ltv = ReportQuery(FIELDS);
export type Ltv = Static<typeof Ltv>;

const Months = Type.Array(
  Type.Union([
    Type.Object({
      members: Type.Integer({ description: 'Those for whom this month since is over.' }),
      revenue: MoneyOf('Theirs, up to the end of it.'),
      revenue_per_member: Money,
    }),
    Type.Null(),
  ]),
  {
    description:
      'The first is the month from the first visit or payment on. Null: over for nobody.',
  },
);

/** The answer to {@link Ltv}. */
export const LtvAnswer = ReportAnswer({
  row: { group: Type.String(), size: Type.Integer(), months: Months },
  beside: {
    overall: Type.Object(
      { size: Type.Integer(), months: Months },
      { description: 'All groups together, those beyond the limit included.' },
    ),
  },
  meta: { total_rows: Type.Integer({ description: 'Groups there are without the limit.' }) },
  query: FIELDS,
});
export type LtvAnswer = Static<typeof LtvAnswer>;
