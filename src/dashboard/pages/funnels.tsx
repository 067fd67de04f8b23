import { Link, Redirect, useParams } from 'wouter';
import { readable, useView } from '../address/address.ts';
import { useSite } from '../api/account.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Inline, Soft } from '../ui/layout.tsx';
import { EmptyNote, Unloaded } from '../ui/note.tsx';
import { Bar } from '../widgets/bar/bar.tsx';
import { Breakdown } from '../widgets/funnel/breakdown.tsx';
import { FunnelSteps } from '../widgets/funnel/funnel.tsx';
import { Proposals } from '../widgets/funnel/proposals.tsx';
import { SavedFunnels } from '../widgets/funnel/saved-funnels.tsx';
import { toFunnel, writeFunnel } from '../widgets/funnel/steps.ts';
import { useFunnel } from '../widgets/funnel/use-funnel.ts';
import { useNameOfFunnel, useSavedFunnels } from '../widgets/funnel/use-saved-funnels.ts';
import { WindowMenu } from '../widgets/funnel/window-menu.tsx';

/** A funnel builder; its URL holds the whole funnel. */
export function FunnelsPage() {
  const [view, changeView] = useView();
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
          <Soft>
            How many people complete several steps in order, and pay in the end? Choose the steps.
            This page’s URL keeps them, so you can share the funnel as a link.
          </Soft>
        )}
        <FunnelSteps {...{ view, funnel }} onChange={change} />
        {steps.length === 0 && <Proposals view={view} />}
      </Card>
      {steps.length >= 2 && (
        <Breakdown {...{ view, funnel }} onView={changeView} onFunnel={change} />
      )}
    </>
  );
}

/** A saved funnel's permalink: redirects to its current steps. */
export function SavedFunnelPage() {
  const { id } = useParams();
  const { domain } = useSite();
  const { data, error, refetch } = useSavedFunnels();
  if (data === undefined) return <Unloaded {...{ error, refetch }} height={320} />;
  const saved = data.funnels.find((each) => each.id === id);
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
  const search = readable(writeFunnel(funnel, new URLSearchParams(location.search)));
  return <Redirect to={`/${domain}/funnels?${search}`} replace />;
}
