import { MEASURES, type MeasureName, measureOf } from './measures.ts';
import type { PanelPlan, Tab } from './tabs.ts';

/** A panel's state: `tab=sources,conversions,visitors,asc` in the URL. */
export type Choice = {
  readonly tab: Tab;
  readonly measure: MeasureName;
  /** The metric rows are sorted by. */
  readonly sort: string;
  readonly direction: 'asc' | 'desc';
};

/** Finds a panel's state among those of all panels; missing or invalid parts get defaults. */
export function parseChoice(panel: PanelPlan, texts: readonly string[]): Choice {
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
  choice: Choice,
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

/** The order after a click on a column header: descending first, then reversed. */
export function sortBy(choice: Choice, metric: string): Choice {
  const isAgain = choice.sort === metric;
  return {
    ...choice,
    sort: metric,
    direction: isAgain && choice.direction === 'desc' ? 'asc' : 'desc',
  };
}

/** The panel under another measure, in that measure's order. */
export function measureBy(choice: Choice, measure: MeasureName): Choice {
  return { ...choice, measure, sort: measureOf(measure).main, direction: 'desc' };
}

function tabOf(panel: PanelPlan, id: string | undefined): Tab | undefined {
  return panel.tabs.find((tab) => tab.id === id);
}
