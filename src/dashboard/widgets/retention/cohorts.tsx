import type { LtvAnswer } from '#contract/reports/ltv.ts';
import type { RetentionAnswer } from '#contract/reports/retention.ts';
import type { View } from '../../address/address.ts';
import { useSite } from '../../api/account.ts';
import { toFilters, useReport } from '../../api/query.ts';
import { todayIn } from '../../format/dates.ts';
import { EmptyNote, Unloaded } from '../../ui/note.tsx';
import { CohortGrid } from './cohort-grid.tsx';
import { type Grid, toLifetimeGrid, toRetentionGrid } from './grid.ts';
import { COHORTS, type CohortUnit, toCohortDays } from './retention-view.ts';

type Filtered = { readonly view: Pick<View, 'filters'> };
type RetainedProps = Filtered & { readonly part: 'visits' | 'payers'; readonly unit: CohortUnit };

/** How many of each cohort visit or pay again. */
export function Retained({ view, part, unit }: RetainedProps) {
  const { domain, timezone } = useSite();
  const isPaid = part === 'payers';
  const answer = useReport<RetentionAnswer>('/api/v1/query/retention', {
    site_id: domain,
    date_range: toCohortDays(unit, todayIn(timezone)),
    unit,
    cohort: isPaid ? 'first_payment' : 'first_visit',
    measure: isPaid ? 'revenue' : 'activity',
    periods: COHORTS,
    filters: toFilters(view.filters),
  });
  return (
    <Shown
      answer={answer}
      toGrid={toRetentionGrid}
      empty={isPaid ? 'Nobody paid in this period.' : 'Nobody visited the site in this period.'}
      {...{ unit, from: 0, members: isPaid ? 'Customers' : 'Visitors', isMoney: false }}
      label={isPaid ? 'Customers who pay again' : 'Visitors who come back'}
    />
  );
}

/** Lifetime revenue per customer, by cohort. */
export function Lifetime({ view }: Filtered) {
  const { domain, timezone } = useSite();
  const answer = useReport<LtvAnswer>('/api/v1/query/ltv', {
    site_id: domain,
    date_range: toCohortDays('month', todayIn(timezone)),
    cohort: 'first_payment',
    months: COHORTS,
    filters: toFilters(view.filters),
  });
  return (
    <Shown
      answer={answer}
      toGrid={toLifetimeGrid}
      empty="Nobody paid in this period."
      {...{ unit: 'month', from: 1, members: 'Customers', isMoney: true }}
      label="Revenue of a customer"
    />
  );
}

type ShownProps<Answer> = {
  readonly answer: ReturnType<typeof useReport<Answer>>;
  readonly toGrid: (answer: Answer) => Grid;
  readonly label: string;
  readonly unit: CohortUnit;
  readonly members: string;
  readonly from: number;
  readonly isMoney: boolean;
  readonly empty: string;
};

function Shown<Answer>({ answer, toGrid, empty, ...props }: ShownProps<Answer>) {
  const { data, error, refetch } = answer;
  if (data === undefined) return <Unloaded {...{ error, refetch }} height={420} />;
  const grid = toGrid(data);
  if (grid.rows.length < 2) return <EmptyNote>{empty}</EmptyNote>;
  return <CohortGrid grid={grid} {...props} />;
}
