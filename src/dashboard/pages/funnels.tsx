import { useView } from '../address.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Menu, MenuChoices } from '../ui/menu/menu.tsx';
import { Bar } from '../widgets/bar/bar.tsx';
import { Breakdown } from '../widgets/funnel/breakdown.tsx';
import styles from '../widgets/funnel/funnel.module.css';
import { FunnelSteps } from '../widgets/funnel/funnel.tsx';
import { Proposals } from '../widgets/funnel/proposals.tsx';
import { SavedFunnels } from '../widgets/funnel/saved-funnels.tsx';
import { useFunnel } from '../widgets/funnel/use-funnel.ts';
import { useNameOfFunnel } from '../widgets/funnel/use-saved-funnels.ts';

const WINDOWS = [
  { value: 'visit', label: 'Within one visit' },
  { value: '1h', label: 'Within an hour' },
  { value: '1d', label: 'Within a day' },
  { value: '7d', label: 'Within 7 days' },
  { value: '14d', label: 'Within 14 days' },
  { value: '30d', label: 'Within 30 days' },
  { value: '90d', label: 'Within 90 days' },
];

/** A funnel, built by clicking; its address holds all of it. */
export function FunnelsPage() {
  const [view, changeView] = useView();
  const [funnel, change] = useFunnel();
  const { steps, within } = funnel;
  const name = useNameOfFunnel(funnel);
  return (
    <>
      <Bar />
      <Card className={styles.card}>
        <div className={styles.top}>
          <h1>{name ?? 'Funnel'}</h1>
          <div className={styles.controls}>
            <SavedFunnels funnel={funnel} />
            <Menu label={`${nameWindow(within)} ▾`}>
              <MenuChoices
                value={within}
                choices={WINDOWS}
                onChoose={(chosen) => change({ within: chosen })}
              />
            </Menu>
            {steps.length > 0 && (
              <Button look="plain" onClick={() => change({ steps: [] })}>
                Start over
              </Button>
            )}
          </div>
        </div>
        {steps.length === 0 && (
          <p className={styles.lead}>
            How many people do one thing, then another, and pay in the end? Choose the steps; the
            address of this page keeps them, so a funnel can be sent as a link.
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

function nameWindow(within: string): string {
  return WINDOWS.find(({ value }) => value === within)?.label ?? `Within ${within}`;
}
