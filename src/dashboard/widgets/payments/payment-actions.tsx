import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ListedPayment } from '#contract/payments/payment-list.ts';
import type { PersonsAnswer } from '#contract/people.ts';
import { DEFAULT_VIEW } from '../../address/address.ts';
import { useSite } from '../../api/account.ts';
import { ApiError, request } from '../../api/api.ts';
import { useReport } from '../../api/query.ts';
import { formatSeen } from '../../format/dates.ts';
import { Button, NameButton } from '../../ui/button.tsx';
import { ConfirmButton, Dialog } from '../../ui/dialog.tsx';
import { Field, Form } from '../../ui/form.tsx';
import { DividedList, Inline, Words } from '../../ui/layout.tsx';
import { useSettled } from '../../ui/search-field.tsx';
import { nameOf, readValue } from '../people/known-by.ts';
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

/**
 * The visitor of a payment: found among people, or typed as an id. Asks once more before it sets one of whom nothing is
 * recorded: later reports do not mend a typo.
 */
function VisitorForm({ payment, onSet }: VisitorFormProps) {
  const { id: site } = useSite();
  const [text, setText] = useState(payment.service_visitor_id ?? '');
  const [unknown, setUnknown] = useState<string>();
  const submit = async () => {
    const id = text.trim();
    if (id === '' || id === unknown || (await isKnown(site, id))) return onSet(id);
    setUnknown(id);
  };
  const change = (typed: string) => {
    setText(typed);
    setUnknown(undefined);
  };
  return (
    <Form action={unknown === undefined ? 'Set the visitor' : 'Set it anyway'} onSubmit={submit}>
      <Field
        label="Visitor"
        name="visitor"
        value={text}
        hint="Search by name, e-mail or id, or paste the id from the visitor’s cookie; empty if unknown. Later reports no longer change it."
        path="service_visitor_id"
        {...{ autoComplete: 'off', autoFocus: true }}
        onChange={({ target }) => change(target.value)}
      />
      <FoundPeople text={text} onChoose={change} />
      {unknown !== undefined && (
        <p role="alert">
          Nothing is recorded for visitor {unknown}. If you set it, the payment stays unattributed
          until visits of this visitor are reported.
        </p>
      )}
    </Form>
  );
}

const FOUND_MAX = 6;

type FoundPeopleProps = { readonly text: string; readonly onChoose: (visitor: string) => void };

/** The latest people whom a text finds, until it is the id of one. */
function FoundPeople({ text, onChoose }: FoundPeopleProps) {
  const { timezone } = useSite();
  const search = useSettled(text.trim());
  const asked = { date_range: 'all', search, pagination: { limit: FOUND_MAX } };
  const { data } = useReport<PersonsAnswer>('persons', DEFAULT_VIEW, asked, search !== '');
  const people = data?.results ?? [];
  const isChosen = people.some(({ visitors }) => visitors.includes(search));
  if (search === '' || isChosen || people.length === 0) return null;
  return (
    <DividedList>
      {people.map((person) => (
        <li key={person.person_id}>
          <NameButton onClick={() => onChoose(person.visitors[0] ?? '')}>
            {nameOf(person)}
          </NameButton>
          <Words look={['soft', 'small', 'cut']}>
            {[
              ...(person.emails ?? []),
              readValue(person.first_visit, 'source'),
              person.last_seen_at && `last seen ${formatSeen(person.last_seen_at, timezone)}`,
            ]
              .filter(Boolean)
              .join(' · ')}
          </Words>
        </li>
      ))}
    </DividedList>
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
