import { type ReactNode, Suspense } from 'react';
import { useSite } from '../../../api/account.ts';
import { Card } from '../../../ui/card.tsx';
import { lazyPart } from '../../../ui/lazy-part.ts';
import { Menu, MenuChoices } from '../../../ui/menu/menu.tsx';
import { Tabs } from '../../../ui/tabs.tsx';
import { MEASURES, type MeasureName, measureBy, measureOf } from '../choice.ts';
import { HoursPanel } from '../hours/hours-panel.tsx';
import styles from '../panel.module.css';
import { RowsPanel } from '../rows-panel.tsx';
import { Skeleton } from '../skeleton.tsx';
import { dimensionOf, findTab, type PanelPlan } from '../tabs.ts';
import type { PanelProps } from '../use-choice.ts';
import { measuresOf, useChoice, useProperty } from '../use-choice.ts';

const MapPanel = lazyPart(() => import('../map/map-panel.tsx'), 'MapPanel');
const FunnelsPanel = lazyPart(() => import('../funnels/funnels-panel.tsx'), 'FunnelsPanel');
const BotsPanel = lazyPart(() => import('../bots/bots-panel.tsx'), 'BotsPanel');

type Props = Pick<PanelProps, 'view' | 'onChange'> & { readonly panel: PanelPlan };

/** A card of tabs, each with its own breakdown. */
export function Panel({ panel, view, onChange }: Props) {
  const [choice, choose] = useChoice(panel, view);
  const { tab, measure } = choice;
  const measures = measuresOf(useSite(), view, tab);
  return (
    <Card aria-label={panel.name} className={styles.panel} data-panel="">
      <div className={styles.head}>
        <Tabs
          name={panel.name}
          value={tab.id}
          choices={panel.tabs.map(({ id, label }) => ({ value: id, label }))}
          onChoose={(id) => choose({ ...choice, tab: findTab([panel], id) ?? tab })}
          wraps
        />
        {tab.kind !== 'bots' && tab.kind !== 'funnels' && (
          <Menu
            label={measureOf(measure).label}
            name={`Compare by: ${measureOf(measure).label}`}
            className={styles.measure ?? ''}
            align="end"
          >
            <MenuChoices
              value={measure}
              choices={MEASURE_CHOICES.filter(({ value }) => measures.includes(value))}
              onChoose={(chosen) => choose(measureBy(choice, chosen))}
            />
          </Menu>
        )}
      </div>
      <Suspense fallback={<Skeleton />}>
        <PanelBody key={`${tab.id} ${measure}`} {...{ view, onChange, choice }} onChoose={choose} />
      </Suspense>
    </Card>
  );
}

const MEASURE_CHOICES = Object.entries(MEASURES).map(([value, { label }]) => ({
  value: value as MeasureName,
  label,
}));

function PanelBody(props: PanelProps): ReactNode {
  const { tab } = props.choice;
  switch (tab.kind) {
    case 'map':
      return <MapPanel {...props} />;
    case 'hours':
      return <HoursPanel {...props} />;
    case 'bots':
      return <BotsPanel {...props} />;
    case 'funnels':
      return <FunnelsPanel {...props} />;
    case 'property':
      return <PropertyPanel {...props} />;
    case 'rows':
      return <RowsPanel {...props} dimension={tab.dimension} />;
  }
}

/** The properties of goals, and the values of one of them, such as `plan`. */
function PropertyPanel(props: PanelProps) {
  const [property, choose] = useProperty();
  return (
    <>
      {property !== '' && (
        <p className={styles.property}>
          <b>{property}</b>
          <button type="button" className={styles.change} onClick={() => choose('')}>
            All properties
          </button>
        </p>
      )}
      <RowsPanel key={property} {...props} dimension={dimensionOf(props.choice.tab, property)} />
    </>
  );
}
