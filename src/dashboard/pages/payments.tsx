import { PaymentList } from '../widgets/payments/payment-list.tsx';

/** Every payment on record, and why some are unattributed. */
export function PaymentsPage() {
  return <PaymentList />;
}
