import { Link } from 'wouter';
import { keptSearch, useView } from '../address/address.ts';
import { useLastPart } from '../address/params.ts';
import { useSite } from '../api/account.ts';
import { ApiError } from '../api/api.ts';
import { formatExactMoney } from '../format/numbers.ts';
import { Button } from '../ui/button.tsx';
import { Card, Inline, Soft, Stack, wordsClass } from '../ui/layout.tsx';
import { EmptyNote, Unloaded } from '../ui/loaded.tsx';
import { MetaLines } from '../widgets/bar/bar-notes.tsx';
import { usePageTitle } from '../widgets/keys/sections.ts';
import { PaymentActions } from '../widgets/payments/payment-actions.tsx';
import { PaymentFacts, StateLabel } from '../widgets/payments/payment-facts.tsx';
import { PaymentVisits } from '../widgets/payments/payment-path.tsx';
import { STATE_FORMS } from '../widgets/payments/states.ts';
import { usePayment } from '../widgets/payments/use-payments.ts';
import { ProviderRemedy } from '../widgets/providers/connection-parts.tsx';

/** One payment: its record, the visits behind it, and what can be fixed. */
export function PaymentPage() {
  const { domain, role } = useSite();
  const [view, change] = useView();
  const id = useLastPart();
  const list = `/${domain}/payments${keptSearch(view)}`;
  const { data: payment, error, refetch } = usePayment(id);
  usePageTitle(id, 'Payments', domain);
  if (error instanceof ApiError && error.status === 404) {
    return (
      <EmptyNote>
        There is no payment {id} on this site. <Link to={list}>All payments</Link>
      </EmptyNote>
    );
  }
  if (payment === undefined) return <Unloaded {...{ error, refetch }} height={320} />;
  const isOfProvider = payment.state === 'no_visitor' && payment.provider !== undefined;
  const { reason, remedy, byHand, takesWindow } = STATE_FORMS[payment.state];
  return (
    <Stack>
      <MetaLines />
      <Inline isSpread style={{ paddingTop: 8 }}>
        <div>
          <Link to={list} className={wordsClass('soft', 'small', 'back')}>
            ← Payments
          </Link>
          <h1>{formatExactMoney(payment.amount)}</h1>
        </div>
        <PaymentActions payment={payment} />
      </Inline>
      <Card isPadded aria-label="State">
        <Stack gap={4} style={{ justifyItems: 'start' }}>
          <h2>
            <StateLabel state={payment.state} />
          </h2>
          <p>{reason}</p>
          {isOfProvider && <ProviderRemedy provider={payment.provider ?? ''} />}
          {remedy && (
            <Soft>
              {!isOfProvider && remedy}{' '}
              {byHand && (role === 'viewer' ? 'An admin can set the visitor.' : byHand)}{' '}
              {!takesWindow && !isOfProvider && (
                <a href="/docs" target="_blank" rel="noreferrer">
                  How payments are sent
                </a>
              )}
            </Soft>
          )}
          {takesWindow && (
            <Button
              look="primary"
              style={{ marginTop: 8 }}
              onClick={() => change({ window: 'all' })}
            >
              Count visits for all time
            </Button>
          )}
        </Stack>
      </Card>
      <PaymentVisits payment={payment}>
        <PaymentFacts payment={payment} />
      </PaymentVisits>
    </Stack>
  );
}
