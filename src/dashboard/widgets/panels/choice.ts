import type { ShownMetric } from '../../format/metrics.ts';
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
