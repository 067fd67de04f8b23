import { useCallback, useMemo } from 'react';
import { useLocation, useSearch } from 'wouter';

/** One condition on what is shown: an operator of the query API, a dimension, and values. */
export type Filter = {
  readonly operator: FilterOperator;
  readonly dimension: string;
  readonly values: readonly string[];
};

/** The operators that chips offer. */
export const FILTER_OPERATORS = [
  'is',
  'is_not',
  'contains',
  'contains_not',
  'matches_wildcard',
  'matches_wildcard_not',
  'has_done',
  'has_not_done',
] as const;
/** One of {@link FILTER_OPERATORS}. */
export type FilterOperator = (typeof FILTER_OPERATORS)[number];

/** What the page is asked to show; all of it is in the address. */
export type View = {
  /** A word of the query API, or `custom` with `from` and `to`. */
  readonly period: string;
  /** First and last day, `2026-11-01`, when the period is `custom`. */
  readonly from: string;
  readonly to: string;
  /** `previous`, `year`, `off`, or two days such as `2026-10-01..2026-10-31`. */
  readonly compare: string;
  /** The unit of the chart's buckets, or `auto`. */
  readonly by: string;
  readonly model: string;
  /** The lookback window in days, or `all`. */
  readonly window: string;
  readonly filters: readonly Filter[];
  /** The metric that the chart draws as its line. */
  readonly metric: string;
  /** The panel that is open in full, and its tab: `sources`. */
  readonly panel: string;
};

/** What an address without parameters means. */
export const DEFAULT_VIEW: View = {
  period: '30d',
  from: '',
  to: '',
  compare: 'previous',
  by: 'auto',
  model: 'first_touch',
  window: 'all',
  filters: [],
  metric: 'visitors',
  panel: '',
};

const TEXT_FIELDS = [
  'period',
  'from',
  'to',
  'compare',
  'by',
  'model',
  'window',
  'metric',
  'panel',
] as const;

/** What the parameters of an address say; what is missing or broken is as by default. */
export function parseView(params: URLSearchParams): View {
  const texts = Object.fromEntries(
    TEXT_FIELDS.map((name) => [name, params.get(name) || DEFAULT_VIEW[name]]),
  ) as Record<(typeof TEXT_FIELDS)[number], string>;
  const isWhole = isDay(texts.from) && isDay(texts.to) && texts.from <= texts.to;
  const isBroken = texts.period === 'custom' && !isWhole;
  return {
    ...DEFAULT_VIEW,
    ...texts,
    ...(isBroken && { period: DEFAULT_VIEW.period, from: '', to: '' }),
    filters: params.getAll('f').flatMap((text) => parseFilter(text) ?? []),
  };
}

/** The shortest parameters that say the same, beside those that belong to others. */
export function writeView(view: View, others: URLSearchParams): URLSearchParams {
  const params = new URLSearchParams(others);
  for (const name of TEXT_FIELDS) {
    if (view[name] === DEFAULT_VIEW[name]) params.delete(name);
    else params.set(name, view[name]);
  }
  params.delete('f');
  for (const filter of view.filters) params.append('f', writeFilter(filter));
  return params;
}

/** `is,visit:source,Google` as a filter; undefined when it is none. Commas in values have a backslash before them. */
export function parseFilter(text: string): Filter | undefined {
  const [operator, dimension, ...values] = splitByComma(text);
  const known = FILTER_OPERATORS.find((each) => each === operator);
  if (known === undefined || dimension === undefined || !/^\w+:[^,]+$/.test(dimension)) return;
  return values.length === 0 ? undefined : { operator: known, dimension, values };
}

/** The text that {@link parseFilter} reads. */
export function writeFilter({ operator, dimension, values }: Filter): string {
  return [operator, dimension, ...values].map(escapeCommas).join(',');
}

function escapeCommas(text: string): string {
  return text.replace(/[\\,]/g, (character) => `\\${character}`);
}

function splitByComma(text: string): string[] {
  const parts = [''];
  for (let at = 0; at < text.length; at++) {
    if (text[at] === ',') parts.push('');
    else parts[parts.length - 1] += (text[at] === '\\' ? text[++at] : text[at]) ?? '';
  }
  return parts;
}

function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));
}

/** Changes what is shown; `replace` leaves no step in the browser's history. */
export type ChangeView = (change: Partial<View>, options?: { readonly replace?: boolean }) => void;

/** Changes parameters of the address; `replace` leaves no step in the browser's history. */
export type ChangeParams = (
  change: (now: URLSearchParams) => URLSearchParams,
  options?: { readonly replace?: boolean },
) => void;

/** The parameters of the address, and how to change them; several changes at once add up. */
export function useParams(): readonly [URLSearchParams, ChangeParams] {
  const search = useSearch();
  const [, navigate] = useLocation();
  const params = useMemo(() => new URLSearchParams(search), [search]);
  const change = useCallback<ChangeParams>(
    (toChanged, options = {}) => {
      const text = readable(toChanged(new URLSearchParams(location.search)));
      navigate(`${location.pathname}${text === '' ? '' : `?${text}`}`, options);
    },
    [navigate],
  );
  return [params, change];
}

/** What the address asks for, and how to change it. */
export function useView(): readonly [View, ChangeView] {
  const [params, setParams] = useParams();
  const view = useMemo(() => parseView(params), [params]);
  const change = useCallback<ChangeView>(
    (changed, options = {}) =>
      setParams((now) => writeView({ ...parseView(now), ...changed }, now), options),
    [setParams],
  );
  return [view, change];
}

/** The parameters which links between pages of a site carry along. */
export function keptSearch(view: View): string {
  const params = writeView({ ...view, panel: '' }, new URLSearchParams());
  const text = readable(params);
  return text === '' ? '' : `?${text}`;
}

/** Colons, commas and slashes stay as they are: people read addresses. */
export function readable(params: URLSearchParams): string {
  return params.toString().replace(/%(3A|2C|2F)/g, (code) => decodeURIComponent(code));
}
