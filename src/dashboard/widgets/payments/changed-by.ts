import type { ListedPayment } from '#contract/payments/payment-list.ts';

/** Who corrected a payment, by name, or what is known of them instead. */
export function changedBy(change: Pick<ListedPayment['changes'][number], 'by' | 'by_name'>) {
  if (change.by_name !== undefined) return change.by_name;
  if (change.by === 'command') return 'a command on the server';
  return change.by.startsWith('user_') ? 'a former member' : 'an unnamed key';
}
