import type { ViewedSite } from '../../api/account.ts';
import { todayIn } from '../../format/dates.ts';

/** Sites in the form of one, in the given currency or the commonest. Its day is that of the site where it is latest. */
export function toOne(sites: readonly ViewedSite[], wanted: string | null = null): ViewedSite {
  const paid = sites.filter((site) => site.has_payments);
  const codes = (paid.length > 0 ? paid : sites).map((site) => site.currency);
  const currency = wanted ?? commonest(codes);
  const zones = sites.map(({ timezone }) => timezone);
  const [timezone = 'UTC'] = zones.toSorted((a, b) => todayIn(b).localeCompare(todayIn(a)));
  return {
    ...{ id: 'several', domain: 'sites', name: 'Several sites', role: 'viewer', timezone },
    ...{ currency, has_payments: paid.length > 0, has_costs: false },
    combined: sites.map(({ id }) => id),
  };
}

function commonest(values: readonly string[]): string {
  const countOf = (value: string) => values.filter((each) => each === value).length;
  const [most = 'EUR'] = values.toSorted((one, other) => countOf(other) - countOf(one));
  return most;
}
