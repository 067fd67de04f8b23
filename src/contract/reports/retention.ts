import Type, { type Static } from 'typebox';
import { optional } from '../optional.ts';
import { Limit, Money, Nullable } from '../query-fields.ts';
import { ReportAnswer, ReportQuery } from './report.ts';

/** Maximum number of cohorts of an answer, and of periods of each cohort. */
export const COHORTS_MAX = 64;

/** The event that makes a person a member of a cohort. */
export const CohortOf = Type.Enum(['first_visit', 'first_payment'] as const, {
  description:
    '`first_visit` (default): everyone, by their first visit. `first_payment`: customers, by their first payment above 0.',
});
export type CohortOf = Static<typeof CohortOf>;

const FIELDS = {
  unit: Type.Enum(['week', 'month'] as const, {
    description: '`week` (default), beginning on Monday, or `month`.',
  }),
  cohort: CohortOf,
  measure: Type.Enum(['activity', 'revenue'] as const, {
    description:
      '`activity` (default): members who visit again. `revenue`: members who pay, and how much.',
  }),
  by: Type.Enum(['person', 'visitor'] as const, {
    description:
      '`person` (default): visitors known to be the same customer count as one. `visitor`: each visitor counts alone, without payments.',
  }),
  periods: Limit(
    COHORTS_MAX,
    `Number of periods of each cohort, including the first: 1 to ${COHORTS_MAX}. Default: 13.`,
  ),
};

/** The body of `POST /api/v1/query/retention`. */
export const Retention = ReportQuery(FIELDS);
export type Retention = Static<typeof Retention>;

const Percent = Nullable(Type.Number());

const MoneyOfPeriod = optional({
  revenue: Money,
  revenue_rate: Nullable(Type.Number(), "Percent of the first period's revenue; may exceed 100."),
});

/** The answer to {@link Retention}. */
export const RetentionAnswer = ReportAnswer({
  row: {
    cohort: Type.String({ description: 'First day of the cohort.', examples: ['2026-11-02'] }),
    size: Type.Integer(),
    periods: Type.Array(
      Type.Object({
        active: Type.Integer({ description: 'Members who visited, or paid more than 0.' }),
        rate: Percent,
        ...MoneyOfPeriod,
        is_complete: Type.Boolean({
          description: 'False for the current period. Its rates are null.',
        }),
      }),
      { description: 'The first is the cohort’s own period. Future periods are left out.' },
    ),
  },
  beside: {
    overall: Type.Object(
      {
        size: Type.Integer(),
        periods: Type.Array(
          Type.Object({
            members: Type.Integer({
              description: 'Members of the cohorts for which this period has ended.',
            }),
            active: Type.Integer(),
            rate: Percent,
            ...MoneyOfPeriod,
          }),
        ),
      },
      {
        description: 'All cohorts together. Each period covers the cohorts for which it has ended.',
      },
    ),
  },
  query: FIELDS,
  note: '; `date_range` in whole weeks or months',
});
export type RetentionAnswer = Static<typeof RetentionAnswer>;
