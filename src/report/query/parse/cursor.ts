import { createHash } from 'node:crypto';
import type { Fault } from '#contract/fault.ts';
import type { Query as SentQuery } from '#contract/query.ts';
import type { Query } from '../query.ts';
import type { WarehouseRow } from '../shape/to-answer-row.ts';

/** Where a page ends: when the first page was asked for, and the last row's position in the order. */
export type Cursor = {
  /** Milliseconds since 1970. */
  readonly askedAt: number;
  /** The row's values, in the query's order. */
  readonly after: readonly (string | null)[];
};

const PATH = '/pagination/cursor';

/**
 * Writes the cursor that callers get, for the last row of a page.
 *
 * Why it contains the time and not the period: `today` may be yesterday by the next page, but anyone can write a cursor,
 * so the query alone says what it asks for. Why the row's values and not its number: rows added or removed before it
 * then shift nothing.
 */
export function toCursor(
  sent: SentQuery,
  query: Query,
  { last, now }: { readonly last: WarehouseRow; readonly now: number },
): string {
  const after = query.order.map(({ by }) => {
    const metric = query.metrics.findIndex(({ name }) => name === by.name);
    const dimension = query.dimensions.findIndex(({ name }) => name === by.name);
    const value = metric >= 0 ? last[`t${metric}`] : last[`d${dimension}`];
    return value == null ? null : String(value);
  });
  return writeCursor(sameOf(sent), now, after);
}

/** Reads the cursor of a query, if it has one. Notes a fault and returns `undefined` if invalid. */
export function parseCursor(sent: SentQuery, faults: Fault[]): Cursor | undefined {
  const { cursor, offset } = sent.pagination ?? {};
  if (cursor === undefined || offset === undefined) return readCursor(cursor, sameOf(sent), faults);
  faults.push({ path: PATH, message: 'Give either cursor or offset, not both.' });
  return undefined;
}

/** A cursor for any kind of query: `same` is what its pages share, `now` the time of the first. */
export function writeCursor(same: unknown, now: number, after: Cursor['after']): string {
  return Buffer.from(JSON.stringify([digestOf(same), now, ...after])).toString('base64url');
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
  const [digest, askedAt, ...after] = parseList(text);
  if (digest === digestOf(same) && isTime(askedAt) && after.every(isTextOrNull)) {
    return { askedAt, after };
  }
  const message = 'This is not a cursor of this query: send next_cursor with the same query.';
  faults.push({ path, message });
  return undefined;
}

/** When the first page of a query was asked for; `undefined` if this is the first page. */
export function firstAskedAt(sent: object): number | undefined {
  const { cursor, pagination } = sent as { readonly cursor?: string } & Partial<SentQuery>;
  const [, askedAt] = parseList(pagination?.cursor ?? cursor ?? '');
  return isTime(askedAt) ? askedAt : undefined;
}

const LATEST_AT = Date.UTC(2200, 0, 1);

function isTime(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) < LATEST_AT;
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || typeof value === 'string';
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
