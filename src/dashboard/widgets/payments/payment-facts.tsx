import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { ListedPayment, PaymentState } from '#contract/payments/payment-list.ts';
import { keptSearch, useView } from '../../address/address.ts';
import { useSite } from '../../api/account.ts';
import { formatInstant } from '../../format/dates.ts';
import { formatExactMoney, toNumber } from '../../format/numbers.ts';
import { Card, FactList, Words } from '../../ui/layout.tsx';
import { changedBy, STATE_FORMS } from './states.ts';

/** A payment's recorded details. */
export function PaymentFacts({ payment }: { readonly payment: ListedPayment }) {
  const { timezone, domain } = useSite();
  const [view] = useView();
  const visitor = payment.service_visitor_id;
  const facts: readonly (readonly [string, ReactNode])[] = [
    ['Transaction', payment.transaction_id],
    ['Paid', formatInstant(payment.paid_at, timezone)],
    ['Kind', payment.renewal ? 'Renewal' : 'Payment'],
    ['Returned', toNumber(payment.refunded) > 0 && formatExactMoney(payment.refunded)],
    ['Product', payment.product],
    ['Provider', payment.provider],
    ['Customer', payment.customer_id],
    ['E-mail', payment.email],
    ['Name', payment.name],
    [
      'Visitor',
      visitor && (
        <Link to={`/${domain}/people/${encodeURIComponent(visitor)}${keptSearch(view)}`}>
          {visitor}
        </Link>
      ),
    ],
    ['Subscription', payment.subscription_id],
    ...payment.refunds.map(
      ({ transaction_id: id, amount, refunded_at: at, matched, disputed }) =>
        [
          disputed ? 'Dispute' : matched ? 'Refund, matched' : 'Refund',
          `${formatExactMoney(amount)} on ${formatInstant(at, timezone)} (${id})`,
        ] as const,
    ),
    ...payment.changes.map(
      (each) =>
        [
          'Changed',
          `${each.change === 'void' ? 'Voided' : `Visitor set to ${each.after ?? 'nobody'}`} on ${formatInstant(each.at, timezone)} by ${changedBy(each)}`,
        ] as const,
    ),
  ];
  return (
    <Card isPadded aria-label="Facts">
      <FactList facts={facts} />
    </Card>
  );
}

/** A payment's state in words; hovering shows why. */
export function StateLabel({ state }: { readonly state: PaymentState }) {
  const { label, mood, reason } = STATE_FORMS[state];
  return (
    <Words look={[mood === 'open' && 'bad', mood === 'gone' && 'gone']} title={reason}>
      {label}
    </Words>
  );
}
