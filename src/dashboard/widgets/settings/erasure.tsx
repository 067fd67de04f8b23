import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ErasureReceipt, VisitorAnswer } from '#contract/visitor.ts';
import { useParams } from '../../address/address.ts';
import { useSite } from '../../api/account.ts';
import { request } from '../../api/api.ts';
import { formatNoun } from '../../format/numbers.ts';
import { Field, Form, type FormValues } from '../../ui/form.tsx';
import { Section, Soft, Words } from '../../ui/layout.tsx';

const WORD = 'erase';
const LOOK_AGAIN_MS = 1_000;

type Found = { readonly url: string; readonly known: VisitorAnswer };

/** Erases a visitor or a person, after showing what is affected. */
export function ErasureForm() {
  const { id: site } = useSite();
  const [params] = useParams();
  const isLinked = params.has('visitor');
  const [found, setFound] = useState<Found>();
  const find = async ({ visitor = '', person }: FormValues) => {
    setFound(undefined);
    const scope = person === undefined ? '' : '?scope=person';
    const url = `/api/v1/visitors/${encodeURIComponent(visitor.trim())}${scope}`;
    setFound({ url, known: await request<VisitorAnswer>(url, { site }) });
  };
  return (
    <Section title="Erase a visitor" ref={isLinked ? show : undefined}>
      <Soft>
        Erases everything stored about a visitor from every file. Payments keep their amount and
        time, but not the person.
      </Soft>
      <Form
        {...{ action: 'Preview erasure', onSubmit: find }}
        fields={[
          {
            ...{ label: 'Visitor id', name: 'visitor', required: true, autoComplete: 'off' },
            ...{ defaultValue: params.get('visitor') ?? '', autoFocus: isLinked },
            hint: 'The value of the cookie service_visitor_id. A person’s page lists their visitor ids.',
          },
          {
            ...{ label: 'The whole person: every visitor joined with this one', name: 'person' },
            ...{ type: 'checkbox', defaultChecked: params.has('person') },
          },
        ]}
      />
      {found && <Doomed key={found.url} found={found} />}
    </Section>
  );
}

/** A person's page links to this form, which is the last of its page. */
function show(card: HTMLElement | null) {
  card?.scrollIntoView();
}

function Doomed({ found: { url, known } }: { readonly found: Found }) {
  const { visitors } = known.person;
  const erase = useErasure(url);
  if (erase.data !== undefined) return <Receipt receipt={erase.data} />;
  return (
    <>
      <p>
        <b>{formatNoun(visitors.length, 'visitor')}</b>,{' '}
        <b>{formatNoun(known.visits.length, 'visit')}</b>,{' '}
        <b>{formatNoun(known.events_total, 'event')}</b> and the names on{' '}
        <b>{formatNoun(known.payments.length, 'payment')}</b>.
      </p>
      <ul style={{ overflow: 'auto', maxHeight: 200 }}>
        {visitors.map(({ service_visitor_id: id, joined_by: joins }) => (
          <li key={id}>
            <code>{id}</code>
            {joins.length > 0 && (
              <Words look="soft">
                {' '}
                by {joins.map(({ field, value }) => `${field} ${value}`).join(', ')}
              </Words>
            )}
          </li>
        ))}
      </ul>
      <Form
        action="Erase permanently"
        look="danger"
        onSubmit={async ({ typed = '' }) => {
          if (typed.trim() !== WORD) throw new Error(`Type “${WORD}”. It cannot be undone.`);
          await erase.mutateAsync();
        }}
      >
        <Field
          {...{ label: `Type “${WORD}”`, name: 'typed', autoComplete: 'off', required: true }}
          hint="It cannot be undone, and takes up to a minute."
        />
      </Form>
      {erase.isPending && <p role="status">Erasing …</p>}
    </>
  );
}

/** Erases, and waits until no file holds the data. */
function useErasure(url: string) {
  const { id: site } = useSite();
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      let receipt = await request<ErasureReceipt>(url, { site, method: 'DELETE' });
      while (receipt.erasure.state !== 'done') {
        await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
        receipt = await request(`/api/v1/erasures/${receipt.erasure.id}`, { site });
      }
      return receipt;
    },
    onSuccess: () => client.invalidateQueries({ queryKey: [site] }),
  });
}

function Receipt({ receipt: { erasure } }: { readonly receipt: ErasureReceipt }) {
  const { visitors, events, payments } = erasure.counts;
  return (
    <Words as="p" look="good" role="status">
      Done: {formatNoun(visitors, 'visitor')}, {formatNoun(events, 'event')} and the names on{' '}
      {formatNoun(payments, 'payment')} are gone. The receipt is <code>{erasure.id}</code>.
    </Words>
  );
}
