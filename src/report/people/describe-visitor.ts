import { NO_VISIT_ID, VISIT } from '#contract/rows/visit-row.ts';
import { toJoinedVisitors } from '#contract/to-joined-visitors.ts';
import type { VisitorAnswer } from '#contract/visitor.ts';
import type { KnownPerson, PaymentOfPerson } from '#domain/identity/known-person.ts';
import type { StatedIdentity, SubjectScope } from '#domain/identity/person.ts';
import type { ReportWarehouse } from '../ports.ts';
import { toIso, toMoney } from '../query/shape/to-answer-row.ts';

/** Lookup of everything on record about a visitor or its person. */
export interface SubjectLedger {
  findKnownPerson(siteId: string, visitorId: string, scope: SubjectScope): Promise<KnownPerson>;
}

/** Describes a visitor or the whole person; undefined if unknown. Throws if the warehouse is away. */
export type DescribeVisitor = (
  siteId: string,
  visitorId: string,
  scope: SubjectScope,
) => Promise<VisitorAnswer | undefined>;

/** Maximum number of listed events. All are counted. */
const EVENTS_MAX = 10_000;

/**
 * Everything stored about a visitor or person: visits, events, payments, identities, and the other visitors of the
 * person with the reasons.
 *
 * - Shape: default values are left out.
 */
export function createDescribeVisitor(
  warehouse: ReportWarehouse,
  ledger: SubjectLedger,
): DescribeVisitor {
  return async (siteId, visitorId, scope) => {
    const { subject, joins, payments, identities } = await ledger.findKnownPerson(
      siteId,
      visitorId,
      scope,
    );
    const params = { site: siteId, visitors: subject.visitors };
    const [visits, events, [count]] = await Promise.all([
      warehouse.select<Row>({ sql: VISITS, params }),
      warehouse.select<Row>({ sql: EVENTS, params }),
      warehouse.select<{ events: string }>({ sql: COUNT, params }),
    ]);
    if (events.length + payments.length + identities.length === 0) return undefined;
    return {
      service_visitor_id: visitorId,
      person: {
        visitors: toJoinedVisitors(subject.visitors, joins),
        user_ids: [...subject.users],
        customer_ids: [...subject.customers],
        emails: [...subject.emails],
      },
      visits: visits.map(withoutDefaults),
      events: events.map(withoutDefaults).toReversed(),
      events_total: Number(count?.events ?? 0),
      payments: payments.map(toPayment),
      identities: identities.map(toIdentity),
    };
  };
}

type Row = Readonly<Record<string, unknown>>;

const OF_VISITOR = 'site_id = {site:String} AND visitor_id IN {visitors:Array(String)}';
const ISO = (instant: string, name = instant) =>
  `formatDateTime(${instant}, '%Y-%m-%dT%H:%i:%S', 'UTC') || 'Z' AS ${name}_text`;

const LAST_EVENT_AT = ISO(
  `fromUnixTimestamp64Milli(${VISIT.extendedUntil}, 'UTC')`,
  'last_event_at',
);

const DESCRIBED_BY = [
  ...(['source', 'medium', 'campaign', 'term', 'content', 'click_id', 'channel'] as const),
  ...(['referrer', 'entry_page', 'exit_page', 'country', 'region', 'city'] as const),
  ...(['browser', 'browser_version', 'os', 'os_version', 'device', 'language'] as const),
  'bot_class',
] as const;

const VISITS = `
SELECT visitor_id, visit_id, ${ISO('visit_started_at')}, ${LAST_EVENT_AT}, pageviews, goals,
  ${DESCRIBED_BY.map((name) => `${VISIT[name]} AS ${name}`).join(', ')}
FROM visits FINAL WHERE ${OF_VISITOR}
ORDER BY visit_started_at, visit_id LIMIT ${EVENTS_MAX}`;

const EVENTS = `
SELECT visitor_id, event_id, type, ${ISO('occurred_at')}, visit_id, name, hostname, path, title, referrer, target, source,
  medium, campaign, term, content, click_id, click_id_value, props, bot_class, country, region, city,
  browser, browser_version, os, os_version, device, language, timezone, screen_width, engagement_ms,
  scroll_depth, user_id
FROM events WHERE ${OF_VISITOR}
ORDER BY occurred_at DESC, event_id LIMIT ${EVENTS_MAX}`;

const COUNT = `SELECT count() AS events FROM events WHERE ${OF_VISITOR}`;

/** 64-bit integers are strings. */
const COUNTS: ReadonlySet<string> = new Set(['pageviews', 'goals', 'engagement_ms']);

function withoutDefaults(row: Row): Record<string, unknown> {
  const filled = Object.entries(row).filter(([, value]) => {
    const isEmpty = value == null || (typeof value === 'object' && Object.keys(value).length === 0);
    return !isEmpty && value !== '' && value !== 0 && value !== '0' && value !== NO_VISIT_ID;
  });
  return Object.fromEntries(
    filled.map(([name, value]) => [toName(name), COUNTS.has(name) ? Number(value) : value]),
  );
}

function toPayment(payment: PaymentOfPerson): Record<string, unknown> {
  const { currency, amountMinor, refundedMinor, renewal, paidAt, ...facts } = payment;
  return withoutDefaults({
    ...facts,
    amount: toMoney(amountMinor, currency),
    ...(refundedMinor !== undefined && { refunded: toMoney(refundedMinor, currency) }),
    ...(renewal && { renewal }),
    paidAt: toIso(paidAt),
  });
}

function toIdentity({ firstAt, lastAt, ...identity }: StatedIdentity): Record<string, unknown> {
  return withoutDefaults({ ...identity, firstAt: toIso(firstAt), lastAt: toIso(lastAt) });
}

/** `service_id` for `serviceId`; the texts of instants have the names of the instants. */
function toName(name: string): string {
  return name.replace(/_text$/, '').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
