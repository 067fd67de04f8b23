import { hash } from 'node:crypto';
import type { LiveEvent, LivePayment } from '#contract/live.ts';
import { VISIT } from '#contract/rows/visit-row.ts';
import { SOURCE } from '../dimensions.ts';
import type { ReportStatement } from '../ports.ts';
import { filledTexts, toIso, toMoney } from '../query/shape/to-answer-row.ts';
import { toPersonNumber } from '../query/sql/persons.ts';
import { COUNTED_EVENTS, createBindings, instant } from '../query/sql/rows.ts';

/** A newly accepted event or payment, ready to be sent to listeners. */
export type News = {
  readonly siteId: string;
  /** Identifies the event, payment or refund. A refund whose amount changes gets a new key. */
  readonly key: string;
  /** Milliseconds, UTC. */
  readonly acceptedAt: number;
  readonly event: 'event' | 'payment';
  /** The version of a payment; 0 for an event. */
  readonly version: bigint;
  /** One line of JSON. */
  readonly data: string;
};

/** A row of {@link toNewsStatement}. 64-bit integers are strings. */
export type NewsRow = {
  readonly site_id: string;
  readonly id: string;
  readonly type: LiveEvent['type'] | LivePayment['type'];
  readonly occurred: string;
  readonly accepted: string;
  /** Further fields, by their names in the contract; empty if unknown. */
  readonly texts: Readonly<Record<string, string>>;
  /** Only for payments and refunds, like the following fields. */
  readonly currency: string;
  readonly amount: string;
  readonly renewal: number;
  readonly version: string;
};

/** Maximum number of rows per site and poll. The newest are read. */
export const NEWEST_MAX = 500;
/** Events older than this at acceptance are not live: they are imports or late retries. */
const LATE_MAX_MS = 30 * 60_000;
const MILLIS = 'toUnixTimestamp64Milli';
const OF_VISITOR = ['source', 'channel', 'country', 'city', 'device', 'browser']
  .map((name) => `'${name}', toString(${name})`)
  .join(', ');

/**
 * The statement that finds news of these sites: events accepted since an instant (milliseconds, UTC), and payments
 * changed after a version, if given.
 */
export function toNewsStatement(
  siteIds: readonly string[],
  since: number,
  afterVersion?: bigint,
): ReportStatement {
  const { bind, params } = createBindings();
  const isOfSites = `site_id IN (${bind(siteIds, 'Array(String)')})`;
  const isNew = `accepted_at >= ${instant(since, bind)}`;
  const hasChanged =
    afterVersion === undefined ? '' : ` OR version > ${bind(String(afterVersion), 'UInt64')}`;
  const sql = `
    (SELECT site_id, toString(event_id) AS id, toString(type) AS type,
      ${MILLIS}(occurred_at) AS occurred, ${MILLIS}(accepted_at) AS accepted,
      map('page', toString(path), 'title', toString(title), 'goal', if(type = 'goal', toString(name), ''),
        'target', toString(target), 'service_visitor_id', visitor_id, ${OF_VISITOR}) AS texts,
      '' AS currency, 0::Int64 AS amount, 0 AS renewal, 0::UInt64 AS version
    FROM events
    WHERE ${isOfSites} AND ${isNew}
      AND occurred_at >= ${instant(since - LATE_MAX_MS, bind)}
      AND occurred_at >= accepted_at - INTERVAL ${LATE_MAX_MS / 1_000} SECOND
      AND bot_class = '' AND ${COUNTED_EVENTS}
    ORDER BY accepted_at DESC, event_id LIMIT ${NEWEST_MAX} BY site_id)
    UNION ALL
    (SELECT site_id, transaction_id, toString(kind), ${MILLIS}(occurred_at), ${MILLIS}(accepted_at),
      map('product', toString(product), 'service_visitor_id', visitor_id, 'customer_id', customer_id,
        'transaction_id', if(original_transaction_id = '', transaction_id, original_transaction_id)), toString(currency), amount_minor, renewal, version
    FROM (
      SELECT * FROM payments
      WHERE ${isOfSites} AND (${isNew}${hasChanged})
      ORDER BY version DESC LIMIT 1 BY site_id, kind, transaction_id
    )
    WHERE is_deleted = 0
    ORDER BY accepted_at DESC, transaction_id LIMIT ${NEWEST_MAX} BY site_id)`;
  return { sql, params };
}

/** Who paid: a site and a visitor, or '' if nobody is known. */
export function payerKeyOf({ site_id, type, texts }: NewsRow): string {
  const visitorId = texts.service_visitor_id ?? '';
  const isPaid = type === 'payment' || type === 'refund';
  return isPaid && visitorId !== '' ? JSON.stringify([site_id, visitorId]) : '';
}

/** The statement that finds the source of the first visit of each of these payers. */
export function toSourcesStatement(payers: readonly string[]): ReportStatement {
  const { bind, params } = createBindings();
  const pairs = payers.map((payer) => JSON.parse(payer) as [siteId: string, visitorId: string]);
  const sites = bind([...new Set(pairs.map(([siteId]) => siteId))], 'Array(String)');
  const visitors = bind([...new Set(pairs.map(([, visitorId]) => visitorId))], 'Array(String)');
  const isTheirs = `site_id IN (${sites}) AND visitor IN (SELECT ${toPersonNumber(`arrayJoin(${visitors})`)})`;
  const sql = `
    SELECT site_id, visitor_id, argMin(${SOURCE}, (${VISIT.touchedAt}, visit_id)) AS source
    FROM visits FINAL
    WHERE ${isTheirs} AND (visit_started_at, visit_id) IN (
      SELECT visit_started_at, visit_id FROM visits WHERE ${isTheirs})
    GROUP BY site_id, visitor_id`;
  return { sql, params };
}

/** Converts a row to news, with the source of its payer if it is known. */
export function toNews(row: NewsRow, source = ''): News {
  const isPayment = row.type === 'payment' || row.type === 'refund';
  const data = isPayment ? toPaymentData(row, source) : toEventData(row);
  return {
    siteId: row.site_id,
    key: data.id,
    acceptedAt: Number(row.accepted),
    event: isPayment ? 'payment' : 'event',
    version: BigInt(row.version),
    data: JSON.stringify(data),
  };
}

function toEventData({ id, type, occurred, texts }: NewsRow): LiveEvent {
  return { id, type: type as LiveEvent['type'], at: toIso(occurred), ...filledTexts(texts) };
}

function toPaymentData(row: NewsRow, source: string): LivePayment {
  const { site_id, id, amount, currency } = row;
  const type = row.type as LivePayment['type'];
  return {
    id: hash('sha256', JSON.stringify([site_id, type, id, amount]), 'hex').slice(0, 32),
    type,
    at: toIso(row.occurred),
    amount: toMoney(BigInt(amount), currency),
    renewal: row.renewal === 1,
    ...filledTexts({ ...row.texts, source }),
  };
}
