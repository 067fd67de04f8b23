import type { Money } from '#contract/query-fields.ts';
import type { LtvAnswer } from '#contract/reports/ltv.ts';
import type { RetentionAnswer } from '#contract/reports/retention.ts';
import { useTexts } from '../../address/address.ts';
import { addMonths, type Days } from '../../address/periods.ts';
import { useSite } from '../../api/account.ts';
import { todayIn } from '../../format/dates.ts';
import {
  formatCount,
  formatExactMoney,
  formatMoney,
  formatPercent,
  formatWhole,
  toNumber,
} from '../../format/numbers.ts';
import { addDays } from '../../ui/calendar/month-weeks.ts';

/** A number in a {@link Grid}; `heat` from 0 to 1 colours it; unfinished periods of a cohort get none. */
type Cell = { readonly text: string; readonly heat: number; readonly hint: string };

/** A row: its cohort's first day, or undefined for all of them. */
export type GridRow = {
  readonly cohort: string | undefined;
  readonly size: number;
  readonly cells: readonly Cell[];
};

/** Cohorts as rows, the periods since as columns. */
export type Grid = { readonly rows: readonly GridRow[]; readonly width: number };

type Period = { readonly active: number; readonly rate: number | null; readonly revenue?: Money };

/** Cohorts and how many of each returned or paid again; the first column is everyone, without heat. */
export function toRetentionGrid({ overall, results }: RetentionAnswer): Grid {
  const cohorts = trim(results, ({ size }) => size === 0);
  const rates = cohorts.flatMap(({ periods }) => periods.slice(1).map(({ rate }) => rate ?? 0));
  const most = Math.max(1, ...rates);
  const toCell = (period: Period & { members?: number }, at: number): Cell => ({
    text: period.rate === null ? formatCount(period.active) : formatPercent(period.rate),
    heat: at === 0 || period.rate === null ? 0 : period.rate / most,
    hint: [
      `${formatWhole(period.active)} of them`,
      ...(period.revenue === undefined ? [] : [formatExactMoney(period.revenue)]),
      ...(period.rate === null ? ['so far'] : []),
    ].join(', '),
  });
  return toGrid([
    {
      ...{ cohort: undefined, size: overall.size },
      // Of the later ones, none has begun.
      cells: overall.periods
        .slice(0, cohorts[0]?.periods.length)
        .map((period, at) => (period.rate === null ? RUNNING : toCell(period, at))),
    },
    ...cohorts.map(({ cohort, size, periods }) => ({ cohort, size, cells: periods.map(toCell) })),
  ]);
}

/**
 * Cohorts and the revenue per member up to the end of each month since. A month has ended for those who first paid
 * early in it before it has for the others; the API has no number until it has for somebody.
 */
export function toLifetimeGrid({ overall, results }: LtvAnswer): Grid {
  const cohorts = trim(results, ({ size }) => size === 0);
  const values = cohorts.flatMap(({ months }) =>
    months.map((month) => toNumber(month?.revenue_per_member ?? null)),
  );
  const most = Math.max(1, ...values);
  const toCells = ({ size, months }: LtvAnswer['overall'], isCohort: boolean) =>
    months.flatMap((month, at): Cell[] => {
      if (month === null) return at === 0 && size > 0 ? [FIRST_MONTH] : [];
      const { members, revenue, revenue_per_member: each } = month;
      const isRunning = isCohort && members < size;
      const hint = `${formatExactMoney(each)}: ${formatExactMoney(revenue)} by ${formatWhole(members)}${isRunning ? ', so far' : ''}`;
      const heat = isRunning ? 0 : Math.max(0, toNumber(each)) / most;
      return [{ text: formatMoney(each), heat, hint }];
    });
  return toGrid([
    { cohort: undefined, size: overall.size, cells: toCells(overall, false) },
    ...cohorts.map((row) => ({ cohort: row.group, size: row.size, cells: toCells(row, true) })),
  ]);
}

const RUNNING: Cell = { text: '…', heat: 0, hint: 'It is over for nobody yet' };
const FIRST_MONTH: Cell = { text: '…', heat: 0, hint: 'Nobody’s first month is over yet' };

function toGrid(rows: readonly GridRow[]): Grid {
  return { rows, width: Math.max(0, ...rows.map(({ cells }) => cells.length)) };
}

/** Drops the leading empty rows. */
function trim<Row>(rows: readonly Row[], isEmpty: (row: Row) => boolean): readonly Row[] {
  const first = rows.findIndex((row) => !isEmpty(row));
  return first === -1 ? [] : rows.slice(first);
}

/** The page's parts and what each one answers. */
export const PARTS = [
  { value: 'visits', label: 'Who comes back' },
  { value: 'payers', label: 'Who pays again' },
  { value: 'ltv', label: 'Lifetime value' },
  { value: 'mrr', label: 'Recurring revenue' },
] as const;
/** One of {@link PARTS}. */
export type ViewPart = (typeof PARTS)[number]['value'];

/** The length of a cohort and of its periods. */
export const UNITS = [
  { value: 'week', label: 'Weeks' },
  { value: 'month', label: 'Months' },
] as const;
/** One of {@link UNITS}. */
export type CohortUnit = (typeof UNITS)[number]['value'];

/** How many cohorts are shown, including the current one. */
export const COHORTS = 12;

/** Parses `show=ltv` and `unit=month` from the URL; missing or invalid values get the defaults. */
export function parseRetentionView(params: URLSearchParams) {
  return {
    part: PARTS.find(({ value }) => value === params.get('show'))?.value ?? 'visits',
    unit: UNITS.find(({ value }) => value === params.get('unit'))?.value ?? 'week',
  };
}

/** The days of the last {@link COHORTS} weeks or months, including today. */
export function toCohortDays(unit: CohortUnit, today: string): Days {
  const first =
    unit === 'week' ? addDays(today, -7 * (COHORTS - 1)) : addMonths(today, 1 - COHORTS);
  return [first, today];
}

/** The same in the site's time zone. */
export function useCohortDays(unit: CohortUnit): Days {
  return toCohortDays(unit, todayIn(useSite().timezone));
}

/** The page's choices, stored in its URL, and how to change one. */
export function useRetention() {
  const [params, set] = useTexts();
  return {
    ...parseRetentionView(params),
    choosePart: (part: ViewPart) => set({ show: part === 'visits' ? '' : part }),
    chooseUnit: (unit: CohortUnit) => set({ unit: unit === 'week' ? '' : unit }),
  };
}
