import { useState } from 'react';
import type { IdentitySecretAnswer, SiteAnswer } from '#contract/sites/site.ts';
import { useChangeOfSite, useOfSite } from '../../api/site-settings.ts';
import { Button } from '../../ui/button.tsx';
import { Section } from '../../ui/card.tsx';
import { ConfirmButton } from '../../ui/confirm.tsx';
import { CopiedText } from '../../ui/copied-text.tsx';
import { ChoiceField, Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Soft, Stack } from '../../ui/layout.tsx';
import { Unloaded } from '../../ui/note.tsx';
import { ErasureForm } from './erasure.tsx';

/** How visitors are identified, how that is verified, and erasure. */
export function Privacy() {
  const { data, error, refetch } = useOfSite<SiteAnswer>();
  const [secret, setSecret] = useState<string>();
  if (data === undefined) return <Unloaded {...{ error, refetch }} height={320} />;
  return (
    <>
      <Choices key={data.id} site={data} onSecret={setSecret} />
      <IdentitySecret hasOne={data.has_identity_secret} secret={secret} onSecret={setSecret} />
      <ErasureForm />
    </>
  );
}

type ChoicesProps = {
  readonly site: SiteAnswer;
  readonly onSecret: (secret: string | undefined) => void;
};

function Choices({ site, onSecret }: ChoicesProps) {
  const { mutateAsync } = useChangeOfSite<SiteAnswer>();
  const { cookieless, identify, data_centres: dataCentres } = site.settings;
  const save = async (values: Readonly<Record<string, string>>) => {
    const { mask_paths: paths = '', exclude: excluded = '', ...others } = values;
    const chosen = Object.entries(others).map(([name, value]) => [name, value || null]);
    const [mask_paths, exclude] = [paths, excluded].map((text) =>
      text.split(/[\s,]+/).filter(Boolean),
    );
    const body = { settings: { ...Object.fromEntries(chosen), mask_paths, exclude } };
    onSecret((await mutateAsync({ method: 'PATCH', body })).identity_secret);
    return 'Saved.';
  };
  return (
    <Section title="Privacy">
      <Form action="Save" onSubmit={save}>
        <ChoiceField
          {...{ label: 'Cookies', name: 'cookieless', defaultValue: cookieless ?? '' }}
          hint="Without a cookie, visitors are recognised, and revenue attributed, only within one day."
        >
          <option value="">Use a first-party cookie</option>
          <option value="gpc">No cookie for browsers with Global Privacy Control</option>
          <option value="always">Never use a cookie</option>
        </ChoiceField>
        <ChoiceField
          {...{
            label: 'User ids from browsers',
            name: 'identify',
            defaultValue: identify ?? '',
          }}
          hint="Signed user ids need user_hash, which your server computes with the identity secret."
        >
          <option value="">Accept a browser’s first user id</option>
          <option value="signed">Accept only signed user ids</option>
        </ChoiceField>
        <ChoiceField
          {...{ label: 'Data centres', name: 'data_centres', defaultValue: dataCentres ?? '' }}
          hint="How to classify visitors from the addresses in DATA_CENTRE_RANGES."
        >
          <option value="">Default</option>
          <option value="bots">Bots</option>
          <option value="people">People</option>
        </ChoiceField>
        <Field
          {...{ label: 'Masked paths', name: 'mask_paths' }}
          defaultValue={site.settings.mask_paths?.join(' ') ?? ''}
          placeholder="/orders/* /u/**"
          hint="* hides one part of a path, ** all that follows. Tokens and e-mail addresses are hidden anyway, except in paths with ! before them."
          path="settings/mask_paths"
        />
        <Field
          {...{ label: 'Exclude', name: 'exclude' }}
          defaultValue={site.settings.exclude?.join(' ') ?? ''}
          placeholder="203.0.113.0/24 DE /admin/** staging.example.com"
          hint="Visits from these addresses or countries, and of these pages or hosts, are dropped. To exclude a browser, run localStorage.tributary_ignore = 'true' in its console on your site."
          path="settings/exclude"
        />
        <Field
          {...{ label: 'Keep raw events of payment providers for', name: 'provider_events' }}
          defaultValue={site.settings.provider_events ?? ''}
          placeholder="90d"
          hint="For example 30d or 1y. Older ones are deleted within minutes. Their payments stay."
          path="settings/provider_events"
        />
      </Form>
    </Section>
  );
}

type SecretProps = Pick<ChoicesProps, 'onSecret'> & {
  readonly hasOne: boolean;
  readonly secret: string | undefined;
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
      {secret !== undefined && (
        <Stack gap={8} role="status">
          <p>Copy it now: it is not shown again.</p>
          <CopiedText text={secret} name="The identity secret" />
        </Stack>
      )}
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
