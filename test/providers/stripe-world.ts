/** Events as Stripe sends them, made after the shapes of its API; no value is from a real account. */

type Json = Record<string, unknown>;
export type StripeEvent = Json & { readonly id: string; readonly type: string };

let count = 0;

/** Seconds of a day of November 2026, at noon. */
export const dayOf = (day: number, minutes = 0) => Date.UTC(2026, 10, day, 12, minutes) / 1_000;

/** An event around an object. */
export function event(type: string, created: number, object: Json): StripeEvent {
  count += 1;
  return {
    ...{ id: `evt_${count}`, object: 'event', api_version: '2026-10-28.endive', type, created },
    ...{ livemode: true, pending_webhooks: 1, data: { object } },
  };
}

export const charge = (n: string, created: number, more: Json = {}) =>
  event('charge.succeeded', created, chargeObject(n, created, more));

export const chargeObject = (n: string, created: number, more: Json = {}): Json => ({
  ...{ id: `ch_${n}`, object: 'charge', amount: 2_900, amount_captured: 2_900, amount_refunded: 0 },
  ...{ captured: true, paid: true, status: 'succeeded', currency: 'eur', created, metadata: {} },
  ...{ payment_intent: `pi_${n}`, customer: 'cus_1', invoice: null, receipt_email: null },
  billing_details: { email: 'Ann@Example.com', name: 'Ann' },
  ...more,
});

export const intent = (n: string, created: number, more: Json = {}) =>
  event('payment_intent.succeeded', created, {
    ...{ id: `pi_${n}`, object: 'payment_intent', amount: 2_900, amount_received: 2_900 },
    ...{ currency: 'eur', created, latest_charge: `ch_${n}`, customer: 'cus_1', metadata: {} },
    ...more,
  });

/** An invoice as since "basil": it names its subscription in `parent`, and no payment. */
export const invoice = (n: string, reason: string, paidAt: number, more: Json = {}) =>
  event('invoice.paid', paidAt, {
    ...{ id: `in_${n}`, object: 'invoice', amount_paid: 2_900, total: 2_900, currency: 'eur' },
    ...{ billing_reason: reason, created: paidAt - 60, customer: 'cus_1', metadata: {} },
    status_transitions: { paid_at: paidAt },
    parent: {
      type: 'subscription_details',
      subscription_details: { subscription: 'sub_1', metadata: {} },
    },
    lines: { data: [{ description: '1 × Tea club (at €29.00 / month)', metadata: {} }] },
    ...more,
  });

/** An invoice as before "basil". */
export const oldInvoice = (n: string, reason: string, paidAt: number, more: Json = {}) =>
  invoice(n, reason, paidAt, {
    ...{ parent: undefined, subscription: 'sub_1', charge: `ch_${n}`, payment_intent: `pi_${n}` },
    ...more,
  });

export const invoicePayment = (n: string, at: number, of = n) =>
  event('invoice_payment.paid', at, {
    ...{ id: `inpay_${n}`, object: 'invoice_payment', amount_paid: 2_900, currency: 'eur' },
    ...{ invoice: `in_${n}`, payment: { type: 'payment_intent', payment_intent: `pi_${of}` } },
  });

export const session = (n: string, created: number, more: Json = {}) =>
  event('checkout.session.completed', created, {
    ...{ id: `cs_${n}`, object: 'checkout.session', mode: 'payment', payment_status: 'paid' },
    ...{ amount_total: 2_900, currency: 'eur', created, customer: null, invoice: null },
    ...{ payment_intent: `pi_${n}`, subscription: null, client_reference_id: null },
    customer_details: { email: 'ann@example.com', name: 'Ann' },
    metadata: { service_visitor_id: `visitor-${n}` },
    ...more,
  });

export const refund = (
  n: string,
  of: string,
  at: number,
  amount: number,
  status = 'succeeded',
  type = 'refund.created',
) =>
  event(type, at, {
    ...{ id: `re_${n}`, object: 'refund', amount, currency: 'eur', created: at, status },
    ...{ charge: `ch_${of}`, payment_intent: `pi_${of}`, metadata: {} },
  });

export const dispute = (n: string, of: string, at: number, status: string, amount = 2_900) =>
  event(status === 'needs_response' ? 'charge.dispute.created' : 'charge.dispute.closed', at, {
    ...{ id: `dp_${n}`, object: 'dispute', amount, currency: 'eur', created: at, status },
    ...{ charge: `ch_${of}`, payment_intent: `pi_${of}`, metadata: {} },
  });
