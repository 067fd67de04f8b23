import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { encode } from 'uqr';
import { useMe } from '../../api/account.ts';
import { Button } from '../../ui/button.tsx';
import { CopiedText } from '../../ui/copied-text.tsx';
import { type FieldProps, Form, type FormValues } from '../../ui/form.tsx';
import { Section, Soft } from '../../ui/layout.tsx';
import { PASSWORD, requestLogin } from './login.ts';

type Enabled = { readonly totpURI: string; readonly backupCodes: readonly string[] };

const CODE: FieldProps = {
  ...{ label: 'Code from the app', name: 'code', required: true },
  ...{ inputMode: 'numeric', autoComplete: 'one-time-code' },
};
const FIELDS: readonly FieldProps[] = [{ ...PASSWORD, label: 'Your password' }];

/** Turns two-step sign-in on and off. */
export function TwoSteps() {
  const me = useMe();
  const client = useQueryClient();
  const [begun, setBegun] = useState<Enabled>();
  // The session was replaced by a new one.
  const refresh = async () => {
    await client.invalidateQueries({ queryKey: ['sessions'] });
    await client.invalidateQueries({ queryKey: ['me'] });
  };
  const isOn = me.data?.user.two_factor === true;
  const begin = async ({ password }: FormValues) => {
    setBegun(await requestLogin<Enabled>('two-factor/enable', { password }));
  };
  const confirm = async ({ code = '' }: FormValues) => {
    await requestLogin('two-factor/verify-totp', { code: code.replace(/\s/g, '') });
    await refresh();
  };
  const end = async ({ password }: FormValues) => {
    await requestLogin('two-factor/disable', { password });
    setBegun(undefined);
    await refresh();
  };
  return (
    <Section title="Two-factor authentication">
      <Soft>
        {isOn
          ? 'It is on. Signing in also asks for a code from your authenticator app.'
          : 'Signing in also asks for a code from an authenticator app, so a stolen password is not enough.'}{' '}
        Turning it on or off signs you out everywhere else.
      </Soft>
      {begun && <Codes {...begun} isOn={isOn} />}
      {isOn && begun === undefined && <NewRecoveryCodes />}
      {isOn && <Form key="off" action="Turn off" look="danger" onSubmit={end} fields={FIELDS} />}
      {!isOn && begun === undefined && (
        <Form key="on" action="Set up" onSubmit={begin} fields={FIELDS} />
      )}
      {!isOn && begun && <Form action="Turn on" onSubmit={confirm} fields={[CODE]} />}
    </Section>
  );
}

function Codes({ totpURI, backupCodes, isOn }: Enabled & { readonly isOn: boolean }) {
  const secret = new URL(totpURI).searchParams.get('secret') ?? '';
  return (
    <>
      {!isOn && (
        <>
          <p>Scan this with the app, or enter the secret there:</p>
          <QrCode text={totpURI} />
          <CopiedText text={secret} name="Secret" />
        </>
      )}
      <RecoveryCodes codes={backupCodes} />
    </>
  );
}

function QrCode({ text }: { readonly text: string }) {
  const { data, size } = encode(text, { border: 2 });
  const dark = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])),
  );
  return (
    <svg
      // Black on white in both themes: cameras read only that.
      style={{ width: 180, height: 180, background: '#fff', fill: '#000' }}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label="QR code of the secret"
    >
      <path d={dark.join('')} />
    </svg>
  );
}

/** Sign-in codes that replace the phone once each. */
function RecoveryCodes({ codes }: { readonly codes: readonly string[] }) {
  return (
    <>
      <p>
        Keep these recovery codes somewhere other than your phone. Each works once, if you lose it:
      </p>
      <CopiedText text={codes.join('\n')} name="Recovery codes" />
    </>
  );
}

/** A button that creates new codes and voids the old ones. */
function NewRecoveryCodes() {
  const [isAsked, setAsked] = useState(false);
  const [codes, setCodes] = useState<readonly string[]>();
  if (codes !== undefined) return <RecoveryCodes codes={codes} />;
  if (!isAsked) {
    return (
      <div>
        <Button onClick={() => setAsked(true)}>Make new recovery codes …</Button>
      </div>
    );
  }
  const make = async ({ password }: FormValues) => {
    const path = 'two-factor/generate-backup-codes';
    const made = await requestLogin<{ backupCodes: readonly string[] }>(path, { password });
    setCodes(made.backupCodes);
  };
  return <Form action="Make new codes; the old ones end" onSubmit={make} fields={FIELDS} />;
}
