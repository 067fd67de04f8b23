import { useCallback, useMemo } from 'react';
import { useLocation } from 'wouter';
import { useSearch } from 'wouter/use-browser-location';
import { joinByComma, searchOf } from '#contract/reports/address-text.ts';
import { ATTRIBUTION_MODELS } from '#domain/attribution/models.ts';
import { FILTER_OPERATORS, type ViewFilter } from '../format/dimensions.ts';
import { isMetric } from '../format/metrics.ts';
import { isFilterDimension } from './filters.ts';
import { nameEncodedTurns } from './name-turns.ts';
import { withTexts } from './params.ts';

// The router's own hook decodes the address, and URLSearchParams would decode it again.

/** What the page shows; all of it is in the URL. */
export type View = {
  /** A query API keyword, or `custom` with `from` and `to`. */
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
  readonly filters: readonly ViewFilter[];
  /** The metric the chart draws as a line. */
  readonly metric: string;
  /** The panel shown in full, by its tab: `sources`. */
  readonly panel: string;
};

/** The view of a URL without parameters. */
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

type TextField = Exclude<keyof View, 'filters'>;

const TEXT_FIELDS = Object.keys(DEFAULT_VIEW).filter(
  (name): name is TextField => name !== 'filters',
);

/** Whether a field's text is valid; what uses `by` and `panel` knows their values. */
const IS_VALID: Partial<Record<TextField, (text: string) => boolean>> = {
  period: isPeriod,
  from: isDay,
  to: isDay,
  compare: (text) => /^(previous|year|off)$/.test(text) || isDays(text.split('..')),
  model: (text) => ATTRIBUTION_MODELS.some((model) => model === text),
  window: (text) => text === 'all' || isCount(text, 730),
  metric: isMetric,
};

/** The view in a URL's parameters, with defaults for what is missing or invalid. */
export function parseView(params: URLSearchParams): View {
  const texts = Object.fromEntries(
    TEXT_FIELDS.map((name) => {
      const text = params.get(name) ?? '';
      const isValid = text !== '' && (IS_VALID[name]?.(text) ?? true);
      return [name, isValid ? text : DEFAULT_VIEW[name]];
    }),
  ) as Record<TextField, string>;
  const hasDays = isDays([texts.from, texts.to]);
  const isBroken = texts.period === 'custom' && !hasDays;
  return {
    ...DEFAULT_VIEW,
    ...texts,
    ...(hasDays && !params.has('period') && { period: 'custom' }),
    ...(isBroken && { period: DEFAULT_VIEW.period, from: '', to: '' }),
    filters: params.getAll('f').flatMap((text) => parseKnownFilter(text) ?? []),
  };
}

/** The filters of a URL's parameters that {@link parseView} ignores, as they are written. */
export function ignoredFilters(params: URLSearchParams): readonly string[] {
  return params.getAll('f').filter((text) => parseKnownFilter(text) === undefined);
}

/** The choices of a URL's parameters that {@link parseView} ignores, as they are written. */
export function ignoredChoices(params: URLSearchParams): readonly string[] {
  return (['compare', 'model', 'window', 'metric'] as const).flatMap((name) => {
    const text = params.get(name) ?? '';
    return text === '' || IS_VALID[name]?.(text) ? [] : [`${name}=${text}`];
  });
}

/** The period of a URL's parameters, as it is written, where {@link parseView} ignores it. */
export function ignoredPeriod(params: URLSearchParams): readonly string[] {
  const written = (names: readonly string[]) =>
    names.flatMap((name) => (params.get(name) ? [`${name}=${params.get(name)}`] : []));
  const period = params.get('period') || 'custom';
  if (!isPeriod(period)) return written(['period']);
  const hasDays = isDays([params.get('from') ?? '', params.get('to') ?? '']);
  return period === 'custom' && !hasDays ? written(['period', 'from', 'to']) : [];
}

/** The shortest equivalent parameters, plus the unrelated ones. */
export function writeView(view: View, others: URLSearchParams): URLSearchParams {
  const params = new URLSearchParams(others);
  for (const name of TEXT_FIELDS) {
    const isUnused = (name === 'from' || name === 'to') && view.period !== 'custom';
    if (view[name] === DEFAULT_VIEW[name] || isUnused) params.delete(name);
    else params.set(name, view[name]);
  }
  params.delete('f');
  for (const filter of view.filters) params.append('f', writeFilter(filter));
  return params;
}

