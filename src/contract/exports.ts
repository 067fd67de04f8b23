import Type, { type Static } from 'typebox';
import { OptionalText } from './text.ts';

/**
 * What a column of an export holds.
 *
 * - Units: instants in UTC; `money` is a decimal text, with its currency in the column beside it; `seconds` have fractions.
 */
export type ExportedKind =
  | 'text'
  | 'instant'
  | 'count'
  | 'seconds'
  | 'credit'
  | 'flag'
  | 'money'
  | 'texts'
  | 'props';

/** The dimensions of visits that exports of visits have as columns, without `visit:`. */
const OF_VISITS = [
  ...['channel', 'source', 'medium', 'campaign', 'term', 'content', 'click_id', 'referrer'],
  ...['entry_page', 'exit_page', 'country', 'region', 'city', 'device', 'browser'],
  ...['browser_version', 'os', 'os_version', 'language', 'screen_size', 'bot', 'bot_class'],
] as const;

/** The columns of each export, in their order. */
export const EXPORT_COLUMNS = {
  events: {
    ...{ event_id: 'text', occurred_at: 'instant', type: 'text' },
    ...{ service_visitor_id: 'text', visit_id: 'text' },
    ...ofText('hostname', 'page', 'title', 'goal', 'outbound', 'download', 'referrer'),
    props: 'props',
    ...ofText('source', 'medium', 'campaign', 'term', 'content', 'click_id', 'click_id_value'),
    ...ofText('country', 'region', 'city', 'device', 'browser', 'browser_version'),
    ...ofText('os', 'os_version', 'language', 'timezone'),
    screen_width: 'count',
    ...{ engagement_time: 'seconds', scroll_depth: 'count' },
    ...ofText('user_id', 'bot', 'bot_class'),
  },
  visits: {
    ...{ visit_id: 'text', visit_started_at: 'instant', last_event_at: 'instant' },
    service_visitor_id: 'text',
    ...{ pageviews: 'count', events: 'count', goals: 'count' },
    ...{ visit_duration: 'seconds', engagement_time: 'seconds' },
    ...ofText(...OF_VISITS),
  },
  payments: {
    ...{ paid_at: 'instant', transaction_id: 'text', state: 'text', status: 'text' },
    ...{ amount: 'money', currency: 'text', refunded: 'money', refunded_at: 'instant' },
    renewal: 'flag',
    ...ofText('channel', 'source'),
    credited_visits: 'count',
    ...ofText('customer_id', 'service_visitor_id', 'subscription_id', 'product', 'provider'),
    ...ofText('email', 'name'),
  },
  persons: {
    ...{ person_id: 'text', visitors: 'texts', user_ids: 'texts' },
    ...{ customer_ids: 'texts', emails: 'texts' },
    ...{ first_seen_at: 'instant', last_seen_at: 'instant' },
    ...{ visits: 'count', pageviews: 'count', conversions: 'credit', payments: 'credit' },
    ...{ revenue: 'money', currency: 'text' },
    ...ofText('first_channel', 'first_source', 'first_campaign'),
    ...ofText('country', 'region', 'city', 'device', 'browser', 'os'),
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, ExportedKind>>>>;

/** What can be exported. */
export type Exported = keyof typeof EXPORT_COLUMNS;
/** All that can be exported. */
export const EXPORTS = Object.keys(EXPORT_COLUMNS) as readonly Exported[];

/** Columns that only those with the scope `visitors:read` get. So are the properties of identify events. */
export const PERSONAL_IN_EXPORTS: ReadonlySet<string> = new Set([
  ...['click_id_value', 'email', 'emails', 'name'],
]);

/** Whether an export has columns that only those with the scope `visitors:read` get. */
export function hasPersonal(content: Exported): boolean {
  return Object.keys(EXPORT_COLUMNS[content]).some((name) => PERSONAL_IN_EXPORTS.has(name));
}

/** The media type of each format. */
export const EXPORT_TYPES = {
  csv: 'text/csv; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
  parquet: 'application/vnd.apache.parquet',
} as const;

/** The format of an export. */
export type ExportFormat = keyof typeof EXPORT_TYPES;
/** All formats of exports. */
export const EXPORT_FORMATS = Object.keys(EXPORT_TYPES) as readonly ExportFormat[];

/** The path of an export. */
export const ExportPath = Type.Object({
  content: Type.Enum([...EXPORTS], { description: 'What to export.' }),
});
export type ExportPath = Static<typeof ExportPath>;

/** The parameters of an export, besides its site. */
export const EXPORT_PARAMS = {
  format: Type.Optional(Type.Enum([...EXPORT_FORMATS], { default: 'csv' })),
  date_range: OptionalText('The period: `30d`, `month`, `all` …; `all` by default.'),
  from: OptionalText('With `to`, instead of `date_range`: the first day or instant.'),
  to: OptionalText('With `from`: the last day, or the instant to stop before.'),
  timezone: OptionalText('An IANA time zone; the site’s own by default.'),
  bots: Type.Optional(
    Type.Enum(['true'], { description: 'Whether events and visits of bots are in it, too.' }),
  ),
};

/** The parameters of an export. */
export const ExportParams = Type.Object({
  site_id: OptionalText('The key’s own site.'),
  ...EXPORT_PARAMS,
});

const File = {
  schema: { type: 'string', description: 'A table with a row of names, or as NDJSON.' },
};

/** A file in any of the formats. */
export const ExportAnswer = Type.Unsafe<unknown>({
  description: 'The file.',
  content: Object.fromEntries(
    Object.values(EXPORT_TYPES).map((type) => [type.split(';')[0], File]),
  ),
});

function ofText<Name extends string>(...names: readonly Name[]): Record<Name, 'text'> {
  return Object.fromEntries(names.map((name) => [name, 'text'])) as Record<Name, 'text'>;
}
