import { PaymentList } from '../widgets/payments/payment-list.tsx';
import styles from './stack.module.css';

/** Every payment on record, and why some are unattributed. */
export function PaymentsPage() {
  return (
    <div className={styles.stack}>
      <h1 className={styles.title}>Payments</h1>
      <PaymentList />
    </div>
  );
}
