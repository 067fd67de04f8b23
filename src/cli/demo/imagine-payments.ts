import type { PaymentRequest } from '#contract/payment.ts';
import type { Chance } from './chance.ts';
import { DAY_MS, type DemoPeriod } from './period.ts';
import { CLUB, CURRENCY, LARGE_CLUB, type Product } from './tea-shop.ts';

/** A report of a payment, with its amount in cents beside it to add up. */
export type DemoPayment = { readonly amountMinor: number; readonly report: PaymentRequest };

/** What is paid for, when, and by which visitor if that is known. */
export type Basket = {
  readonly product: Product;
  readonly at: number;
  readonly visitorId: string | undefined;
};

const BUYS_TWO = 0.25;
const REFUNDED = 0.05;
const REFUNDED_IN_PART = 0.3;
const DAYS_TO_REFUND = 5;

const STARTS_WITH_TRIAL = 0.4;
const TRIAL_DAYS = 14;
const MONTH_DAYS = 30;
const LEAVES_CLUB = 0.12;
/** Of those who leave, so many only pause, for a month. */
const COMES_BACK = 0.35;
const PAUSE_DAYS = 30;
const TAKES_LARGE_BOX = 0.15;
const CHANGES_BOX = 0.05;

/** One payment for goods, and perhaps its refund. */
export function imagineGoods(chance: Chance, basket: Basket, period: DemoPeriod): DemoPayment[] {
  const count = chance.isTrue(BUYS_TWO) ? 2 : 1;
  const payment = toPayment(basket.product.priceMinor * count, basket.at, {
    transaction_id: `pay_${chance.digits(16)}`,
    product: basket.product.name,
    ...toCustomer(chance),
    ...(basket.visitorId !== undefined && { service_visitor_id: basket.visitorId }),
  });
  const refundedAt = basket.at + DAY_MS * chance.wait(DAYS_TO_REFUND);
  if (!chance.isTrue(REFUNDED) || refundedAt >= period.endsAt) return [payment];
  return [payment, toRefund(payment, count === 2 && chance.isTrue(REFUNDED_IN_PART), refundedAt)];
}

/** A subscription: perhaps a trial, then a payment each month for one of two boxes until it is ended. */
export function imagineMembership(
  chance: Chance,
  basket: Omit<Basket, 'product'>,
  period: DemoPeriod,
): DemoPayment[] {
  const member = {
    subscription_id: `sub_${chance.digits(16)}`,
    ...toCustomer(chance),
    ...(basket.visitorId !== undefined && { service_visitor_id: basket.visitorId }),
  };
  const isTrial = chance.isTrue(STARTS_WITH_TRIAL);
  const payments: DemoPayment[] = [];
  let box = chance.isTrue(TAKES_LARGE_BOX) ? LARGE_CLUB : CLUB;
  let at: number | undefined = basket.at;
  for (let charge = 0; at !== undefined && at < period.endsAt; charge++) {
    const isFree = charge === 0 && isTrial;
    payments.push(
      toPayment(isFree ? 0 : box.priceMinor, at, {
        ...member,
        product: box.name,
        transaction_id: `pay_${chance.digits(16)}`,
        renewal: charge > 0,
      }),
    );
    at = findNextCharge(chance, at + (isFree ? TRIAL_DAYS : MONTH_DAYS) * DAY_MS);
    if (chance.isTrue(CHANGES_BOX)) box = box === CLUB ? LARGE_CLUB : CLUB;
  }
  return payments;
}

/** When a member is charged who is due: then, after a pause, or never again. */
function findNextCharge(chance: Chance, dueAt: number): number | undefined {
  if (!chance.isTrue(LEAVES_CLUB)) return dueAt;
  return chance.isTrue(COMES_BACK) ? dueAt + PAUSE_DAYS * DAY_MS : undefined;
}

function toCustomer(chance: Chance) {
  const number = chance.digits(12);
  return { customer_id: `cus_${number}`, email: `customer.${number}@example.org` };
}

function toPayment(
  amountMinor: number,
  at: number,
  facts: Omit<PaymentRequest, 'amount' | 'currency'>,
): DemoPayment {
  const report = { amount: amountMinor / 100, currency: CURRENCY, timestamp: toIso(at), ...facts };
  return { amountMinor, report };
}

/** Half of it where one of two goes back. */
function toRefund({ amountMinor, report }: DemoPayment, isHalf: boolean, at: number): DemoPayment {
  const backMinor = isHalf ? amountMinor / 2 : amountMinor;
  const back = { amount: backMinor / 100, refunded: true, refunded_at: toIso(at) };
  return { amountMinor: backMinor, report: { ...report, ...back } };
}

function toIso(at: number): string {
  return new Date(at).toISOString();
}
