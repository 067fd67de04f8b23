import Type, { type Static } from 'typebox';
import { Money, MoneyOf, Nullable } from '../query-fields.ts';
import { ReportAnswer, ReportQuery } from './report.ts';

/** How many months an answer has at most. */
export const MRR_MONTHS_MAX = 120;

/** A query for monthly recurring revenue, as it is posted to `/api/v1/query/mrr`. */
export const Mrr = ReportQuery({});
export type Mrr = Static<typeof Mrr>;

const Percent = Nullable(Type.Number());

/** The answer to {@link Mrr}. */
export const MrrAnswer = ReportAnswer({
  row: {
    month: Type.String({ description: 'Its first day.', examples: ['2026-11-01'] }),
    start: Money,
    new: MoneyOf('Of customers counted for the first time.'),
    expansion: Money,
    reactivated: MoneyOf('Of customers who were counted before, and not at the start.'),
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
      description: 'False while the month lasts: then `end` is of now, and the rates are null.',
    }),
  },
  query: {},
  note: '; `date_range` in whole months',
});
export type MrrAnswer = Static<typeof MrrAnswer>;
