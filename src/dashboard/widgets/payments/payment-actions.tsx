import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ListedPayment } from '#contract/payments/payment-list.ts';
import { useSite } from '../../api/account.ts';
import { ApiError, request } from '../../api/api.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmButton } from '../../ui/confirm.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Inline } from '../../ui/layout.tsx';
import { STATE_FORMS } from './states.ts';
import { toPaymentUrl } from './use-payments.ts';

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

type VisitorFormProps = {
  readonly payment: ListedPayment;
  /** Sets the visitor, or none if it is empty. */
  readonly onSet: (visitor: string) => Promise<void>;
};

/** Asks once more before it sets a visitor of whom nothing is recorded: later reports do not mend a typo. */
function VisitorForm({ payment, onSet }: VisitorFormProps) {
  const { id: site } = useSite();
  const [unknown, setUnknown] = useState<string>();
  const submit = async ({ visitor = '' }: Readonly<Record<string, string>>) => {
    const id = visitor.trim();
    if (id === '' || id === unknown || (await isKnown(site, id))) return onSet(id);
    setUnknown(id);
  };
  return (
    <Form action={unknown === undefined ? 'Set the visitor' : 'Set it anyway'} onSubmit={submit}>
      <Field
        label="Visitor"
        name="visitor"
        defaultValue={payment.service_visitor_id}
        hint="The id from the visitor’s cookie, or empty if unknown. Later reports no longer change it."
        path="service_visitor_id"
        autoComplete="off"
        onChange={() => setUnknown(undefined)}
      />
      {unknown !== undefined && (
        <p role="alert">
          Nothing is recorded of visitor {unknown}. If you set it, the payment stays unattributed
          until visits of this visitor are reported.
        </p>
      )}
    </Form>
  );
}

/** Whether anything is recorded of a visitor. An invalid id is left to the API's own refusal. */
async function isKnown(site: string, visitor: string): Promise<boolean> {
  const found = request(`/api/v1/visitors/${encodeURIComponent(visitor)}`, { site });
  return found.then(
    () => true,
    (error: unknown) => !(error instanceof ApiError && error.status === 404),
  );
}
