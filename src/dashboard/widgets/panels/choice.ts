import type { MouseEvent } from 'react';
import { COST_DIMENSIONS } from '#contract/reports/catalog.ts';
import { useParams, useTexts, useView, type View } from '../../address/address.ts';
import { filterBy } from '../../address/filters.ts';
import { useSite, type ViewedSite } from '../../api/account.ts';
import { PROPERTY_NAMES } from '../../format/dimensions.ts';
import type { ShownMetric } from '../../format/metrics.ts';
import { mayShowCosts } from '../figures/card-metrics.ts';
import type { PanelPlan, Tab } from './tabs.ts';

/** A panel's state: `tab=sources,conversions,visitors,asc` in the URL. */
export type PanelChoice = {
  readonly tab: Tab;
  readonly measure: MeasureName;
  /** The metric rows are sorted by. */
  readonly sort: string;
  readonly direction: 'asc' | 'desc';
};

/** Finds a panel's state among those of all panels; missing or invalid parts get defaults. */
export function parseChoice(panel: PanelPlan, texts: readonly string[]): PanelChoice {
  const parts = texts.map((text) => text.split(',')).find((each) => tabOf(panel, each[0]));
  const [id, name = '', sort = '', direction] = parts ?? [];
  const measure: MeasureName = Object.hasOwn(MEASURES, name) ? (name as MeasureName) : 'revenue';
  const { metrics, main } = measureOf(measure);
  return {
    tab: tabOf(panel, id) ?? panel.tabs[0],
    measure,
    sort: metrics.find((metric) => metric === sort) ?? main,
    direction: direction === 'asc' ? 'asc' : 'desc',
  };
}

/** All panels' states after one changes; default states are omitted. */
export function writeChoice(
  panel: PanelPlan,
  choice: PanelChoice,
  texts: readonly string[],
): readonly string[] {
  const others = texts.filter((text) => tabOf(panel, text.split(',')[0]) === undefined);
  const { tab, measure, sort, direction } = choice;
  const isSorted = sort !== measureOf(measure).main || direction === 'asc';
  const parts = [
    tab.id,
    ...(isSorted || measure !== 'revenue' ? [measure] : []),
    ...(isSorted ? [sort] : []),
    ...(direction === 'asc' ? [direction] : []),
  ];
  const isDefault = parts.length === 1 && tab === panel.tabs[0];
  return isDefault ? others : [...others, parts.join(',')];
}

/** The panel under another measure, in that measure's order. */
export function measureBy(choice: PanelChoice, measure: MeasureName): PanelChoice {
  return { ...choice, measure, sort: measureOf(measure).main, direction: 'desc' };
}

function tabOf(panel: PanelPlan, id: string | undefined): Tab | undefined {
  return panel.tabs.find((tab) => tab.id === id);
}

/** What a panel compares: its columns and their bars. */
export type Measure = {
  readonly label: string;
  /** The columns; the first is the pale bar. */
  readonly metrics: readonly [ShownMetric, ShownMetric, ShownMetric];
  /** Short column headers. */
  readonly heads: readonly [string, string, string];
  /** The default sort column. */
  readonly main: ShownMetric;
  /** The second bar. */
  readonly bar?: 'money' | 'count';
};

/** What panels can compare, by the name in the URL. */
export const MEASURES = {
  revenue: {
    label: 'Revenue',
    metrics: ['visitors', 'revenue', 'revenue_per_visitor'],
    heads: ['Visitors', 'Revenue', 'Per visitor'],
    main: 'revenue',
    bar: 'money',
  },
  spend: {
    label: 'Spend',
    metrics: ['cost', 'revenue', 'roas'],
    heads: ['Cost', 'Revenue', 'ROAS'],
    main: 'cost',
    bar: 'money',
  },
  conversions: {
    label: 'Conversions',
    metrics: ['visitors', 'conversions', 'conversion_rate'],
    heads: ['Visitors', 'Conversions', 'Rate'],
    main: 'conversions',
    bar: 'count',
  },
  clicks: {
    label: 'Clicks',
    metrics: ['visitors', 'events', 'visits'],
    heads: ['Visitors', 'Clicks', 'Visits'],
    main: 'events',
    bar: 'count',
  },
  visitors: {
    label: 'Visitors',
    metrics: ['visitors', 'pageviews', 'bounce_rate'],
    heads: ['Visitors', 'Pageviews', 'Bounce'],
    main: 'visitors',
  },
} as const satisfies Readonly<Record<string, Measure>>;

/** One of {@link MEASURES}. */
export type MeasureName = keyof typeof MEASURES;

/** A measure by name. */
export function measureOf(name: MeasureName): Measure {
  return MEASURES[name];
}

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
  const [, set] = useTexts();
  const [, chooseProperty] = useProperty();
  if (dimension === PROPERTY_NAMES) {
    return { onClick: (name) => () => chooseProperty(name), hint: 'Click: its values.' };
  }
  return {
    onClick: (value) => (event) => {
      const filters = filterBy(view.filters, event.altKey ? 'is_not' : 'is', dimension, value);
      change({ panel: '', filters });
      set({ search: '', order: '' }, { replace: true }); // Of the rows in full, which are closed.
    },
    hint: 'Click: only this. Alt-click: all but this.',
  };
}
