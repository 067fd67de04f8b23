import { Suspense, useState } from 'react';
import { DEFAULT_VIEW, useView, type View } from '../address/address.ts';
import { titleOf, useSite } from '../api/account.ts';
import { useAnswer } from '../api/query.ts';
import { toNumber } from '../format/numbers.ts';
import { Card, Hidden } from '../ui/layout.tsx';
import { lazyPart } from '../ui/lazy-part.ts';
import { AnnotatedChart } from '../widgets/annotations/annotated-chart.tsx';
import { Bar } from '../widgets/bar/bar.tsx';
import { Cards } from '../widgets/figures/cards.tsx';
import { useFigures } from '../widgets/figures/figures.tsx';
import { Panels } from '../widgets/panels/board/panels.tsx';

const FirstSteps = lazyPart(() => import('../widgets/first-steps/first-steps.tsx'), 'FirstSteps');

const RevenueOffer = lazyPart(
  () => import('../widgets/first-steps/revenue-offer.tsx'),
  'RevenueOffer',
);

/** A site's start page: what came in, when, and from where. */
export function OverviewPage() {
  const [view] = useView();
  const site = useSite();
  const { domain } = site;
  const isEmpty = useIsEmpty(view);
  const [steps, setSteps] = useState({ of: '', areDone: false });
  if (isEmpty && steps.of !== domain) setSteps({ of: domain, areDone: false });
  const overview = (
    <>
      <h1>
        <Hidden>Overview of {titleOf(site)}</Hidden>
      </h1>
      <Bar compares />
      <Card aria-label="Figures for the period">
        <Cards />
        <AnnotatedChart />
      </Card>
      <Panels />
      {!site.has_payments && site.shared === undefined && (
        <Suspense>
          <RevenueOffer />
        </Suspense>
      )}
    </>
  );
  // The steps stay when the first pageview arrives: they may show a new key, and more is left to do.
  if (steps.of !== domain || steps.areDone) return overview;
  return (
    <Suspense fallback={overview}>
      <FirstSteps onDone={() => setSteps({ of: domain, areDone: true })} />
    </Suspense>
  );
}

/** Whether the site has never had a visit or a payment. False until known: the figures of the last visit may be old. */
function useIsEmpty(view: View): boolean {
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
