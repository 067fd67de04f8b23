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
import { CardHead, Inline, Inset } from '../../ui/layout.tsx';
import { Loaded, ShowMore } from '../../ui/loaded.tsx';
import { Menu, MenuChoices } from '../../ui/menu/menu.tsx';
import { Bones } from '../../ui/note.tsx';
import { type Column, Table } from '../../ui/table.tsx';
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
      <Loaded
        of={answer}
        waiting={
          <Inset>
            <Bones height={480} />
          </Inset>
        }
        isEmpty={() => payments.length === 0 && !answer.hasNextPage}
        empty={
          search !== '' ? (
            'No payment matches. Search for a complete id or e-mail address.'
          ) : (
            <>
              No payments in this period. They appear here as soon as your server reports them.
              <Link to={`/${domain}/settings/script`}>How to report payments</Link>
            </>
          )
        }
      >
        {() => <PaymentTable payments={payments} isOld={isOld(answer)} />}
      </Loaded>
      <ShowMore of={answer} />
    </Card>
  );
}

type PaymentTableProps = { readonly payments: readonly ListedPayment[]; readonly isOld: boolean };

function PaymentTable({ payments, isOld }: PaymentTableProps) {
  const { domain, timezone } = useSite();
  const [view] = useView();
  const columns: readonly Column<ListedPayment>[] = [
    {
      ...{ name: 'when', label: 'Paid', className: styles.when },
      cell: ({ transaction_id: id, paid_at: at }) => (
        <Link to={`/${domain}/payments/${encodeURIComponent(id)}${keptSearch(view)}`} title={id}>
          <time dateTime={at} title={formatInstant(at, timezone)}>
            {formatSeen(at, timezone)}
          </time>
        </Link>
      ),
    },
    {
      ...{ name: 'who', label: 'Customer', className: styles.who, cell: toCustomer },
      attributes: (payment) => ({ title: toCustomer(payment) }),
    },
    {
      ...{ name: 'what', label: 'Product', className: styles.what },
      cell: ({ product, renewal }) => (
        <>
          {product ?? ''} {renewal && <small>renewal</small>}
        </>
      ),
      attributes: ({ product }) => ({ title: product }),
    },
    {
      ...{ name: 'state', label: 'State', className: styles.state },
      cell: ({ state }) => <StateLabel state={state} />,
    },
    {
      ...{ name: 'amount', label: 'Amount', isNumber: true, className: styles.amount },
      cell: ({ amount, refunded, refunds }) => (
        <>
          {formatExactMoney(amount)}
          {toNumber(refunded) > 0 && (
            <small>
              {formatExactMoney(refunded)} back
              {refunds.length > 0 &&
                ` on ${formatDate(refunds.at(-1)?.refunded_at ?? '', timezone)}`}
            </small>
          )}
        </>
      ),
    },
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

function toCustomer({ email, customer_id, service_visitor_id }: ListedPayment): string {
  return email ?? customer_id ?? service_visitor_id ?? '–';
}

function ListHead() {
  const { state, search, chooseState, searchFor } = usePaymentChoice();
  const [view, change] = useView();
  const label = STATE_CHOICES.find(({ value }) => value === state)?.label ?? 'All payments';
  return (
    <CardHead>
      <h1>Payments</h1>
      <Inline>
        <PeriodMenu view={view} onChange={change} />
        <AttributionMenu view={view} onChange={change} />
        <Menu name={`State: ${label}`} label={label}>
          <MenuChoices<string> value={state} choices={STATE_CHOICES} onChoose={chooseState} />
        </Menu>
      </Inline>
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
    </CardHead>
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
    <Inline as="ul" gap="4px 16px" className={styles.totals} aria-label="Totals of the period">
      {shown.map(({ status, payments, amount, refunded }) => (
        <li key={`${status} ${amount.currency}`}>
          <button type="button" onClick={() => onChoose(state === '' ? status : '')}>
            {STATUS_LABELS[status]} <b>{formatWhole(payments)}</b>
            {status !== 'trial' && ` ${formatExactMoney(amount)}`}
            {status === 'partly_refunded' && <small> {formatExactMoney(refunded)} back</small>}
          </button>
        </li>
      ))}
    </Inline>
  );
}