/** Parses `is,visit:source,Google` as a filter; undefined when invalid. A backslash escapes commas in values. */
export function parseFilter(text: string): ViewFilter | undefined {
  const [operator, dimension, ...values] = splitByComma(text);
  const known = FILTER_OPERATORS.find((each) => each === operator);
  if (known === undefined || dimension === undefined || !/^\w+:[^,]+$/.test(dimension)) return;
  return values.length === 0 ? undefined : { operator: known, dimension, values };
}

/** A filter that the API answers: an unknown one would replace every figure by an error. */
function parseKnownFilter(text: string): ViewFilter | undefined {
  const filter = parseFilter(text);
  if (filter === undefined || !isFilterDimension(filter.dimension)) return undefined;
  const isDone = filter.operator === 'has_done' || filter.operator === 'has_not_done';
  return isDone && !filter.dimension.startsWith('event:') ? undefined : filter;
}

/** The inverse of {@link parseFilter}. */
export function writeFilter({ operator, dimension, values }: ViewFilter): string {
  return joinByComma([operator, dimension, ...values]);
}

function splitByComma(text: string): string[] {
  const parts = [''];
  for (let at = 0; at < text.length; at++) {
    if (text[at] === ',') parts.push('');
    else parts[parts.length - 1] += (text[at] === '\\' ? text[++at] : text[at]) ?? '';
  }
  return parts;
}

/** Whether the API knows the period, or the dashboard turns it into days. */
function isPeriod(text: string): boolean {
  if (/^(day|today|yesterday|24h|month|last_month|year|all|custom)$/.test(text)) return true;
  const [, count = '', unit] = /^(\d+)(d|mo)$/.exec(text) ?? [];
  return isCount(count, unit === 'd' ? 3660 : 120);
}

function isCount(text: string, max: number): boolean {
  return /^[1-9]\d{0,3}$/.test(text) && Number(text) <= max;
}

function isDays([from = '', to = '', ...others]: readonly string[]): boolean {
  return isDay(from) && isDay(to) && from <= to && others.length === 0;
}

/** Whether it is a day of the years that can be stored; `Date.parse` takes 31 February for 3 March. */
function isDay(text: string): boolean {
  const at = Date.parse(`${text}T00:00:00Z`);
  if (Number.isNaN(at) || text <= '1970-01-01' || text >= '2201') return false;
  return new Date(at).toISOString().startsWith(`${text}T`);
}

/** `replace` adds no entry to the browser's history. */
type ChangeOptions = { readonly replace?: boolean };
/** Changes the view. */
export type ChangeView = (change: Partial<View>, options?: ChangeOptions) => void;
/** Changes the URL's parameters. */
type ChangeParams = (
  change: (now: URLSearchParams) => URLSearchParams,
  options?: ChangeOptions,
) => void;

/** The URL's parameters, decoded once, and how to change them; batched changes add up. */
export function useParams(): readonly [URLSearchParams, ChangeParams] {
  const search = useSearch();
  const [, navigate] = useLocation();
  const params = useMemo(() => new URLSearchParams(nameEncodedTurns(search)), [search]);
  const change = useCallback<ChangeParams>(
    (toChanged, options = {}) => {
      const now = new URLSearchParams(location.search);
      const text = searchOf(toChanged(now));
      // Going back leads to another view, not to the same again.
      if (text !== searchOf(now)) navigate(`${location.pathname}${text}`, options);
    },
    [navigate],
  );
  return [params, change];
}

/** A part of the URL as a value, and how to change it. */
export function usePart<Value>(
  parse: (params: URLSearchParams) => Value,
  write: (value: Value, others: URLSearchParams) => URLSearchParams,
) {
  const [params, setParams] = useParams();
  const value = useMemo(() => parse(params), [parse, params]);
  const change = useCallback(
    (changed: Partial<Value>, options: ChangeOptions = {}) =>
      setParams((now) => write({ ...parse(now), ...changed }, now), options),
    [parse, write, setParams],
  );
  return [value, change] as const;
}

/** The view in the URL, and how to change it. */
export function useView(): readonly [View, ChangeView] {
  return usePart(parseView, writeView);
}

/** The URL's parameters, and how to set some of them; an empty text removes one. */
export function useTexts() {
  const [params, setParams] = useParams();
  const change = (texts: Readonly<Record<string, string>>, options?: ChangeOptions) =>
    setParams((now) => withTexts(now, texts), options);
  return [params, change] as const;
}

/** The parameters that links between pages keep, and `more`. */
export function keptSearch(view: View, more: Readonly<Record<string, string>> = {}): string {
  return searchOf(writeView({ ...view, panel: '' }, new URLSearchParams(more)));
}
