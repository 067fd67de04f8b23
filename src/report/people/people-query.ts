import type { Fault } from '#contract/fault.ts';
import {
  PEOPLE_ROWS,
  type PeopleOrder,
  type PeopleQuery as SentPeopleQuery,
} from '#contract/people.ts';
import type { Query as SentQuery } from '#contract/query.ts';
import { ok, type Result, refuse } from '#domain/result.ts';
import type { ReportSite } from '../ports.ts';
import { periodOf, readCursor } from '../query/parse/cursor.ts';
import type { Clock } from '../query/parse/parse-fields.ts';
import { parseQuery } from '../query/parse/parse-query.ts';
import type { Query } from '../query/query.ts';
import type { Refusal } from '../refusal.ts';

/** Whether visitors are listed, or the persons who they are. */
export type PeopleKind = 'visitor' | 'person';

/** Whether the asker may see e-mail addresses and names, and search by them. */
export type Sight = { readonly isPersonal: boolean };

/** A query for a list of people that was parsed. */
export type PeopleQuery = {
  readonly of: PeopleKind;
  readonly query: Query;
  readonly order: readonly [PeopleOrder, 'asc' | 'desc'];
  readonly limit: number;
  /** The row that the page before ended with. */
  readonly after: PeoplePlace | undefined;
};

/** A row's place in the order of a list. */
export type PeoplePlace = {
  readonly isNull: string;
  readonly sortKey: string;
  readonly who: string;
};

/** What a list is counted from: so that filters without a meaning for one of these are refused. */
const METRICS = ['visits', 'pageviews', 'conversions', 'revenue', 'payments'];

/** The query that a query means. Refuses what the query language refuses, and other cursors. */
export function parsePeopleQuery(
  of: PeopleKind,
  asked: SentPeopleQuery,
  site: ReportSite,
  clock: Clock,
): Result<PeopleQuery, Refusal> {
  const query = parseQuery(toQuery(asked), site, clock);
  const cursor = parsePlace(of, asked);
  const faults: Fault[] = [
    ...(query.ok ? [] : withoutMetrics(query.error.details)),
    ...(cursor.ok ? [] : [cursor.error]),
  ];
  if (!query.ok || !cursor.ok) return refuse({ type: 'invalid_request', details: faults });
  const { value } = query;
  return ok({
    of,
    query: cursor.value ? { ...value, period: periodOf(cursor.value, value.period) } : value,
    order: asked.order_by?.[0] ?? ['last_seen_at', 'desc'],
    limit: asked.pagination?.limit ?? PEOPLE_ROWS.byDefault,
    after: cursor.value?.place,
  });
}

function toQuery({
  site_id,
  date_range,
  filters,
  timezone,
  attribution,
}: SentPeopleQuery): SentQuery {
  return {
    ...{ site_id, date_range, metrics: METRICS },
    ...(filters !== undefined && { filters }),
    ...(timezone !== undefined && { timezone }),
    ...(attribution !== undefined && { attribution }),
  };
}

/** Lists name no metrics: what does not go with theirs is a filter of payments. */
function withoutMetrics(faults: readonly Fault[]): Fault[] {
  const own = faults.filter(({ path }) => !path.startsWith('/metrics'));
  if (own.length === faults.length) return own;
  const message =
    'People are listed here, who have no payment:*: filter by visit:*, visitor:* or event:*.';
  return [...own, { path: '/filters', message }];
}

function parsePlace(of: PeopleKind, asked: SentPeopleQuery) {
  const text = asked.pagination?.cursor;
  if (text === undefined) return ok(undefined);
  const cursor = readCursor(text, sameOf(of, asked));
  if (!cursor.ok) return cursor;
  const [isNull = '0', sortKey = '0', who = ''] = cursor.value.after.map(String);
  return ok({ ...cursor.value, place: { isNull, sortKey, who } });
}

/** What pages of one list have in common. */
export function sameOf(of: PeopleKind, asked: SentPeopleQuery): unknown {
  const { pagination: _page, include: _include, ...same } = asked;
  return [of, same];
}
