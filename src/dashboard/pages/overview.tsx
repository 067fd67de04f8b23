import { Suspense, useMemo, useState } from 'react';
import type { AnnotationsAnswer } from '#contract/sites/saved.ts';
import { DEFAULT_VIEW, useView, type View } from '../address/address.ts';
import { titleOf, useOfSite, useSite } from '../api/account.ts';
import { useAnswer } from '../api/query.ts';
import { nowIn } from '../format/dates.ts';
import { toNumber } from '../format/numbers.ts';
import { Card, Hidden } from '../ui/layout.tsx';
import { Bones, lazyPart } from '../ui/loaded.tsx';
import { Bar } from '../widgets/bar/bar.tsx';
import { Chart } from '../widgets/chart/chart.tsx';
import type { Note } from '../widgets/chart/geometry/layout.ts';
import { Cards } from '../widgets/figures/cards.tsx';
import { useFigures } from '../widgets/figures/figures.tsx';
import { Panels } from '../widgets/panels/board/panels.tsx';

const FirstSteps = lazyPart(() => import('../widgets/first-steps/first-steps.tsx'), 'FirstSteps');

const RevenueOffer = lazyPart(
  () => import('../widgets/first-steps/backend-steps.tsx'),
  'RevenueOffer',
  null,
);

/** A site's start page: what came in, when, and from where. */
export function OverviewPage() {
  const [view] = useView();
  const site = useSite();
  const { domain } = site;
  const isEmpty = useIsEmpty(view);
  const [steps, setSteps] = useState({ of: '', areDone: false });
  const [used, setUsed] = useState('');
  if (isEmpty === true && steps.of !== domain) setSteps({ of: domain, areDone: false });
  if (isEmpty === false && used !== domain) setUsed(domain);
  // An empty site shows its steps at once, not an overview of nothing before.
  if (isEmpty === undefined && !site.has_payments && ![used, steps.of].includes(domain)) {
    return <Bones height={480} />;
  }
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
      {!site.has_payments && site.shared === undefined && <RevenueOffer />}
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

/** Whether the site has never had a visit or a payment. Undefined until known: the figures of the last visit may be old. */
function useIsEmpty(view: View): boolean | undefined {
  const shown = useFigures(view);
  const figures = shown.data?.totals?.metrics;
  const isQuiet = shown.isFetchedAfterMount && isZero(figures);
  // Only queries all of history if what is shown is empty.
  const ever = useAnswer(
    { ...DEFAULT_VIEW, period: 'all' },
    { metrics: ['visits', 'payments'] },
    isQuiet,
  );
  if (shown.error !== null || ever.error !== null) return false;
  if (figures !== undefined && !isZero(figures)) return false;
  return isQuiet && ever.isFetchedAfterMount ? isZero(ever.data?.results[0]?.metrics) : undefined;
}

function isZero(metrics: Parameters<typeof toNumber>[0][] | undefined): boolean {
  return metrics?.every((value) => toNumber(value) === 0) ?? false;
}

const NotesDialog = lazyPart(
  () => import('../widgets/annotations/notes-dialog.tsx'),
  'NotesDialog',
  null,
);

/** The chart with its notes. Admins can add, change and delete them. */
function AnnotatedChart() {
  const annotations = useAnnotations();
  const { role } = useSite();
  const [opened, setOpened] = useState<readonly string[]>();
  const shown = annotations.filter(({ id }) => opened?.includes(id));
  const isNew = opened?.length === 0;
  return (
    <>
      <Chart
        annotations={annotations}
        onOpenNotes={(there) => setOpened(there.map(({ id }) => id))}
        onAddNote={role === 'viewer' ? undefined : () => setOpened([])}
      />
      {(isNew || shown.length > 0) && (
        <NotesDialog
          {...{ shown, isNew, mayChange: role !== 'viewer' }}
          onClose={() => setOpened(undefined)}
        />
      )}
    </>
  );
}

/** The site's notes, in its local time. */
function useAnnotations(): readonly Note[] {
  const { timezone } = useSite();
  const { data } = useOfSite<AnnotationsAnswer>('/annotations');
  return useMemo(
    () =>
      (data?.annotations ?? []).map(({ id, at, text }) => {
        const isDay = !at.includes('T');
        return { id, text, at: isDay ? at : nowIn(timezone, new Date(at)) };
      }),
    [data, timezone],
  );
}
