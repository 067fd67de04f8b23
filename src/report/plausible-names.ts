import { NONE } from './dimension.ts';

/**
 * Our names of metrics and dimensions, by those of Plausible's Stats API v2 that differ.
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

/** The name that we have for a metric or dimension that may be named as Plausible does. */
export function toOwnName(name: string): string {
  return OWN_NAMES.get(name) ?? name;
}

const INSTEAD: ReadonlyMap<string, string> = new Map([
  ['segment', 'Segments are not saved here: write the filters of the segment.'],
  ['event:name', 'Filter by event:goal for a goal, or query the metric pageviews.'],
  ['visit:entry_page_hostname', 'Write event:hostname.'],
  ['visit:exit_page_hostname', 'Write event:hostname.'],
]);

/** What to write instead of a dimension that Plausible has and we do not; else empty. */
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

/** What a filter means by a value of a dimension, as our answers have it. */
export function toOwnValue(named: string, value: string): string {
  const dimension = toOwnName(named);
  if (value === '') return /source$|channel$/.test(dimension) ? 'Direct' : NONE;
  if (dimension === 'event:goal') return value.toLowerCase(); // No goal has capitals.
  const own = OWN_VALUES[dimension] ?? {};
  return Object.hasOwn(own, value) ? (own[value] as string) : value;
}

/** What to write instead of values that only Plausible has; `undefined` when they can be ours. */
export function insteadOfValues(named: string, values: readonly unknown[]): string | undefined {
  const dimension = toOwnName(named);
  const page = values.find((value) => dimension === 'event:goal' && /^Visit \//.test(`${value}`));
  if (page !== undefined) return insteadOfPageGoal(`${page}`.slice('Visit '.length));
  if (dimension === 'visit:city' && values.some((value) => /^\d+$/.test(`${value}`))) {
    return 'Cities have names here, no numbers: ["is", "visit:city", ["Berlin"]].';
  }
  const isCode = (value: unknown) => /^[A-Z]{2}-[A-Z\d]{1,3}$/.test(`${value}`);
  if (dimension !== 'visit:region' || !values.some(isCode)) return undefined;
  return 'Regions have names here, no codes: ["is", "visit:region", ["Bavaria"]].';
}

/** Plausible calls the views of a page, or of pages below a path, a goal. */
function insteadOfPageGoal(page: string): string {
  const operator = page.includes('*') ? 'matches_wildcard' : 'is';
  const pattern = page.replaceAll(/\*+/g, '**'); // One star of theirs passes slashes.
  const filter = JSON.stringify([operator, 'event:page', [pattern]]);
  return `A page that was shown is no goal here: write ${filter}.`;
}
