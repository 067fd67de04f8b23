import type { PaymentState } from '#contract/payments/payment-list.ts';
import styles from './payments.module.css';
import { STATE_FORMS } from './states.ts';

/** A payment's state in words; hovering shows why. */
export function StateLabel({ state }: { readonly state: PaymentState }) {
  const { label, mood, reason } = STATE_FORMS[state];
  return (
    <span className={styles.label} data-mood={mood} title={reason}>
      {label}
    </span>
  );
}
