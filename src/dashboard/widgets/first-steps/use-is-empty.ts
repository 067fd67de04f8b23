import { DEFAULT_VIEW, type View } from '../../address/address.ts';
import { useAnswer } from '../../api/query.ts';
import { toNumber } from '../../format/numbers.ts';
import { useFigures } from '../figures/use-figures.ts';

/** Whether the site has never had a visit or a payment. False until known: the figures of the last visit may be old. */
export function useIsEmpty(view: View): boolean {
  const shown = useFigures(view);
  const isQuiet = shown.isFetchedAfterMount && isZero(shown.data?.totals?.metrics);
  // Only queries all of history if what is shown is empty.
  const ever = useAnswer(
    { ...DEFAULT_VIEW, period: 'all' },
    { metrics: ['visits', 'payments'] },
    isQuiet,
  );
  return isQuiet && ever.isFetchedAfterMount && isZero(ever.data?.results[0]?.metrics);
}

function isZero(metrics: Parameters<typeof toNumber>[0][] | undefined): boolean {
  return metrics?.every((value) => toNumber(value) === 0) ?? false;
}
