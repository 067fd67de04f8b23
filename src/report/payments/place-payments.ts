import type { PaymentState } from '#contract/payments/payment-list.ts';
import { VISIT, withFurtherTouches } from '#contract/rows/visit-row.ts';
import { assert } from '#domain/assert.ts';
import type { AttributionModel } from '#domain/attribution/models.ts';
import { LATE_TOUCH_MAX_MS } from '#domain/attribution/touch-times.ts';
import type { KnownPayment } from '#domain/money/known-payment.ts';
import { DAY_MS } from '#domain/time/durations.ts';
import { endOfStated } from '#domain/time/end-of-stated.ts';
import { findDimension } from '../catalog.ts';
import { type Bind, valueSql } from '../dimension.ts';
import type { ReportSite, ReportWarehouse } from '../ports.ts';
import { IS_DIRECT } from '../query/sql/attribution/credit.ts';
import { createBindings, ofSite } from '../query/sql/rows.ts';

/** Who gets the credit for payments. */
export type CreditRule = {
  /** Default: the first touch. */
  readonly model?: AttributionModel | undefined;
  /** How long before a payment visits get its credit. Default: for ever. */
  readonly lookbackDays?: number | undefined;
};

/** A visit that gets credit, at the time of its touch in milliseconds. */
type Touch = {
  readonly at: number;
  readonly isDirect: boolean;
  readonly channel: string;
  readonly source: string;
};

/** A payment with its state, and the touches that share its credit, the earliest first. */
export type PlacedPayment = {
  readonly payment: KnownPayment;
  readonly state: PaymentState;
  readonly touches: readonly Touch[];
};

/** Finds the states and credited touches of payments: those that the warehouse knows of their persons' visitors. */
export async function placePayments(
  warehouse: Pick<ReportWarehouse, 'select'>,
  { site, ...rule }: CreditRule & { readonly site: ReportSite },
  payments: readonly KnownPayment[],
): Promise<readonly PlacedPayment[]> {
  const open = payments.filter(({ status }) => !isClosed(status));
  const visitors = [...new Set(open.flatMap(({ visitorIds }) => visitorIds))];
  const seen = visitors.length === 0 ? new Map() : await findSeen(warehouse, site, visitors);
  return payments.map((payment) => ({ payment, ...placeOf(payment, seen, { site, ...rule }) }));
}

type Seen = ReadonlyMap<string, readonly Touch[]>;

/** The touches of visitors, if they have a visit at all: bots have none. */
async function findSeen(
  warehouse: Pick<ReportWarehouse, 'select'>,
  site: ReportSite,
  visitors: readonly string[],
): Promise<Seen> {
  const { bind, params } = createBindings();
  const sqlOf = (name: string) => {
    const dimension = findDimension(name);
    assert(dimension?.of === 'visit', `${name} is a dimension of visits`);
    return `toString(${valueSql(dimension, { site, period: { timeZone: site.timezone } }, bind)})`;
  };
  const touch = `(toFloat64(${VISIT.touchedAt}), ${IS_DIRECT}, ${sqlOf('visit:channel')}, ${sqlOf('visit:source')})`;
  const sql = `
    SELECT visitor_id, groupArrayIf(${touch}, ${VISIT.bot_class} = '') AS touches
    FROM (${withFurtherTouches(visitsOf(visitors, site, bind), touch)})
    GROUP BY visitor_id`;
  const rows = await warehouse.select<Row>({ sql, params });
  return new Map(rows.map((row) => [row.visitor_id, row.touches.map(toTouch)]));
}

type Row = {
  readonly visitor_id: string;
  readonly touches: readonly (readonly [at: number, direct: number, string, string])[];
};

function toTouch([at, direct, channel, source]: Row['touches'][number]): Touch {
  return { at: Number(at), isDirect: Number(direct) === 1, channel, source };
}

function visitsOf(visitors: readonly string[], site: ReportSite, bind: Bind): string {
  return `visits FINAL WHERE ${ofSite({ site }, bind)} AND visitor IN (
    SELECT cityHash64(arrayJoin(${bind(visitors, 'Array(String)')})))`;
}

/** Whether no visit decides the state. */
function isClosed(status: KnownPayment['status']): status is 'voided' | 'unmatched_refund' {
  return status === 'voided' || status === 'unmatched_refund';
}

function placeOf(
  { status, position, visitorIds }: KnownPayment,
  seen: Seen,
  { site, model, lookbackDays }: CreditRule & { readonly site: ReportSite },
): Pick<PlacedPayment, 'state' | 'touches'> {
  if (isClosed(status)) return { state: status, touches: [] };
  if (visitorIds.length === 0) return { state: 'no_visitor', touches: [] };
  const found = visitorIds.flatMap((id) => seen.get(id) ?? []);
  const touches = found.toSorted((one, two) => one.at - two.at);
  const creditAt = endOfStated(position.paidAt, site.timezone);
  const from = lookbackDays === undefined ? 0 : creditAt - lookbackDays * DAY_MS;
  const before = touches.filter(({ at }) => at >= from && at <= creditAt);
  const [late] = touches.filter(({ at }) => at > creditAt && at <= creditAt + LATE_TOUCH_MAX_MS);
  const path = before.length > 0 || late === undefined ? before : [late];
  if (path.length > 0) return { state: 'attributed', touches: creditedOf(path, model) };
  if (touches.some(({ at }) => at <= creditAt))
    return { state: 'visit_before_window', touches: [] };
  if (touches.length > 0) return { state: 'visit_after_payment', touches: [] };
  const isSeen = visitorIds.some((id) => seen.has(id));
  return { state: isSeen ? 'bot_visitor' : 'unseen_visitor', touches: [] };
}

/** The touches of a path that a model credits. All that no rule singles out share. */
function creditedOf(path: readonly Touch[], model: AttributionModel = 'first_touch') {
  const named = path.filter(({ isDirect }) => !isDirect);
  const chosen = {
    ...{ first_touch: path[0], last_touch: path.at(-1) },
    ...{ first_non_direct: named[0] ?? path[0], last_non_direct: named.at(-1) ?? path.at(-1) },
  } as Partial<Record<AttributionModel, Touch>>;
  return chosen[model] === undefined ? path : [chosen[model]];
}
