import { Link, Redirect, useParams as useRouteParams } from 'wouter';
import { searchOf } from '#contract/reports/address-text.ts';
import type { SavedFunnel } from '#contract/sites/saved.ts';
import { useParams, useView } from '../address/address.ts';
import { useSite } from '../api/account.ts';
import { useAnswer } from '../api/query.ts';
import { toNumber } from '../format/numbers.ts';
import { Button, boxClass } from '../ui/button.tsx';
import { Card, Columns, Inline, Soft, Words } from '../ui/layout.tsx';
import { Bones, EmptyNote, Loaded } from '../ui/loaded.tsx';
import { Bar } from '../widgets/bar/bar.tsx';
import { Breakdown } from '../widgets/funnel/breakdown.tsx';
import { FunnelSteps } from '../widgets/funnel/funnel.tsx';
import { WindowMenu } from '../widgets/funnel/step-picker.tsx';
import {
  type FunnelStep,
  NO_FUNNEL,
  nameStep,
  proposeFunnels,
  toFunnel,
  useFunnel,
  useNameOfFunnel,
  useSavedFunnels,
  useValues,
  writeFunnel,
  writeStep,
} from '../widgets/funnel/steps.ts';
import { SavedFunnels } from '../widgets/saved/saved.tsx';

/** A funnel builder; its URL holds the whole funnel. */
export function FunnelsPage() {
  const [funnel, change] = useFunnel();
  const { steps, within } = funnel;
  const name = useNameOfFunnel(funnel);
  return (
    <>
      <Bar attributes={false} />
      <Card isPadded>
        <Inline isSpread>
          <h1>{name ?? 'Funnel'}</h1>
          <Inline>
            <SavedFunnels funnel={funnel} />
            <WindowMenu within={within} onChoose={(chosen) => change({ within: chosen })} />
            {steps.length > 0 && (
              <Button look="plain" onClick={() => change({ steps: [] })}>
                Start over
              </Button>
            )}
          </Inline>
        </Inline>
        {steps.length === 0 && (
          <Soft style={{ marginTop: 8 }}>
            How many people complete several steps in order, and pay in the end? Choose the steps.
            This page’s URL keeps them, so you can share the funnel as a link.
          </Soft>
        )}
        <FunnelSteps />
        {steps.length === 0 && <Proposals />}
      </Card>
      {steps.length >= 2 && <Breakdown />}
    </>
  );
}

/** A saved funnel's permalink: redirects to its current steps. */
export function SavedFunnelPage() {
  const { id } = useRouteParams();
  return (
    <Loaded of={useSavedFunnels()} height={320}>
      {({ funnels }) => <OpenFunnel saved={funnels.find((each) => each.id === id)} />}
    </Loaded>
  );
}

function OpenFunnel({ saved }: { readonly saved: SavedFunnel | undefined }) {
  const { domain } = useSite();
  if (saved === undefined) {
    return (
      <EmptyNote>
        This funnel was deleted. <Link to={`/${domain}/funnels`}>All funnels</Link>
      </EmptyNote>
    );
  }
  const funnel = toFunnel(saved);
  if (funnel === undefined) {
    return (
      <EmptyNote>
        {saved.name} was saved through the API, and has steps that this page cannot show.
      </EmptyNote>
    );
  }
  const search = searchOf(writeFunnel(funnel, new URLSearchParams(location.search)));
  return <Redirect to={`/${domain}/funnels${search}`} replace />;
}

/** Starter funnels, made from the site's own pages and goals. */
function Proposals() {
  const [view] = useView();
  const pages = useValues('event:page', '', 6);
  const goals = useValues('event:goal', '', 6);
  const payments = useAnswer({ ...view, filters: [] }, { metrics: ['payments'] });
  const error = pages.error ?? goals.error ?? payments.error;
  if (error !== null) return <p role="alert">No suggestions: {error.message}</p>;
  if (!pages.values || !goals.values || !payments.data) return <Bones height={144} />;
  const proposals = proposeFunnels({
    pages: pages.values,
    goals: goals.values,
    hasPayments: toNumber(payments.data.results[0]?.metrics[0] ?? 0) > 0,
  });
  if (proposals.length === 0) return null;
  return (
    <>
      <h2 style={{ margin: '24px 0 8px' }}>Or start with one of these</h2>
      <Columns as="ul" least={400} gap={8}>
        {proposals.map((steps) => (
          <li key={steps.map(writeStep).join()}>
            <Proposal steps={steps} />
          </li>
        ))}
      </Columns>
    </>
  );
}

function Proposal({ steps }: { readonly steps: readonly FunnelStep[] }) {
  const { domain } = useSite();
  const [params] = useParams();
  const search = searchOf(writeFunnel({ ...NO_FUNNEL, steps }, params));
  return (
    <Link to={`/${domain}/funnels${search}`} className={boxClass()}>
      {steps.map((step, at) => (
        <Words key={writeStep(step)} look="cut">
          {at > 0 && <Words look="soft">→&ensp;</Words>}
          {nameStep(step)}
        </Words>
      ))}
    </Link>
  );
}
