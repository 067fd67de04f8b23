import { Link } from 'wouter';
import type { PaymentsAnswer } from '#contract/payments/payment-list.ts';
import { useView } from '../address/address.ts';
import { useSite } from '../api/account.ts';
import { isOld } from '../api/query.ts';
import { phraseFilter } from '../format/dimensions.ts';
import { formatExactMoney, formatWhole } from '../format/numbers.ts';
import { Button, buttonClass } from '../ui/button.tsx';
import { Card, CardHead, Inline, Notice, Words, wordsClass } from '../ui/layout.tsx';
import { Loaded, ShowMore } from '../ui/loaded.tsx';
import { ChoiceMenu } from '../ui/menu/menu.tsx';
import { SearchField } from '../ui/search-field.tsx';
import bar from '../widgets/bar/bar.module.css';
import { AttributionMenu } from '../widgets/bar/bar.tsx';
import { IgnoredPeriod, MetaLines } from '../widgets/bar/bar-notes.tsx';
import { PeriodMenu } from '../widgets/bar/period-menu.tsx';
import { useOpening } from '../widgets/keys/key-table.ts';
import { SaveButton } from '../widgets/panels/panel-parts.tsx';
import { PaymentTable } from '../widgets/payments/payment-table.tsx';
import styles from '../widgets/payments/payments.module.css';
import { STATE_CHOICES, STATUS_LABELS } from '../widgets/payments/states.ts';
import {
  toPaymentFilters,
  usePaymentChoice,
  usePayments,
  usePaymentsUrl,
} from '../widgets/payments/use-payments.ts';

/** The payments on record, and why some are unattributed. */
export function PaymentsPage() {
  const [{ filters }, change] = useView();
  const { ignored } = toPaymentFilters(filters);
  return (
    <>
      {ignored.length > 0 && (
        <Notice className={bar.behind}>
          {ignored.map((filter) => phraseFilter(filter)).join(', ')}{' '}
          {ignored.length === 1 ? 'does' : 'do'} not apply to this list.{' '}
          <button
            type="button"
            className={wordsClass('link')}
            onClick={() => change({ filters: filters.filter((each) => !ignored.includes(each)) })}
          >
            Remove
          </button>
        </Notice>
      )}
      <IgnoredPeriod />
      <MetaLines />
      <PaymentList />
    </>
  );
}

/** Payments, latest paid first, with a search, filters, their totals and all of them as a file. */
function PaymentList() {
  const { state, chooseState } = usePaymentChoice();
  const answer = usePayments();
  const totals = answer.data?.pages[0]?.meta.totals;
  const payments = answer.data?.pages.flatMap(({ results }) => results) ?? [];
  return (
    <Card style={{ marginTop: 8 }} aria-label="List of payments">
      <ListHead />
      <PaymentTotals totals={totals} state={state} onChoose={chooseState} />
      <Loaded
        of={answer}
        {...{ height: 480, isInset: true }}
        isEmpty={() => payments.length === 0 && !answer.hasNextPage}
        empty={<NoPayments />}
      >
        {() => <PaymentTable payments={payments} isOld={isOld(answer)} />}
      </Loaded>
      <ShowMore of={answer} />
    </Card>
  );
}

function NoPayments() {
  const { domain } = useSite();
  const { state, search } = usePaymentChoice();
  const [view, change] = useView();
  const isAll = state === '' && search === '' && view.filters.length === 0;
  return (
    <>
      {isAll
        ? 'No payments in this period. They appear here as soon as your server reports them.'
        : 'No payment in this period matches.'}
      {view.period !== 'all' && (
        <Button onClick={() => change({ period: 'all', from: '', to: '' })}>
          Look in all time
        </Button>
      )}
      {isAll && <Link to={`/${domain}/settings/script`}>How to report payments</Link>}
    </>
  );
}

function ListHead() {
  const { state, search, chooseState, searchFor } = usePaymentChoice();
  const [view, change] = useView();
  const { ignored } = toPaymentFilters(view.filters);
  const toUrl = usePaymentsUrl();
  useOpening('last-filter', () => change({ filters: view.filters.slice(0, -1) }));
  return (
    <CardHead>
      <h1>Payments</h1>
      <Inline>
        <PeriodMenu />
        <AttributionMenu />
        <ChoiceMenu<string>
          {...{ name: 'State', value: state, choices: STATE_CHOICES, onChoose: chooseState }}
        />
        {view.filters
          .filter((filter) => !ignored.includes(filter))
          .map((filter) => (
            <Button
              key={filter.dimension}
              title="Remove this filter"
              onClick={() => change({ filters: view.filters.filter((each) => each !== filter) })}
            >
              {phraseFilter(filter)} <Words look="soft">✕</Words>
            </Button>
          ))}
      </Inline>
      <Inline style={{ flex: '0 1 360px', flexWrap: 'nowrap', marginLeft: 'auto' }}>
        <SearchField
          label="Search payments"
          placeholder="Part of an id, e-mail or product"
          text={search}
          onSearch={searchFor}
        />
        <SaveButton
          name="payments"
          className={buttonClass()}
          toRequest={() => ({ path: toUrl() })}
        />
      </Inline>
    </CardHead>
  );
}

type PaymentTotalsProps = {
  readonly totals: PaymentsAnswer['meta']['totals'];
  /** What is chosen; empty for all payments. */
  readonly state: string;
  readonly onChoose: (state: string) => void;
};

/** What became of the period's money: how many payments of each status, and their sum in each currency. */
function PaymentTotals({ totals = [], state, onChoose }: PaymentTotalsProps) {
  const shown = totals.filter(
    ({ status }) => state === '' || state === 'refunds' || status === state,
  );
  if (shown.length === 0) return null;
  return (
    <Inline as="ul" gap="4px 16px" className={styles.totals} aria-label="Totals of the period">
      {shown.map(({ status, payments, amount, refunded }) => (
        <li key={`${status} ${amount.currency}`}>
          <button type="button" onClick={() => onChoose(state === '' ? status : '')}>
            {STATUS_LABELS[status]} <b>{formatWhole(payments)}</b>
            {status !== 'trial' && ` ${formatExactMoney(amount)}`}
            {['partly_refunded', 'disputed'].includes(status) && (
              <small> {formatExactMoney(refunded)} back</small>
            )}
          </button>
        </li>
      ))}
    </Inline>
  );
}
