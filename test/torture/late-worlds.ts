import type { Chance } from '#cli/demo/chance.ts';
import type { EventRow } from '#contract/rows/event-row.ts';
import { HOUR_MS } from '#domain/time/durations.ts';
import type { WorldPayment } from '../worlds/open-warehouse.ts';
import type { World } from '../worlds/reference-report.ts';

/** One request of a world. */
export type LateRequest = {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** A site's month: what happened, and the requests that report it, unordered and late. */
export interface LateWorld {
  readonly site: string;
  readonly key: string;
  readonly chance: Chance;
  /** The raw facts, for the reference model. */
  readonly facts: World;
  /** Half of the requests; those of browsers are made when sent, by the server's clock. */
  requestsOf(half: 'first' | 'second', now: () => number): Iterable<LateRequest>;
}

const LATE_MAX_HOURS = 30 * 24;
const SKEW_MAX_MS = 48 * HOUR_MS;
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const VISITORS = ['ann', 'bob', 'cat'] as const;
const SOURCES = ['', 'alpha', 'beta', 'gamma'] as const;

/** A world that ends at `endsAt` and began up to thirty days before. */
export function planLateWorld(options: {
  readonly chance: Chance;
  readonly site: string;
  readonly key: string;
  readonly endsAt: number;
}): LateWorld {
  const { chance, site, key, endsAt } = options;
  const events: EventRow[] = [];
  const payments: WorldPayment[] = [];
  const requests: LateRequest[] = [];
  const headers = { authorization: `Bearer ${key}` };
  const one = <T>(list: readonly T[]) => list[chance.whole(0, list.length - 1)] as T;
  /** Distinct hours, never whole ones, because the order within one instant is undefined. */
  const hours = shuffle(
    Array.from({ length: LATE_MAX_HOURS - 3 }, (_, hour) => hour + 3),
    chance,
  );
  const anyAt = () => endsAt - (hours.pop() ?? 3) * HOUR_MS + chance.whole(1, 999_999);

  for (let visit = 0; visit < 8; visit++) {
    const startedAt = anyAt();
    const visitor = one(VISITORS);
    const visitId = chance.uuid(7, startedAt);
    const deeds = chance.whole(1, 4);
    for (let deed = 0; deed < deeds; deed++) {
      const type = chance.isTrue(0.7) ? ('pageview' as const) : ('goal' as const);
      const at = startedAt + deed * 60_000 + chance.whole(0, 50_000);
      const source = type === 'pageview' ? one(SOURCES) : ''; // Goals have no source.
      const event = rowOf(site, { type, visitor, at, visitId, startedAt, source });
      events.push(event);
      requests.push(toRequest(site, headers, event, source));
    }
  }
  for (let number = 0; number < 6; number++) {
    const paidAt = anyAt();
    const row: WorldPayment = {
      ...{ site_id: site, kind: 'payment', transaction_id: `p${number}`, currency: 'EUR' },
      ...{ occurred_at: paidAt, paid_at: paidAt, visitor_id: one([...VISITORS, '']) },
      amount_minor: BigInt(chance.whole(1, 1_000_000)),
    };
    payments.push(row);
    requests.push(toPaymentRequest(headers, row));
    if (!chance.isTrue(0.4)) continue;
    const refund: WorldPayment = { ...row, kind: 'refund', occurred_at: anyAt() };
    payments.push(refund);
    requests.push(toPaymentRequest(headers, row, refund.occurred_at));
  }
  shuffle(requests, chance);
  const middle = Math.floor(requests.length / 2);
  return {
    ...{ site, key, chance, facts: { events, payments } },
    *requestsOf(half, now) {
      yield* half === 'first' ? requests.slice(0, middle) : requests.slice(middle);
      const skewMs = chance.whole(-SKEW_MAX_MS, SKEW_MAX_MS);
      yield browserRequest(site, events, { at: now(), skewMs, chance });
    },
  };
}

type Deed = {
  readonly type: 'pageview' | 'goal';
  readonly visitor: string;
  readonly at: number;
  readonly visitId: string;
  readonly startedAt: number;
  readonly source: string;
};

function rowOf(site: string, deed: Deed): EventRow {
  return {
    ...{ site_id: site, type: deed.type, visitor_id: deed.visitor, event_id: crypto.randomUUID() },
    ...{ occurred_at: deed.at, accepted_at: deed.at, source: deed.source },
    ...{ visit_id: deed.visitId, visit_started_at: deed.startedAt },
  };
}

function toRequest(
  site: string,
  headers: LateRequest['headers'],
  event: EventRow,
  source: string,
): LateRequest {
  const { type, visitor_id, visit_id, occurred_at } = event;
  const body = JSON.stringify({
    ...{ site, type, visit_id, occurred_at, service_visitor_id: visitor_id },
    ...(type === 'goal' && { name: 'signup' }),
    url: `https://${site}/${source === '' ? '' : `?utm_source=${source}`}`,
    user_agent: BROWSER,
  });
  return { path: '/api/v1/events', headers, body };
}

function toPaymentRequest(
  headers: LateRequest['headers'],
  row: WorldPayment,
  refundedAt?: number,
): LateRequest {
  const amount = `${row.amount_minor / 100n}.${String(row.amount_minor % 100n).padStart(2, '0')}`;
  const facts = {
    ...{ currency: row.currency, transaction_id: row.transaction_id },
    timestamp: new Date(row.paid_at).toISOString(),
    ...(row.visitor_id !== '' && { service_visitor_id: row.visitor_id }),
    ...(refundedAt !== undefined && {
      refunded: true,
      refunded_at: new Date(refundedAt).toISOString(),
    }),
  };
  const body = `{"amount":${amount},${JSON.stringify(facts).slice(1)}`;
  return { path: '/api/v1/payments', headers, body };
}

/** A page just seen, by a browser whose clock is far off: its visit began five minutes ago. */
function browserRequest(
  site: string,
  events: EventRow[],
  { at, skewMs, chance }: { readonly at: number; readonly skewMs: number; readonly chance: Chance },
): LateRequest {
  const startedAt = at - 300_000;
  const visitId = chance.uuid(7, startedAt + skewMs);
  const visitor = `skewed-${chance.digits(8)}`;
  const type = 'pageview';
  events.push(rowOf(site, { type, visitor, at, visitId, startedAt, source: 'alpha' }));
  const body = JSON.stringify({
    ...{ site, type, service_visitor_id: visitor, visit_id: visitId, sent_at: at + skewMs },
    url: `https://${site}/?utm_source=alpha`,
  });
  return { path: '/api/v1/events', headers: { 'user-agent': BROWSER }, body };
}

function shuffle<T>(list: T[], chance: Chance): T[] {
  for (let index = list.length - 1; index > 0; index--) {
    const other = chance.whole(0, index);
    [list[index], list[other]] = [list[other] as T, list[index] as T];
  }
  return list;
}
