import { useTexts } from '../../address/address.ts';
import { addMonths, type Days } from '../../address/period-days.ts';
import { useSite } from '../../api/account.ts';
import { todayIn } from '../../format/dates.ts';
import { addDays } from '../../ui/calendar/month-weeks.ts';

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
