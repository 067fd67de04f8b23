import type { PaymentRequest } from '#contract/payments/payment.ts';
import { DAY_MS } from '#domain/time/durations.ts';
import type { Chance } from './chance.ts';
import type { DemoPeriod } from './period.ts';
import { CLUB, CURRENCY, LARGE_CLUB, type Product } from './tea-shop.ts';

const BUYS_TWO = 0.25;
const REFUNDED = 0.05;
const REFUNDED_IN_PART = 0.3;
const DAYS_TO_REFUND = 5;

const STARTS_WITH_TRIAL = 0.4;
const TRIAL_DAYS = 14;
const MONTH_DAYS = 30;
const LEAVES_CLUB = 0.12;
/** Of those who leave, the share that only pauses, for a month. */
const COMES_BACK = 0.35;
const PAUSE_DAYS = 30;
const TAKES_LARGE_BOX = 0.15;
const CHANGES_BOX = 0.05;

/** When something is bought, and by which visitor if known. */
type Purchase = { readonly at: number; readonly visitorId: string | undefined };

/** Makes up one payment for goods, sometimes with a refund. */
export function imagineGoods(
  chance: Chance,
  purchase: Purchase,
  product: Product,
  period: DemoPeriod,
): PaymentRequest[] {
  const count = chance.isTrue(BUYS_TWO) ? 2 : 1;
  const payment = {
    ...toCustomer(chance, purchase),
    ...toCharge(chance, purchase.at, product.name, product.priceMinor * count),
  };
  const refundedAt = purchase.at + DAY_MS * chance.wait(DAYS_TO_REFUND);
  if (!chance.isTrue(REFUNDED) || refundedAt >= period.endsAt) return [payment];
  const isHalf = count === 2 && chance.isTrue(REFUNDED_IN_PART);
  const amount = isHalf ? product.priceMinor / 100 : payment.amount;
  return [
    payment,
    { ...payment, amount, refunded: true, refunded_at: new Date(refundedAt).toISOString() },
  ];
}

/** Makes up a subscription: sometimes a trial, then monthly payments for one of two boxes until it ends. */
export function imagineMembership(
  chance: Chance,
  purchase: Purchase,
  period: DemoPeriod,
): PaymentRequest[] {
  const member = { subscription_id: `sub_${chance.digits(16)}`, ...toCustomer(chance, purchase) };
  const isTrial = chance.isTrue(STARTS_WITH_TRIAL);
  const payments: PaymentRequest[] = [];
  let box = chance.isTrue(TAKES_LARGE_BOX) ? LARGE_CLUB : CLUB;
  let at: number | undefined = purchase.at;
  while (at !== undefined && at < period.endsAt) {
    const isFirst = payments.length === 0;
    const isFree = isFirst && isTrial;
    const charge = toCharge(chance, at, box.name, isFree ? 0 : box.priceMinor);
    payments.push({ ...member, ...charge, renewal: !isFirst });
    at = findNextCharge(chance, at + (isFree ? TRIAL_DAYS : MONTH_DAYS) * DAY_MS);
    if (chance.isTrue(CHANGES_BOX)) box = box === CLUB ? LARGE_CLUB : CLUB;
  }
  return payments;
}

/** The time of a member's next charge: when due, after a pause, or never. */
function findNextCharge(chance: Chance, dueAt: number): number | undefined {
  if (!chance.isTrue(LEAVES_CLUB)) return dueAt;
  return chance.isTrue(COMES_BACK) ? dueAt + PAUSE_DAYS * DAY_MS : undefined;
}

function toCustomer(chance: Chance, { visitorId }: Purchase) {
  const number = chance.digits(12);
  return {
    customer_id: `cus_${number}`,
    email: `customer.${number}@example.org`,
    ...(visitorId !== undefined && { service_visitor_id: visitorId }),
  };
}

function toCharge(chance: Chance, at: number, product: string, amountMinor: number) {
  return {
    transaction_id: `pay_${chance.digits(16)}`,
    product,
    amount: amountMinor / 100,
    currency: CURRENCY,
    timestamp: new Date(at).toISOString(),
  };
}
