import Type, { type Static } from 'typebox';
import { Money, MoneyOf, Nullable } from '../query-fields.ts';
import { ReportAnswer, ReportQuery } from './report.ts';

/** Maximum number of months of an answer. */
export const MRR_MONTHS_MAX = 120;

/** The body of `POST /api/v1/query/mrr`: monthly recurring revenue. */
export const Mrr = ReportQuery({});
export type Mrr = Static<typeof Mrr>;

const Percent = Nullable(Type.Number());

/** The answer to {@link Mrr}. */
export const MrrAnswer = ReportAnswer({
  row: {
    month: Type.String({ description: 'First day of the month.', examples: ['2026-11-01'] }),
    start: Money,
    new: MoneyOf('MRR of customers counted for the first time.'),
    expansion: Money,
    reactivated: MoneyOf('MRR of earlier customers who were not counted at the start.'),
    contraction: Money,
    churned: Money,
    end: MoneyOf('start + new + expansion + reactivated − contraction − churned, exactly.'),
    customers: Type.Object({
      start: Type.Integer(),
      new: Type.Integer(),
      expanded: Type.Integer(),
      reactivated: Type.Integer(),
      contracted: Type.Integer(),
      churned: Type.Integer(),
      end: Type.Integer(),
    }),
    customer_churn_rate: Percent,
    revenue_churn_rate: Percent,
    net_revenue_retention: Percent,
    is_complete: Type.Boolean({
      description: 'False for the current month. Its `end` is as of now, and its rates are null.',
    }),
  },
  query: {},
  note: '; `date_range` in whole months',
});
export type MrrAnswer = Static<typeof MrrAnswer>;
