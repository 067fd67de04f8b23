import { NONE } from '#domain/row-labels.ts';

/**
 * Our names of metrics and dimensions, by the names of Plausible's Stats API v2 that differ.
 *
 * - Source: https://plausible.io/docs/stats-api; docs/metrics.md, *Coming from Plausible*.
 */
const OWN_NAMES: ReadonlyMap<string, string> = new Map([
  ['total_revenue', 'revenue'],
  ['average_revenue', 'average_order_value'],
  ['group_conversion_rate', 'conversion_rate'],
  ['time_on_page', 'engagement_time'],
  ['visit:utm_source', 'visit:source'],
  ['visit:utm_medium', 'visit:medium'],
  ['visit:utm_campaign', 'visit:campaign'],
  ['visit:utm_term', 'visit:term'],
  ['visit:utm_content', 'visit:content'],
  ['visit:region_name', 'visit:region'],
  ['visit:city_name', 'visit:city'],
  ['visit:screen', 'visit:device'],
]);

/** Our name for a metric or dimension that may have Plausible's name. */
export function toOwnName(name: string): string {
  return OWN_NAMES.get(name) ?? name;
}

const INSTEAD: ReadonlyMap<string, string> = new Map([
  ['segment', 'A segment cannot be a filter: write the segment’s own filters.'],
  ['event:name', 'Filter by event:goal for a goal, or query the metric pageviews.'],
  ['visit:entry_page_hostname', 'Write event:hostname.'],
  ['visit:exit_page_hostname', 'Write event:hostname.'],
]);

/** Advice for a dimension that only Plausible has; else empty. */
export function insteadOf(name: string): string {
  const isProperty = /^event:props:./.test(name);
  return isProperty
    ? 'The name of a property has lower-case letters, digits, "_" and "-" only.'
    : (INSTEAD.get(name) ?? '');
}

/** Our values by Plausible's. */
const OWN_VALUES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'visit:source': { 'Direct / None': 'Direct' },
  'visit:os': {
    Mac: 'macOS',
    'GNU/Linux': 'Linux',
    Ubuntu: 'Linux',
    Debian: 'Linux',
    Fedora: 'Linux',
    iPadOS: 'iOS',
  },
  'visit:browser': {
    'Microsoft Edge': 'Edge',
    'Samsung Browser': 'Samsung Internet',
    'DuckDuckGo Privacy Browser': 'DuckDuckGo',
  },
  'visit:device': {
    Desktop: 'desktop',
    Laptop: 'desktop',
    'Ultra-wide': 'desktop',
    Mobile: 'mobile',
    Tablet: 'tablet',
  },
  'visit:country_name': {
    'United States of America': 'United States',
    'United Kingdom of Great Britain and Northern Ireland': 'United Kingdom',
    'Czech Republic': 'Czechia',
    'Korea, Republic of': 'South Korea',
    'Russian Federation': 'Russia',
    Turkey: 'Türkiye',
    'Viet Nam': 'Vietnam',
  },
};

/** Translates a filter's value of a dimension to our value. */
export function toOwnValue(named: string, value: string): string {
  const dimension = toOwnName(named);
  if (value === '') return /source$|channel$/.test(dimension) ? 'Direct' : NONE;
  if (dimension === 'event:goal') return value.toLowerCase(); // Goal names are lower case.
  if (dimension.endsWith('_version')) return value.replace(/\.0$/, ''); // `146.0`
  const own = OWN_VALUES[dimension] ?? {};
  return Object.hasOwn(own, value) ? (own[value] as string) : value;
}

/** Names of goals that Plausible's script sends by itself. */
const AUTOMATIC_GOAL = /^(?:Outbound Link: Click|Cloaked Link: Click|File Download)$/i;

/** Advice for values that only Plausible has; undefined if they may be ours. */
export function insteadOfValues(named: string, values: readonly unknown[]): string | undefined {
  const dimension = toOwnName(named);
  const page = values.find((value) => dimension === 'event:goal' && /^Visit \//.test(`${value}`));
  if (page !== undefined) return insteadOfPageGoal(`${page}`.slice('Visit '.length));
  if (dimension === 'event:goal' && values.some((value) => AUTOMATIC_GOAL.test(`${value}`))) {
    return 'Tributary does not record clicks on links and files as goals: query the metric events, or send a goal of your own.';
  }
  if (dimension === 'visit:city' && values.some((value) => /^\d+$/.test(`${value}`))) {
    return 'Cities are named, not numbered: ["is", "visit:city", ["Berlin"]].';
  }
  const isCode = (value: unknown) => /^[A-Z]{2}-[A-Z\d]{1,3}$/.test(`${value}`);
  if (dimension !== 'visit:region' || !values.some(isCode)) return undefined;
  return 'Regions are named, not coded: ["is", "visit:region", ["Bavaria"]].';
}

/** Plausible treats views of a page, or of pages below a path, as a goal. */
function insteadOfPageGoal(page: string): string {
  const operator = page.includes('*') ? 'matches_wildcard' : 'is';
  const pattern = page.replaceAll(/\*+/g, '**'); // Plausible's single star also matches slashes.
  const filter = JSON.stringify([operator, 'event:page', [pattern]]);
  return `Tributary does not record pages as goals: write ${filter}.`;
}
