import { Link } from 'wouter';
import type { ListedPayment, PaymentsAnswer } from '#contract/payments/payment-list.ts';
import { keptSearch, useView } from '../../address/address.ts';
import { useSite } from '../../api/account.ts';
import { isOld } from '../../api/query.ts';
import { formatInstant } from '../../format/dates.ts';
import { formatDate, formatSeen } from '../../format/instants.ts';
import { formatExactMoney, formatWhole, toNumber } from '../../format/numbers.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Arrow } from '../../ui/menu/arrow.tsx';
import { Menu, MenuChoices } from '../../ui/menu/menu.tsx';
import { Bones, EmptyNote, Unloaded } from '../../ui/note.tsx';
import { AttributionMenu } from '../bar/attribution-menu.tsx';
import { PeriodMenu } from '../bar/period-menu.tsx';
import styles from './payments.module.css';
import { StateLabel } from './state-label.tsx';
import { STATE_CHOICES, STATUS_LABELS } from './states.ts';
import { usePaymentChoice, usePayments } from './use-payments.ts';

/** Payments, latest paid first, with a search and a state filter. */
export function PaymentList() {
  const { domain } = useSite();
  const { state, search, chooseState } = usePaymentChoice();
  const answer = usePayments(state, search);
  const totals = answer.data?.pages[0]?.meta.totals;
  const payments = answer.data?.pages.flatMap(({ results }) => results) ?? [];
  return (
    <Card className={styles.card} aria-label="List of payments">
      <ListHead />
      <PaymentTotals totals={totals} state={state} onChoose={chooseState} />
      {answer.data === undefined ? (
        <Unloaded {...answer}>
          <div className={styles.wait}>
            <Bones height={480} />
          </div>
        </Unloaded>
      ) : payments.length === 0 && !answer.hasNextPage ? (
        <EmptyNote>
          {search !== '' ? (
            'No payment matches. Search for a complete id or e-mail address.'
          ) : (
            <>
              No payments in this period. They appear here as soon as your server reports them.
              <Link to={`/${domain}/settings/script`}>How to report payments</Link>
            </>
          )}
        </EmptyNote>
      ) : (
        <PaymentTable payments={payments} isOld={isOld(answer)} />
      )}
      {answer.hasNextPage && (
        <div className={styles.more}>
          <Button disabled={answer.isFetching} onClick={() => void answer.fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
    </Card>
  );
}

type PaymentTableProps = { readonly payments: readonly ListedPayment[]; readonly isOld: boolean };

function PaymentTable({ payments, isOld }: PaymentTableProps) {
  return (
    <table className={styles.table} data-old={isOld}>
      <thead>
        <tr>
          <th scope="col" className={styles.when}>
            Paid
          </th>
          <th scope="col" className={styles.who}>
            Customer
          </th>
          <th scope="col" className={styles.what}>
            Product
          </th>
          <th scope="col" className={styles.state}>
            State
          </th>
          <th scope="col" className={styles.amount}>
            Amount
          </th>
        </tr>
      </thead>
      <tbody>
        {payments.map((payment) => (
          <PaymentRow key={payment.transaction_id} payment={payment} />
        ))}
      </tbody>
    </table>
  );
}

function ListHead() {
  const { state, search, chooseState, searchFor } = usePaymentChoice();
  const [view, change] = useView();
  const label = STATE_CHOICES.find(({ value }) => value === state)?.label ?? 'All payments';
  return (
    <div className={styles.head}>
      <h1>Payments</h1>
      <div className={styles.choices}>
        <PeriodMenu view={view} onChange={change} />
        <AttributionMenu view={view} onChange={change} />
        <Menu
          name={`State: ${label}`}
          label={
            <>
              {label} <Arrow />
            </>
          }
        >
          <MenuChoices<string> value={state} choices={STATE_CHOICES} onChoose={chooseState} />
        </Menu>
      </div>
      <form
        className={styles.search}
        onSubmit={(sent) => {
          sent.preventDefault();
          searchFor(String(new FormData(sent.currentTarget).get('search')));
        }}
      >
        <input
          key={search}
          type="search"
          name="search"
          aria-label="Search payments"
          placeholder="Search by e-mail or id"
          defaultValue={search}
        />
        <Button type="submit">Search</Button>
      </form>
    </div>
  );
}

function PaymentRow({ payment }: { readonly payment: ListedPayment }) {
  const { domain, timezone } = useSite();
  const [view] = useView();
  const { transaction_id: id, amount, refunded, renewal } = payment;
  const refundedAt = payment.refunds.at(-1)?.refunded_at;
  const who = payment.email ?? payment.customer_id ?? payment.service_visitor_id ?? '–';
  const to = `/${domain}/payments/${encodeURIComponent(id)}${keptSearch(view)}`;
  return (
    <tr>
      <td className={styles.when}>
        <Link to={to} title={id}>
          <time dateTime={payment.paid_at} title={formatInstant(payment.paid_at, timezone)}>
            {formatSeen(payment.paid_at, timezone)}
          </time>
        </Link>
      </td>
      <td className={styles.who} title={who}>
        {who}
      </td>
      <td className={styles.what} title={payment.product}>
        {payment.product ?? ''} {renewal && <small>renewal</small>}
      </td>
      <td className={styles.state}>
        <StateLabel state={payment.state} />
      </td>
      <td className={styles.amount}>
        {formatExactMoney(amount)}
        {toNumber(refunded) > 0 && (
          <small>
            {formatExactMoney(refunded)} back
            {refundedAt && ` on ${formatDate(refundedAt, timezone)}`}
          </small>
        )}
      </td>
    </tr>
  );
}

type PaymentTotalsProps = {
  readonly totals: PaymentsAnswer['meta']['totals'];
  /** The chosen state; empty for all payments. */
  readonly state: string;
  readonly onChoose: (state: string) => void;
};

/** What became of the period's money: how many payments of each status, and their sum in each currency. */
function PaymentTotals({ totals = [], state, onChoose }: PaymentTotalsProps) {
  const shown = totals.filter(({ status }) => state === '' || status === state);
  if (shown.length === 0) return null;
  return (
    <ul className={styles.totals} aria-label="Totals of the period">
      {shown.map(({ status, payments, amount, refunded }) => (
        <li key={`${status} ${amount.currency}`}>
          <button type="button" onClick={() => onChoose(state === '' ? status : '')}>
            {STATUS_LABELS[status]} <b>{formatWhole(payments)}</b>
            {status !== 'trial' && ` ${formatExactMoney(amount)}`}
            {status === 'partly_refunded' && <small> {formatExactMoney(refunded)} back</small>}
          </button>
        </li>
      ))}
    </ul>
  );
}
