import { useState } from 'react';
import type { IdentitySecretAnswer, SiteAnswer } from '#contract/sites/site.ts';
import { useChangeOfSite, useOfSite } from '../../api/account.ts';
import { Button } from '../../ui/button.tsx';
import { ShownOnce } from '../../ui/copied-text.tsx';
import { ConfirmButton } from '../../ui/dialog.tsx';
import { Section, Soft } from '../../ui/layout.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { ErasureForm } from './erasure.tsx';
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
      { value: '', label: 'Trust the first user id from a browser' },
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
