import Type, { type Static } from 'typebox';
import { optional } from '../optional.ts';
import { Limit, Money, Nullable } from '../query-fields.ts';
import { ReportAnswer, ReportQuery } from './report.ts';

/** How many cohorts an answer has at most, and how many periods of each. */
export const COHORTS_MAX = 64;

/** What makes a person a member of a cohort. */
export const CohortOf = Type.Enum(['first_visit', 'first_payment'] as const, {
  description:
    '`first_visit` (when left out): everybody, by when they first came; or `first_payment`: customers, ' +
    'by when they first paid more than 0.',
});
export type CohortOf = Static<typeof CohortOf>;

const FIELDS = {
  unit: Type.Enum(['week', 'month'] as const, {
    description: '`week` (when left out), from Monday on, or `month`.',
  }),
  cohort: CohortOf,
  measure: Type.Enum(['activity', 'revenue'] as const, {
    description:
      '`activity` (when left out): who visits again; or `revenue`: who pays, and how much.',
  }),
  by: Type.Enum(['person', 'visitor'] as const, {
    description:
      '`person` (when left out): visitors known to be the same customer are one; or each `visitor` alone, ' +
      'without payments.',
  }),
  periods: Limit(
    COHORTS_MAX,
    `How many periods of each cohort, the first included: 1 to ${COHORTS_MAX}, 13 when left out.`,
  ),
};

/** A query for retention, as it is posted to `/api/v1/query/retention`. */
export const Retention = ReportQuery(FIELDS);
export type Retention = Static<typeof Retention>;

const Percent = Nullable(Type.Number());

const MoneyOfPeriod = optional({
  revenue: Money,
  revenue_rate: Nullable(Type.Number(), "Percent of the first period's revenue; may pass 100."),
});

/** The answer to {@link Retention}. */
export const RetentionAnswer = ReportAnswer({
  row: {
    cohort: Type.String({ description: 'Its first day.', examples: ['2026-11-02'] }),
    size: Type.Integer(),
    periods: Type.Array(
      Type.Object({
        active: Type.Integer({ description: 'Members who visited, or paid more than 0.' }),
        rate: Percent,
        ...MoneyOfPeriod,
        is_complete: Type.Boolean({
          description: 'False while the period lasts; its rates are null then.',
        }),
      }),
      { description: 'The first is the cohort’s own. What has not begun is left out.' },
    ),
  },
  beside: {
    overall: Type.Object(
      {
        size: Type.Integer(),
        periods: Type.Array(
          Type.Object({
            members: Type.Integer({ description: 'Of the cohorts for which this period is over.' }),
            active: Type.Integer(),
            rate: Percent,
            ...MoneyOfPeriod,
          }),
        ),
      },
      { description: 'All cohorts together, each period over those for which it is over.' },
    ),
  },
  query: FIELDS,
  note: '; `date_range` in whole weeks or months',
});
export type RetentionAnswer = Static<typeof RetentionAnswer>;
