import { SHARE_PANELS } from '#contract/sites/share.ts';
import type { Shared, ViewedSite } from '../../api/account.ts';
import { PROPERTY, PROPERTY_NAMES, type ViewFilter } from '../../format/dimensions.ts';

/** A breakdown of the period, as a tab of a panel. */
export type Tab = {
  /** Its name in the URL. */
  readonly id: string;
  readonly label: string;
  /** The query API dimension of its rows. */
  readonly dimension: string;
  readonly kind: 'rows' | 'map' | 'property' | 'hours' | 'bots' | 'funnels';
  /** Whether a menu offers it, beside the tabs. */
  readonly isRare?: boolean;
  /** The row for missing values. */
  readonly none?: string;
  /** The empty state: what would fill it. */
  readonly empty: string;
};

/** Tabs that share a card; the first one is open by default. */
export type PanelPlan = { readonly name: string; readonly tabs: readonly [Tab, ...Tab[]] };

const NO_VISITS = 'No visits match. Choose a longer period or remove a filter.';

const rows = (id: string, label: string, dimension: string, more: Partial<Tab> = {}): Tab => ({
  ...{ id, label, dimension, kind: 'rows', empty: NO_VISITS },
  ...more,
});

/** The overview's panels, in order. */
export const PANELS: readonly PanelPlan[] = [
  {
    name: 'Where visitors come from',
    tabs: [
      rows('channels', 'Channels', 'visit:channel'),
      rows('sources', 'Sources', 'visit:source'),
      rows('campaigns', 'Campaigns', 'visit:campaign', {
        none: 'No campaign',
        empty: 'Campaigns appear here once somebody follows a link with utm_campaign.',
      }),
      rows('referrers', 'Referrers', 'visit:referrer', { none: 'No referrer' }),
      rows('mediums', 'Mediums', 'visit:medium', { isRare: true, none: 'No medium' }),
      rows('contents', 'Contents', 'visit:content', { isRare: true, none: 'No content' }),
      rows('terms', 'Terms', 'visit:term', { isRare: true, none: 'No term' }),
    ],
  },
  {
    name: 'Pages',
    tabs: [
      rows('pages', 'Pages', 'event:page'),
      rows('entry', 'Entry pages', 'visit:entry_page', { none: 'No page' }),
      rows('exit', 'Exit pages', 'visit:exit_page', { none: 'No page' }),
      rows('hosts', 'Hosts', 'event:hostname', { isRare: true }),
      rows('outbound', 'Outbound links', 'event:outbound', {
        isRare: true,
        empty: 'Links to other sites appear here once somebody follows one.',
      }),
      rows('downloads', 'Downloads', 'event:download', {
        isRare: true,
        empty: 'Files appear here once somebody downloads one.',
      }),
    ],
  },
  {
    name: 'Locations',
    tabs: [
      rows('countries', 'Countries', 'visit:country', { none: 'Unknown' }),
      rows('map', 'Map', 'visit:country', { kind: 'map' }),
      rows('regions', 'Regions', 'visit:region', { none: 'Unknown' }),
      rows('cities', 'Cities', 'visit:city', { none: 'Unknown' }),
    ],
  },
  {
    name: 'Goals',
    tabs: [
      rows('goals', 'Goals', 'event:goal', {
        empty:
          "Goals appear here once one is reached. Send one from a page with tributary('goal', 'signup').",
      }),
      rows('properties', 'Properties', '', {
        kind: 'property',
        none: '(none)',
        empty:
          "Properties of goals appear here. Send one with tributary('goal', 'signup', { plan: 'pro' }).",
      }),
      rows('funnels', 'Funnels', '', {
        kind: 'funnels',
        empty: 'Funnels that are saved appear here.',
      }),
    ],
  },
  {
    name: 'Devices',
    tabs: [
      rows('devices', 'Devices', 'visit:device', { none: 'Unknown' }),
      rows('browsers', 'Browsers', 'visit:browser', { none: 'Unknown' }),
      rows('systems', 'Systems', 'visit:os', { none: 'Unknown' }),
      rows('screens', 'Screens', 'visit:screen_size', { isRare: true, none: 'Unknown' }),
      rows('languages', 'Languages', 'visit:language', { isRare: true, none: 'Unknown' }),
    ],
  },
  {
    name: 'Hours and bots',
    tabs: [
      rows('hours', 'Hours of the week', 'time:hour', { kind: 'hours' }),
      rows('bots', 'Bots & dropped', 'visit:bot_class', {
        kind: 'bots',
        empty: 'No bots and no dropped events in this period.',
      }),
    ],
  },
];

/** The panels shown for a site: a shared link lists its tabs. */
export function panelsOf({ shared }: Pick<ViewedSite, 'shared'>): readonly PanelPlan[] {
  if (shared === undefined) return PANELS;
  const shown: readonly string[] = shared.panels;
  const isShown = ({ id }: Tab) => shown.includes(id === 'map' ? 'countries' : id);
  return PANELS.flatMap((panel) => {
    const [first, ...others] = panel.tabs.filter(isShown);
    return first === undefined ? [] : [{ ...panel, tabs: [first, ...others] }];
  });
}

/** The tab with this name, if any. */
export function findTab(panels: readonly PanelPlan[], id: string): Tab | undefined {
  return panels.flatMap(({ tabs }) => tabs).find((tab) => tab.id === id);
}

/** Whether a tab has rows that open in full. */
export function hasDetails({ kind }: Tab): boolean {
  return kind === 'rows' || kind === 'map' || kind === 'property';
}

/** The dimension of a tab's rows: property names until one is chosen, then its values. */
export function dimensionOf(tab: Tab, property: string): string {
  if (tab.kind !== 'property') return tab.dimension;
  return property === '' ? PROPERTY_NAMES : `${PROPERTY}${property}`;
}

/** Whether a shared link answers with this filter: by what its panels show, and not by what visitors have done. */
export function isShownFilter({ panels }: Pick<Shared, 'panels'>, filter: ViewFilter): boolean {
  const { operator, dimension } = filter;
  if (operator === 'has_done' || operator === 'has_not_done') return false;
  if (dimension === 'visit:country_name') return panels.includes('countries');
  return panels.some((panel) => {
    const shown: readonly string[] = SHARE_PANELS[panel];
    return shown.includes(dimension);
  });
}
