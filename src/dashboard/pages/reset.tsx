import { useState } from 'react';
import { Link, Redirect } from 'wouter';
import { request } from '../api/api.ts';
import { Form, FormFault, type FormValues } from '../ui/form.tsx';
import { Unloaded } from '../ui/loaded.tsx';
import { EMAIL, NEW_PASSWORD } from '../widgets/account/login.ts';
import { Door, takeToken, useLink, useOptions } from './door.tsx';

/** The target of a password reset link. */
export function ResetPage() {
  const [token] = useState(takeToken);
  const [isDone, setDone] = useState(false);
  const link = useLink('reset', token);
  const reset = async ({ password }: FormValues) => {
    await request('/api/reset', { body: { token, password } });
    setDone(true);
  };
  if (isDone) {
    return (
      <Door
        {...{ title: 'The password is set', link: ['/sign-in', 'Sign in'] }}
        lead="All sessions with the old password are signed out."
      />
    );
  }
  if (link.data === undefined) return <Unloaded {...link} height={320} />;
  if (!link.data.works) {
    return (
      <Door
        title="This link does not work"
        lead="It is incomplete, was used, has expired or never existed."
        link={['/forgotten', 'Get a new link']}
      />
    );
  }
  return (
    <Door title="Set a new password">
      <Form
        {...{ action: 'Set password', onSubmit: reset }}
        fields={[{ ...NEW_PASSWORD, label: 'New password', autoFocus: true }]}
      >
        <FormFault of="token">
          {(fault) => (
            <>
              {`This link ${fault}. `}
              <Link to="/forgotten">Get a new one</Link>
            </>
          )}
        </FormFault>
      </Form>
    </Door>
  );
}

/** Where users request a password reset link by mail. Without mail, the sign-in page has the command for one. */
export function ForgottenPage() {
  const [sentTo, setSentTo] = useState<string>();
  const { data: options } = useOptions();
  const ask = async ({ email = '' }: FormValues) => {
    await request('/api/reset/request', { body: { email } });
    setSentTo(email);
  };
  if (options?.mail === false) return <Redirect to="/sign-in" replace />;
  const link = ['/sign-in', 'Back to sign-in'] as const;
  if (sentTo !== undefined) {
    const lead = `If ${sentTo} has a login here, a link is on its way. It works once, within an hour.`;
    return <Door {...{ title: 'Check your mail', lead, link }} />;
  }
  return (
    <Door
      {...{ title: 'Forgot your password?', link }}
      lead="Enter your e-mail address to get a reset link."
    >
      <Form action="Send the link" onSubmit={ask} fields={[{ ...EMAIL, autoFocus: true }]} />
    </Door>
  );
}
