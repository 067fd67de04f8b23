import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { ListedPayment } from '#contract/payments/payment-list.ts';
import { keptSearch, useView } from '../../address/address.ts';
import { filterBy } from '../../address/filters.ts';
import { useSite } from '../../api/account.ts';
import { formatDate, formatInstant, formatSeen } from '../../format/dates.ts';
import { formatExactMoney, formatWhole, toNumber } from '../../format/numbers.ts';
import { NameButton } from '../../ui/button.tsx';
import { type Column, numberColumn, Table, textColumn } from '../../ui/table.tsx';
import { StateLabel } from './payment-facts.tsx';
import styles from './payments.module.css';

type PaymentTableProps = { readonly payments: readonly ListedPayment[]; readonly isOld: boolean };

/** Payments, one per row: a click on a product, provider or source shows only those. */
export function PaymentTable({ payments, isOld }: PaymentTableProps) {
  const { domain, timezone } = useSite();
  const [view] = useView();
  const columns: readonly Column<ListedPayment>[] = [
    textColumn({ label: 'Paid', className: styles.when }, ({ transaction_id: id, paid_at: at }) => (
      <Link to={`/${domain}/payments/${encodeURIComponent(id)}${keptSearch(view)}`} title={id}>
        <time dateTime={at} title={formatInstant(at, timezone)}>
          {formatSeen(at, timezone)}
        </time>
      </Link>
    )),
    textColumn(
      {
        label: 'Customer',
        className: styles.who,
        attributes: (payment) => ({ title: toCustomer(payment) }),
      },
      toCustomer,
    ),
    textColumn({ label: 'Product', className: styles.what }, (payment) => (
      <>
        <FilterWord dimension="payment:product" value={payment.product} />
        <small>
          {payment.status === 'trial' ? 'trial ' : payment.renewal && 'renewal '}
          <FilterWord dimension="payment:provider" value={payment.provider} />
        </small>
      </>
    )),
    textColumn(
      { label: 'Source', className: styles.source },
      ({ credited }) => credited && <Source credited={credited} />,
    ),
    textColumn({ label: 'State', className: styles.state }, ({ state }) => (
      <StateLabel state={state} />
    )),
    numberColumn({ label: 'Amount', className: styles.amount }, (payment) => (
      <>
        {formatExactMoney(payment.amount)}
        {toNumber(payment.refunded) > 0 && (
          <small>
            {formatExactMoney(payment.refunded)}{' '}
            {payment.status === 'disputed' ? 'disputed' : 'back'}
            {payment.refunds.length > 0 &&
              ` on ${formatDate(payment.refunds.at(-1)?.refunded_at ?? '', timezone)}`}
          </small>
        )}
      </>
    )),
  ];
  return (
    <div data-old={isOld}>
      <Table
        {...{ label: 'Payments', columns, rows: payments, className: styles.table }}
        keyOf={({ transaction_id }) => transaction_id}
        narrow="wrap"
      />
    </div>
  );
}

/** The first source that is credited, or the first and the last of several. */
function Source({ credited }: { readonly credited: NonNullable<ListedPayment['credited']> }) {
  const { visits, first, last } = credited;
  return (
    <>
      <FilterWord dimension="visit:source" value={first.source} />
      {last.source !== first.source && (
        <>
          {' → '}
          <FilterWord dimension="visit:source" value={last.source} />
        </>
      )}
      <small>
        {first.channel !== first.source && (
          <FilterWord dimension="visit:channel" value={first.channel} />
        )}
        {visits > 1 && ` ${formatWhole(visits)} visits`}
      </small>
    </>
  );
}

type FilterWordProps = { readonly dimension: string; readonly value: string | undefined };

/** A value that the list is filtered by on a click. */
function FilterWord({ dimension, value }: FilterWordProps): ReactNode {
  const [{ filters }, change] = useView();
  if (value === undefined) return null;
  return (
    <NameButton
      title={`Only ${value}`}
      onClick={() => change({ filters: filterBy(filters, 'is', dimension, value) })}
    >
      {value}
    </NameButton>
  );
}

function toCustomer({ email, customer_id, service_visitor_id }: ListedPayment): string {
  return email ?? customer_id ?? service_visitor_id ?? '–';
}
