import type { MouseEvent } from 'react';
import { COST_DIMENSIONS } from '#contract/reports/catalog.ts';
import { useParams, useTexts, useView, type View } from '../../address/address.ts';
import { filterBy } from '../../address/filters.ts';
import { useSite, type ViewedSite } from '../../api/account.ts';
import { PROPERTY_NAMES } from '../../format/dimensions.ts';
import { mayShowCosts } from '../figures/card-metrics.ts';
import {
  MEASURES,
  type MeasureName,
  measureBy,
  type PanelChoice,
  parseChoice,
  writeChoice,
} from './choice.ts';
import type { PanelPlan, Tab } from './tabs.ts';

/** A panel's state in the URL, and how to set it. */
export function useChoice(panel: PanelPlan): readonly [PanelChoice, (choice: PanelChoice) => void] {
  const [params, setParams] = useParams();
  const [view] = useView();
  const site = useSite();
  const choose = (choice: PanelChoice) =>
    setParams(
      (now) => {
        const changed = new URLSearchParams(now);
        changed.delete('tab');
        for (const text of writeChoice(panel, choice, now.getAll('tab'))) {
          changed.append('tab', text);
        }
        return changed;
      },
      { replace: true },
    );
  const choice = parseChoice(panel, params.getAll('tab'));
  if (measuresOf(site, view, choice.tab).includes(choice.measure)) return [choice, choose];
  const instead = CLICKED.includes(choice.tab.dimension)
    ? 'clicks'
    : choice.tab.dimension === 'event:goal'
      ? 'conversions'
      : 'visitors';
  return [measureBy(choice, site.has_payments ? 'revenue' : instead), choose];
}

/** What a panel can compare: money only of a site that has some, and costs by what a cost has. */
export function measuresOf(
  site: ViewedSite,
  view: View,
  { dimension }: Tab,
): readonly MeasureName[] {
  const hasCosts = COST_DIMENSIONS.includes(dimension) && mayShowCosts(site, view);
  const names = Object.keys(MEASURES) as MeasureName[];
  const isClicked = CLICKED.includes(dimension);
  return names.filter((name) => {
    if (name === 'revenue') return site.has_payments;
    if (name === 'spend') return hasCosts;
    return (name === 'clicks') === isClicked;
  });
}

/** What clicks lead to: they are counted, not the pages or conversions of those who clicked. */
const CLICKED: readonly string[] = ['event:outbound', 'event:download'];

/** The event property shown by the properties panel, and how to choose one. */
export function useProperty(): readonly [string, (name: string) => void] {
  const [params, set] = useTexts();
  const choose = (name: string) => set({ property: name }, { replace: true });
  const name = params.get('property') ?? '';
  return [/^[a-z0-9_-]{1,64}$/.test(name) ? name : '', choose];
}

/** What the parts of a panel need to know and do. */
export type PanelProps = {
  readonly choice: PanelChoice;
  readonly onChoose: (choice: PanelChoice) => void;
};

type RowClick = {
  readonly onClick: (value: string) => (event: MouseEvent) => void;
  /** What a click does, shown on hover. */
  readonly hint: string;
};

/** Clicking a row filters by it, Alt-clicking excludes it; clicking a property's name shows its values. */
export function useRowClick(dimension: string): RowClick {
  const [view, change] = useView();
  const [, chooseProperty] = useProperty();
  if (dimension === PROPERTY_NAMES) {
    return { onClick: (name) => () => chooseProperty(name), hint: 'Click: its values.' };
  }
  return {
    onClick: (value) => (event) =>
      change({
        panel: '',
        filters: filterBy(view.filters, event.altKey ? 'is_not' : 'is', dimension, value),
      }),
    hint: 'Click: only this. Alt-click: all but this.',
  };
}
