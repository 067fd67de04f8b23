import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { IdentitySecretAnswer, SiteAnswer } from '#contract/sites/site.ts';
import type { ErasureReceipt, VisitorAnswer } from '#contract/visitor.ts';
import { useParams } from '../../address/address.ts';
import { useChangeOfSite, useOfSite, useSite } from '../../api/account.ts';
import { request } from '../../api/api.ts';
import { formatNoun } from '../../format/numbers.ts';
import { Button } from '../../ui/button.tsx';
import { ShownOnce } from '../../ui/copied-text.tsx';
import { ConfirmButton } from '../../ui/dialog.tsx';
import { Field, Form, type FormValues } from '../../ui/form.tsx';
import { Section, Soft, Words } from '../../ui/layout.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { type SiteField, SiteForm } from './site-form.tsx';

const FIELDS: readonly SiteField[] = [
  {
    ...{ name: 'settings/cookieless', label: 'Cookies' },
    hint: 'Without a cookie, visitors are recognised, and revenue attributed, only within one day.',
    options: [
      { value: '', label: 'Use a first-party cookie' },
      { value: 'gpc', label: 'No cookie for browsers with Global Privacy Control' },
      { value: 'always', label: 'Never use a cookie' },
    ],
  },
  {
    ...{ name: 'settings/identify', label: 'User ids from browsers' },
    hint: 'Signed user ids need user_hash, which your server computes with the identity secret.',
    options: [
      { value: '', label: 'Trust a browser’s first user id' },
      { value: 'signed', label: 'Accept only signed user ids' },
    ],
  },
  {
    ...{ name: 'settings/data_centres', label: 'Data centres' },
    hint: 'How to classify visitors from the addresses in DATA_CENTRE_RANGES.',
    options: [
      { value: '', label: 'Default' },
      { value: 'bots', label: 'Bots' },
      { value: 'people', label: 'People' },
    ],
  },
  {
    ...{ name: 'settings/mask_paths', label: 'Masked paths', isList: true },
    placeholder: '/orders/* /u/**',
    hint: '* hides one part of a path, ** all that follows. Tokens and e-mail addresses are hidden anyway, except in paths with ! before them.',
  },
  {
    ...{ name: 'settings/exclude', label: 'Exclude', isList: true },
    placeholder: '203.0.113.0/24 DE /admin/** staging.example.com',
    hint: 'Visits from these addresses or countries, and of these pages or hosts, are dropped. Leave your own browser out in Your account.',
  },
  {
    ...{ name: 'settings/provider_events', label: 'Keep raw events of payment providers for' },
    placeholder: '90d',
    hint: 'For example 30d or 1y. Older ones are deleted within minutes. Their payments stay.',
  },
];

/** How visitors are identified, how that is verified, and erasure. */
export function Privacy() {
  const [secret, setSecret] = useState<string>();
  return (
    <Loaded of={useOfSite<SiteAnswer>()} height={320}>
      {(site) => (
        <>
          <SiteForm
            key={site.id}
            {...{ title: 'Privacy', site, fields: FIELDS }}
            onSaved={({ identity_secret: made }) => setSecret(made)}
          />
          <IdentitySecret hasOne={site.has_identity_secret} secret={secret} onSecret={setSecret} />
          <ErasureForm />
        </>
      )}
    </Loaded>
  );
}

type SecretProps = {
  readonly hasOne: boolean;
  readonly secret: string | undefined;
  readonly onSecret: (secret: string) => void;
};

function IdentitySecret({ hasOne, secret, onSecret }: SecretProps) {
  const { mutateAsync, mutate, isPending, error } = useChangeOfSite<IdentitySecretAnswer>();
  const asked = { method: 'POST', path: '/identity-secret' } as const;
  const show = (made: IdentitySecretAnswer) => onSecret(made.identity_secret);
  return (
    <Section title="Identity secret">
      <Soft>
        Sign user ids with it on your server (HMAC-SHA256, in hexadecimal), and send the signature
        from the page as <code>user_hash</code>.
      </Soft>
      {secret !== undefined && <ShownOnce text={secret} name="The identity secret" />}
      <div>
        {hasOne ? (
          <ConfirmButton
            {...{ label: 'Replace the secret …', title: 'Replace the identity secret?' }}
            action="Replace it"
            onConfirm={async () => show(await mutateAsync(asked))}
          >
            <p>Signatures made with the current secret will be refused.</p>
          </ConfirmButton>
        ) : (
          <Button disabled={isPending} onClick={() => mutate(asked, { onSuccess: show })}>
            Create a secret
          </Button>
        )}
      </div>
      {error && <p role="alert">{error.message}</p>}
    </Section>
  );
}

const WORD = 'erase';
const LOOK_AGAIN_MS = 1_000;

type Found = { readonly url: string; readonly known: VisitorAnswer };

/** Erases a visitor or a person, after showing what is affected. */
function ErasureForm() {
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
