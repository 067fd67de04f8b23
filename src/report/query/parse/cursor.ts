import { createHash } from 'node:crypto';
import type { Fault } from '#contract/fault.ts';
import type { Query as SentQuery } from '#contract/query.ts';
import { isStorable } from '#domain/time/parse-period.ts';
import type { Period } from '#domain/time/period.ts';
import type { Query } from '../query.ts';
import type { WarehouseRow } from '../shape/to-answer-row.ts';

/** Where a page ends: the query's period at the time, and the last row's position in the order. */
export type Cursor = {
  readonly startsAt: number;
  readonly endsAt: number;
  /** The row's values, in the query's order. */
  readonly after: readonly (string | null)[];
};

const PATH = '/pagination/cursor';

/**
 * Writes the cursor that callers get, for the last row of a page.
 *
 * Why it contains the period: `today` may be yesterday by the next page, and pages of two different queries do not
 * fit together. Why the row's values and not its number: rows added or removed before it then shift nothing.
 */
export function toCursor(sent: SentQuery, query: Query, last: WarehouseRow): string {
  const after = query.order.map(({ by }) => {
    const metric = query.metrics.findIndex(({ name }) => name === by.name);
    const dimension = query.dimensions.findIndex(({ name }) => name === by.name);
    const value = metric >= 0 ? last[`t${metric}`] : last[`d${dimension}`];
    return value == null ? null : String(value);
  });
  return writeCursor(sameOf(sent), query.period, after);
}

/** Reads the cursor of a query, if it has one. Notes a fault and returns `undefined` if invalid. */
export function parseCursor(sent: SentQuery, faults: Fault[]): Cursor | undefined {
  const { cursor, offset } = sent.pagination ?? {};
  if (cursor === undefined || offset === undefined) return readCursor(cursor, sameOf(sent), faults);
  faults.push({ path: PATH, message: 'Give either cursor or offset, not both.' });
  return undefined;
}

/** A cursor for any kind of query: `same` is what its pages share. */
export function writeCursor(
  same: unknown,
  { startsAt, endsAt }: Pick<Period, 'startsAt' | 'endsAt'>,
  after: Cursor['after'],
): string {
  return Buffer.from(JSON.stringify([digestOf(same), startsAt, endsAt, ...after])).toString(
    'base64url',
  );
}

/**
 * Reads a cursor, if any, that {@link writeCursor} wrote for the same query. Notes a fault and returns `undefined` if
 * invalid.
 */
export function readCursor(
  text: string | undefined,
  same: unknown,
  faults: Fault[],
  path = PATH,
): Cursor | undefined {
  if (text === undefined) return undefined;
  const [digest, startsAt, endsAt, ...after] = parseList(text);
  const isPeriod =
    isWhole(startsAt) && isWhole(endsAt) && startsAt < endsAt && isStorable({ startsAt, endsAt });
  // Anyone can write a cursor.
  if (digest === digestOf(same) && isPeriod && after.every(isTextOrNull)) {
    return { startsAt, endsAt, after };
  }
  const message = 'This is not a cursor of this query: send next_cursor with the same query.';
  faults.push({ path, message });
  return undefined;
}

function isWhole(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || typeof value === 'string';
}

/** The period in a cursor; without a cursor, the period itself. */
export function periodOf(cursor: Cursor | undefined, period: Period): Period {
  return cursor ? { ...period, startsAt: cursor.startsAt, endsAt: cursor.endsAt } : period;
}

function parseList(text: string): unknown[] {
  try {
    const list: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    return Array.isArray(list) ? list : [];
  } catch {
    return [];
  }
}

/** What the pages of one query share. */
function sameOf({ pagination: _page, include: _include, ...query }: SentQuery): unknown {
  return query;
}

function digestOf(same: unknown): string {
  return createHash('sha256').update(JSON.stringify(same)).digest('base64url').slice(0, 16);
}
