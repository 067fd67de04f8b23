import type { PaymentsAnswer } from '#contract/payments/payment-list.ts';
import { formatExactMoney, formatWhole } from '../../format/numbers.ts';
import styles from './payments.module.css';
import { STATUS_LABELS } from './states.ts';

type PaymentTotalsProps = {
  readonly totals: PaymentsAnswer['meta']['totals'];
  /** The chosen state; empty for all payments. */
  readonly state: string;
  readonly onChoose: (state: string) => void;
};

/** What became of the period's money: how many payments of each status, and their sum in each currency. */
export function PaymentTotals({ totals = [], state, onChoose }: PaymentTotalsProps) {
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
