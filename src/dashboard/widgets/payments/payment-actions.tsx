import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ListedPayment } from '#contract/payments/payment-list.ts';
import { useSite } from '../../api/account.ts';
import { request } from '../../api/api.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmButton, Dialog } from '../../ui/dialog.tsx';
import { Inline } from '../../ui/layout.tsx';
import { STATE_FORMS } from './states.ts';
import { toPaymentUrl } from './use-payments.ts';
import { VisitorForm } from './visitor-form.tsx';

/** What admins can do with a payment: name its visitor, or exclude it from all figures. */
export function PaymentActions({ payment }: { readonly payment: ListedPayment }) {
  const { id: site, role } = useSite();
  const client = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  if (role === 'viewer' || payment.state === 'voided') return null;
  const url = toPaymentUrl(payment.transaction_id);
  const close = () => setOpen(false);
  const finish = async (changed: Promise<ListedPayment>) => {
    await changed;
    await client.invalidateQueries({ queryKey: [site, 'payments', payment.transaction_id] });
    close();
    await client.invalidateQueries({ queryKey: [site] });
  };
  const takesVisitor = STATE_FORMS[payment.state].byHand !== undefined;
  return (
    <Inline>
      <Button {...(takesVisitor && { look: 'primary' })} onClick={() => setOpen(true)}>
        Set the visitor
      </Button>
      <ConfirmButton
        {...{ label: 'Void', title: 'Void this payment?', action: 'Void permanently' }}
        onConfirm={() => finish(request(url, { site, method: 'DELETE' }))}
      >
        <p>
          The payment and its refunds are excluded from all reports, and new reports of it are
          refused. The record keeps your name. This cannot be undone.
        </p>
      </ConfirmButton>
      <Dialog title="Set the visitor" isOpen={isOpen} onClose={close}>
        <VisitorForm
          payment={payment}
          onSet={(visitor) => {
            const body = { service_visitor_id: visitor === '' ? null : visitor };
            return finish(request(url, { site, method: 'PATCH', body }));
          }}
        />
      </Dialog>
    </Inline>
  );
}
