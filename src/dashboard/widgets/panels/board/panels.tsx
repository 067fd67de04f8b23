import { type ReactNode, type RefObject, Suspense, useEffect, useRef } from 'react';
import { useView } from '../../../address/address.ts';
import { useSite } from '../../../api/account.ts';
import { pillClass, Tabs } from '../../../ui/button.tsx';
import { Card, Columns, classes, Inline, Words, wordsClass } from '../../../ui/layout.tsx';
import { lazyPart } from '../../../ui/loaded.tsx';
import { ChoiceMenu, Menu } from '../../../ui/menu/menu.tsx';
import {
  MEASURES,
  type MeasureName,
  measureBy,
  measuresOf,
  type PanelProps,
  useChoice,
  useProperty,
} from '../choice.ts';
import { HoursPanel } from '../hours/hours-panel.tsx';
import styles from '../panel.module.css';
import { Skeleton } from '../panel-parts.tsx';
import { RowsPanel } from '../rows-panel.tsx';
import { dimensionOf, findTab, hasDetails, type PanelPlan, panelsOf, type Tab } from '../tabs.ts';

const DetailsDialog = lazyPart(
  () => import('../details/details-dialog.tsx'),
  'DetailsDialog',
  null,
);

/** Where visitors and revenue come from, side by side. */
export function Panels() {
  const [view] = useView();
  const keys = usePanelKeys();
  const site = useSite();
  const panels = panelsOf(site);
  const isBelowFigures = site.shared?.panels.includes('figures') ?? true;
  const details = findTab(panels, view.panel);
  return (
    <Columns
      least={391}
      className={classes(styles.panels, isBelowFigures && styles.belowFigures)}
      ref={keys}
    >
      {panels.map((panel) => (
        <Panel key={panel.name} panel={panel} />
      ))}
      {details && hasDetails(details) && <DetailsDialog tab={details} />}
    </Columns>
  );
}

/** What arrow keys move between within a panel. */
const ROWS = '[data-row]';
const PANELS = '[data-panel]';

/** `J` and `K` move to the next and previous panel, up and down between rows. */
function usePanelKeys(): RefObject<HTMLDivElement | null> {
  const panels = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isAltEnter = event.altKey && event.key === 'Enter'; // Browsers take it for no click.
      const row = isAltEnter && document.activeElement?.closest(`button${ROWS}`);
      if (row) row.dispatchEvent(new MouseEvent('click', { altKey: true, bubbles: true }));
      else if (panels.current === null || isTyped(event)) return;
      else if (!move(panels.current, event.key.toLowerCase())) return;
      event.preventDefault();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return panels;
}

/** Moves the focus; false when the key has no effect. */
function move(panels: HTMLElement, key: string): boolean {
  const here = document.activeElement?.closest<HTMLElement>(PANELS) ?? null;
  if (key === 'j' || key === 'k') {
    const all = [...panels.querySelectorAll<HTMLElement>(PANELS)];
    const at = here === null ? -1 : all.indexOf(here);
    const next = key === 'j' ? at + 1 : Math.max(at, 1) - 1;
    const panel = all[Math.min(next, all.length - 1)];
    panel?.scrollIntoView({ block: 'nearest' });
    (panel?.querySelector<HTMLElement>(ROWS) ?? panel?.querySelector('button'))?.focus();
    return true;
  }
  const step = key === 'arrowdown' ? 1 : key === 'arrowup' ? -1 : 0;
  const row = document.activeElement?.closest<HTMLElement>(ROWS);
  if (step === 0 || here === null || !row) return false;
  const rows = [...here.querySelectorAll<HTMLElement>(ROWS)];
  rows[rows.indexOf(row) + step]?.focus();
  return true;
}

function isTyped(event: KeyboardEvent): boolean {
  const { target } = event;
  return (
    event.defaultPrevented ||
    [event.ctrlKey, event.metaKey, event.altKey, event.shiftKey].includes(true) ||
    (target instanceof HTMLElement &&
      target.closest('input, textarea, select, [role="dialog"], [role="menu"]') !== null)
  );
}

const MapPanel = lazyPart(() => import('../map/map-panel.tsx'), 'MapPanel');
const FunnelsPanel = lazyPart(() => import('../funnels/funnels-panel.tsx'), 'FunnelsPanel');
const BotsPanel = lazyPart(() => import('../bots/bots-panel.tsx'), 'BotsPanel');

const SMALL = { className: pillClass(styles.measure), align: 'end' } as const;
const COMPARE = classes(SMALL.className, styles.compare);

/** A card of tabs, each with its own breakdown. */
function Panel({ panel }: { readonly panel: PanelPlan }) {
  const [view] = useView();
  const [choice, choose] = useChoice(panel);
  const { tab, measure } = choice;
  const open = (id: string) => choose({ ...choice, tab: findTab([panel], id) ?? tab });
  const rare = panel.tabs.filter(({ isRare }) => isRare);
  const measures = measuresOf(useSite(), view, tab);
  return (
    <Card aria-label={panel.name} className={styles.panel} data-panel="">
      <div className={styles.head}>
        <Tabs
          name={panel.name}
          value={tab.id}
          choices={toChoices(panel.tabs.filter((each) => !each.isRare || each === tab))}
          onChoose={open}
          wraps
        >
          {rare.length > 0 && (
            <Menu
              {...{ label: 'More', name: `More of ${panel.name}`, ...SMALL }}
              entries={[{ value: tab.id, choices: toChoices(rare), onChoose: open }]}
            />
          )}
          {tab.kind !== 'bots' && tab.kind !== 'funnels' && (
            <ChoiceMenu
              {...{ name: 'Compare by', value: measure, ...SMALL, className: COMPARE }}
              choices={MEASURE_CHOICES.filter(({ value }) => measures.includes(value))}
              onChoose={(chosen) => choose(measureBy(choice, chosen))}
            />
          )}
        </Tabs>
      </div>
      <Suspense fallback={<Skeleton />}>
        <PanelBody key={`${tab.id} ${measure}`} choice={choice} onChoose={choose} />
      </Suspense>
    </Card>
  );
}

function toChoices(tabs: readonly Tab[]) {
  return tabs.map(({ id, label }) => ({ value: id, label }));
}

const MEASURE_CHOICES = Object.entries(MEASURES).map(([name, { label }]) => {
  return { value: name as MeasureName, label };
});

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
        <Inline as="p" style={{ padding: '0 16px' }}>
          <Words as="b" look="broken">
            {property}
          </Words>
          <button type="button" className={wordsClass('soft')} onClick={() => choose('')}>
            All properties
          </button>
        </Inline>
      )}
      <RowsPanel key={property} {...props} dimension={dimensionOf(props.choice.tab, property)} />
    </>
  );
}
