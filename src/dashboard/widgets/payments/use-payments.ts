import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { ListedPayment, PaymentsAnswer } from '#contract/payments/payment-list.ts';
import { useParams, useView } from '../../address/address.ts';
import { daysOf } from '../../address/period-days.ts';
import { withTexts } from '../../address/with-texts.ts';
import { useSite } from '../../api/account.ts';
import { ApiError, request } from '../../api/api.ts';
import { toAttribution } from '../../api/query.ts';
import { todayIn } from '../../format/dates.ts';
import { STATE_CHOICES, toSearches } from './states.ts';

const PAGE = 50;

/** The URL's choice of payments; all of them for a state that does not exist. */
export function usePaymentChoice() {
  const [params, setParams] = useParams();
  const change = (name: string, value: string) =>
    setParams((now) => withTexts(now, { [name]: value }));
  const state = params.get('state');
  return {
    state: STATE_CHOICES.find(({ value }) => value === state)?.value ?? '',
    search: params.get('search') ?? '',
    chooseState: (state: string) => change('state', state),
    searchFor: (text: string) => change('search', text.trim()),
  };
}

/** Pages of payments in a state within the page's days, or search results from any day. */
export function usePayments(state: string, search: string) {
  const { id: site, timezone } = useSite();
  const [view] = useView();
  const [from = '', to = ''] = daysOf(view, todayIn(timezone)) ?? [];
  const { lookback_days: days } = toAttribution(view);
  return useInfiniteQuery({
    queryKey: [site, 'payments', state, search, from, to, days],
    initialPageParam: '',
    placeholderData: keepPreviousData,
    queryFn: ({ pageParam, signal }) => {
      const period = search === '' ? { from, to } : {};
      const window = days === null ? {} : { lookback_days: `${days}` };
      const find = (filter: string) => {
        const params = new URLSearchParams(filter);
        const totals = search === '' && pageParam === '' ? 'true' : '';
        const more = { limit: `${PAGE}`, state, cursor: pageParam, totals, ...window, ...period };
        for (const [name, value] of Object.entries(more)) if (value !== '') params.set(name, value);
        return request<PaymentsAnswer>(`/api/v1/payments?${params}`, { site, signal });
      };
      return search === '' ? find('') : findAny(site, search, find);
    },
    getNextPageParam: (last) => last.meta.next_cursor,
  });
}

/** One payment, in its state under the page's lookback window. */
export function usePayment(transactionId: string) {
  const { id: site } = useSite();
  const [view] = useView();
  const { lookback_days: days } = toAttribution(view);
  return useQuery({
    queryKey: [site, 'payments', transactionId, days],
    queryFn: ({ signal }) => {
      const window = days === null ? '' : `?lookback_days=${days}`;
      return request<ListedPayment>(`${toPaymentUrl(transactionId)}${window}`, { site, signal });
    },
  });
}

/** Matches in any field, each payment once; a search has one page. */
async function findAny(
  site: string,
  text: string,
  find: (filter: string) => Promise<PaymentsAnswer>,
): Promise<PaymentsAnswer> {
  const [one, ...pages] = await Promise.all([
    findOne(site, text).catch((error: unknown) => {
      if (error instanceof ApiError && error.status === 404) return undefined;
      throw error;
    }),
    ...toSearches(text).map(find),
  ]);
  const found = [...(one ? [one] : []), ...pages.flatMap(({ results }) => results)];
  return {
    results: [...new Map(found.map((each) => [each.transaction_id, each])).values()],
    meta: { unconverted: pages.flatMap(({ meta }) => meta.unconverted ?? []) },
  };
}

function findOne(site: string, id: string, signal?: AbortSignal): Promise<ListedPayment> {
  return request<ListedPayment>(toPaymentUrl(id), { site, ...(signal && { signal }) });
}

/** A payment's URL in the API. */
export function toPaymentUrl(transactionId: string): string {
  return `/api/v1/payments/${encodeURIComponent(transactionId)}`;
}
