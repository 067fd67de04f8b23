import { useQuery } from '@tanstack/react-query';
import type { ListedPayment, PaymentsAnswer } from '#contract/payments/payment-list.ts';
import { DAY_MS } from '#domain/time/durations.ts';
import { useTexts, useView } from '../../address/address.ts';
import { withTexts } from '../../address/params.ts';
import { daysOf } from '../../address/periods.ts';
import { useSite } from '../../api/account.ts';
import { request } from '../../api/api.ts';
import { toCredit, usePages } from '../../api/query.ts';
import { todayIn } from '../../format/dates.ts';
import type { ViewFilter } from '../../format/dimensions.ts';
import { STATE_CHOICES } from './states.ts';

const PAGE = '50';
/** Before every refund, where a period has no first day. */
const FIRST_DAY = '1970-01-02';

/** The URL's choice of payments; all of them for a state that does not exist. */
export function usePaymentChoice() {
  const [params, set] = useTexts();
  const state = params.get('state');
  return {
    state: STATE_CHOICES.find(({ value }) => value === state)?.value ?? '',
    search: params.get('search') ?? '',
    chooseState: (state: string) => set({ state }),
    searchFor: (text: string) => set({ search: text }),
  };
}

/** The list's URL in the API: the chosen payments under the page's period, filters and attribution. */
export function usePaymentsUrl() {
  const { timezone } = useSite();
  const [view] = useView();
  const { state, search } = usePaymentChoice();
  const [from = '', to = ''] =
    view.period === '24h' ? [dayAgo()] : (daysOf(view, todayIn(timezone)) ?? []);
  const days =
    state === 'refunds'
      ? { refunded_from: from || FIRST_DAY, refunded_to: to }
      : { state, from, to };
  const { params: filters } = toPaymentFilters(view.filters);
  const params = toCredit(view);
  return (more: Readonly<Record<string, string>> = {}) =>
    `/api/v1/payments?${withTexts(params, { search, ...days, ...filters, ...more })}`;
}

/** An instant a day ago, to the minute: a page asks for the same until the next. */
function dayAgo(): string {
  return `${new Date(Date.now() - DAY_MS).toISOString().slice(0, 16)}Z`;
}

/** Pages of the chosen payments. */
export function usePayments() {
  const toUrl = usePaymentsUrl();
  return usePages<PaymentsAnswer>(['payments', toUrl()], (cursor) => {
    const totals = cursor === '' ? 'true' : '';
    return { path: toUrl({ limit: PAGE, cursor, totals }) };
  });
}

/** One payment, in its state under the page's attribution. */
export function usePayment(transactionId: string) {
  const { id: site } = useSite();
  const [view] = useView();
  const credit = toCredit(view).toString();
  return useQuery({
    queryKey: [site, 'payments', transactionId, credit],
    queryFn: ({ signal }) =>
      request<ListedPayment>(`${toPaymentUrl(transactionId)}?${credit}`, { site, signal }),
  });
}

/** A payment's URL in the API. */
export function toPaymentUrl(transactionId: string): string {
  return `/api/v1/payments/${encodeURIComponent(transactionId)}`;
}

/** The parameters of the list of payments, by the dimension that they filter by. */
const PARAMETERS: Readonly<Record<string, string>> = {
  'visit:channel': 'channel',
  'visit:source': 'source',
  'payment:product': 'product',
  'payment:provider': 'provider',
};

/** What the page's filters do to the list of payments, which knows a few of them. */
export function toPaymentFilters(filters: readonly ViewFilter[]) {
  const params: Record<string, string> = {};
  const ignored: ViewFilter[] = [];
  for (const filter of filters) {
    const name = PARAMETERS[filter.dimension];
    const [value = '', ...others] = filter.values;
    const isKnown = filter.operator === 'is' && others.length === 0 && value !== '(none)';
    if (name === undefined || !isKnown || name in params) ignored.push(filter);
    else params[name] = value;
  }
  return { params, ignored };
}
