import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { CopiedText } from '../../ui/copied-text.tsx';
import { PasswordForm } from './password-form.tsx';
import { requestLogin } from './request-login.ts';

/** Sign-in codes that replace the phone once each. */
export function RecoveryCodes({ codes }: { readonly codes: readonly string[] }) {
  return (
    <>
      <p>
        Keep these recovery codes where the phone is not. Each works once, if the phone is lost:
      </p>
      <CopiedText text={codes.join('\n')} name="Recovery codes" />
    </>
  );
}

/** A button that creates new codes and voids the old ones. */
export function NewRecoveryCodes() {
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
  const make = async ({ password }: Readonly<Record<string, string>>) => {
    const path = 'two-factor/generate-backup-codes';
    const made = await requestLogin<{ backupCodes: readonly string[] }>(path, { password });
    setCodes(made.backupCodes);
  };
  return <PasswordForm action="Make new codes; the old ones end" onSubmit={make} />;
}
