import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ChangeView, View } from '../../address/address.ts';
import { useSite } from '../../api/account.ts';
import type { DayRange } from './geometry/zoom-days.ts';

type Step = {
  readonly into: DayRange;
  readonly before: Pick<View, 'period' | 'from' | 'to'>;
};

/** Zooms the period into days and back; remembers the steps while the page is open. */
export function useZoom(view: View, onChange: ChangeView) {
  const site = useSite();
  const client = useQueryClient();
  const queryKey = ['zoom', site.id];
  const { data: steps = [] } = useQuery<readonly Step[]>({
    queryKey,
    queryFn: skipToken,
    initialData: [],
    staleTime: Number.POSITIVE_INFINITY,
  });
  const last = steps.findLast(({ into }) => into.from === view.from && into.to === view.to);
  return {
    zoomTo: (into: DayRange) => {
      const before = { period: view.period, from: view.from, to: view.to };
      client.setQueryData(queryKey, [...steps, { into, before }]);
      onChange({ period: 'custom', ...into });
    },
    /** Undefined when not zoomed. */
    zoomBack:
      last &&
      (() => {
        client.setQueryData(queryKey, steps.slice(0, steps.indexOf(last)));
        onChange(last.before);
      }),
  };
}
