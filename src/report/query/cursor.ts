import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Fault } from '#contract/fault.ts';
import type { SentQuery } from '#contract/query.ts';

/** Where a page ends: when the first page was asked for, and the last row's position in the order. */
type Cursor = {
  /** Milliseconds since 1970. */
  readonly askedAt: number;
  /** The row's values, in the query's order. */
  readonly after: readonly (string | null)[];
};

const PATH = '/pagination/cursor';

/** Reads the cursor of a query, if it has one. Notes a fault and returns `undefined` if invalid. */
export function parseCursor(sent: SentQuery, faults: Fault[]): Cursor | undefined {
  const { cursor, offset } = sent.pagination ?? {};
  if (cursor === undefined || offset === undefined)
    return readCursor(cursor, sharedByPages(sent), faults);
  faults.push({ path: PATH, message: 'Give either cursor or offset, not both.' });
  return undefined;
}

/**
 * Writes a cursor for any kind of query: `same` is what its pages share, `now` the time of the first.
 *
 * Why it contains the time: `today` may be yesterday by the next page. Why the row's values and not its number: rows
 * added or removed before it then shift nothing.
 */
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
  const [digest, askedAt = 0, ...after] = partsOf(text);
  if (digest === digestOf(same)) return { askedAt, after };
  const message = 'This is not a cursor of this query: send next_cursor with the same query.';
  faults.push({ path, message });
  return undefined;
}

/** When the first page of a query was asked for; `undefined` if this is the first page. */
export function firstAskedAt(sent: object): number | undefined {
  const { cursor, pagination }: HasCursor = sent;
  return partsOf(pagination?.cursor ?? cursor ?? '')[1];
}

type HasCursor = {
  readonly cursor?: string | undefined;
  readonly pagination?: { readonly cursor?: string | undefined } | undefined;
};

/** Signs the cursors that leave the server, and lets in no others. */
export type CursorSeal = ReturnType<typeof createCursorSeal>;

/**
 * Creates a seal with a secret key.
 *
 * Why: a cursor holds the time of the query. Anybody who could forge one could read single minutes through a shared
 * link that shows whole days only.
 */
export function createCursorSeal(key: Uint8Array) {
  const sign = (cursor: string) => createHmac('sha256', key).update(cursor).digest();
  const seal = (cursor: string) => `${cursor}.${sign(cursor).toString('base64url')}`;
  function open(sealed: string): string {
    const [cursor = '', signature = ''] = sealed.split('.');
    const [own, sent] = [sign(cursor), Buffer.from(signature, 'base64url')];
    return sent.length === own.length && timingSafeEqual(sent, own) ? cursor : '';
  }
  return {
    /** The answer with its `next_cursor` signed, if it has one. */
    sealIn<Answer>(answer: Answer): Answer {
      const { meta } = (answer ?? {}) as { readonly meta?: { readonly next_cursor?: string } };
      if (meta?.next_cursor === undefined) return answer;
      return { ...answer, meta: { ...meta, next_cursor: seal(meta.next_cursor) } };
    },
    /** The query with its cursor as it was before it was signed. Any other becomes empty, which fits no query. */
    openIn<Sent extends object>(sent: Sent): Sent {
      const { cursor, pagination }: HasCursor = sent;
      if (cursor !== undefined) return { ...sent, cursor: open(cursor) };
      if (pagination?.cursor === undefined) return sent;
      return { ...sent, pagination: { ...pagination, cursor: open(pagination.cursor) } };
    },
  };
}

type Parts = readonly [digest?: string, askedAt?: number, ...after: (string | null)[]];

function partsOf(cursor: string): Parts {
  return cursor === '' ? [] : JSON.parse(Buffer.from(cursor, 'base64url').toString());
}

/** What the pages of one query share. */
export function sharedByPages({
  pagination: _page,
  include: _include,
  ...query
}: SentQuery): unknown {
  return query;
}

function digestOf(same: unknown): string {
  return createHash('sha256').update(JSON.stringify(same)).digest('base64url').slice(0, 16);
}
