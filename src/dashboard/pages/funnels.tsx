import { useView } from '../address/address.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Bar } from '../widgets/bar/bar.tsx';
import { Breakdown } from '../widgets/funnel/breakdown.tsx';
import styles from '../widgets/funnel/funnel.module.css';
import { FunnelSteps } from '../widgets/funnel/funnel.tsx';
import { Proposals } from '../widgets/funnel/proposals.tsx';
import { SavedFunnels } from '../widgets/funnel/saved-funnels.tsx';
import { useFunnel } from '../widgets/funnel/use-funnel.ts';
import { useNameOfFunnel } from '../widgets/funnel/use-saved-funnels.ts';
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
      <Card className={styles.card}>
        <div className={styles.top}>
          <h1>{name ?? 'Funnel'}</h1>
          <div className={styles.controls}>
            <SavedFunnels funnel={funnel} />
            <WindowMenu within={within} onChoose={(chosen) => change({ within: chosen })} />
            {steps.length > 0 && (
              <Button look="plain" onClick={() => change({ steps: [] })}>
                Start over
              </Button>
            )}
          </div>
        </div>
        {steps.length === 0 && (
          <p className={styles.lead}>
            How many people complete several steps in order, and pay in the end? Choose the steps.
            This page’s URL keeps them, so you can share the funnel as a link.
          </p>
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
