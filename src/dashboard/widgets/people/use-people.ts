import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import type { PeopleOrder, PersonsAnswer } from '#contract/people.ts';
import { useParams, type View } from '../../address/address.ts';
import { withTexts } from '../../address/with-texts.ts';
import { useSite } from '../../api/account.ts';
import { request } from '../../api/api.ts';
import { toAttribution, toDateRange, toFilters } from '../../api/query.ts';
import type { TableOrder } from '../../ui/table.tsx';
import { parsePeopleOrder, writeOrder } from './order.ts';

/** The search and sort order of the people list; both are in the URL. */
export function usePeopleChoice() {
  const [params, setParams] = useParams();
  const set = (name: string, value: string) =>
    setParams((now) => withTexts(now, { [name]: value }), { replace: true });
  return {
    search: params.get('q') ?? '',
    order: parsePeopleOrder(params.get('sort')),
    onSearch: (text: string) => set('q', text),
    onOrder: (order: TableOrder) => set('sort', writeOrder(order)),
  };
}

const PAGE_ROWS = 50;

/** People of the period, paginated. */
export function usePeople(
  view: View,
  search: string,
  order: { readonly by: PeopleOrder; readonly direction: 'asc' | 'desc' },
) {
  const site = useSite();
  const body = {
    site_id: site.domain,
    date_range: toDateRange(view, site.timezone),
    filters: toFilters(view.filters),
    attribution: toAttribution(view),
    order_by: [[order.by, order.direction]],
    ...(search !== '' && { search }),
  };
  return useInfiniteQuery({
    queryKey: [site.id, 'persons', body],
    initialPageParam: '',
    queryFn: ({ signal, pageParam: cursor }) =>
      request<PersonsAnswer>('/api/v1/query/persons', {
        site: site.id,
        signal,
        body: {
          ...body,
          pagination: { limit: PAGE_ROWS, ...(cursor !== '' && { cursor }) },
          include: { total_rows: cursor === '' },
        },
      }),
    getNextPageParam: (page) => page.meta.next_cursor,
    placeholderData: keepPreviousData,
  });
}
