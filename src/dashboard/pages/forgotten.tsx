import { useState } from 'react';
import { Link, Redirect } from 'wouter';
import { request } from '../api/api.ts';
import { Field } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { useOptions } from '../widgets/account/provider-button.tsx';
import styles from './door.module.css';
import { Door } from './door.tsx';

/** Where users request a password reset link by mail. Without mail, the sign-in page has the command for one. */
export function ForgottenPage() {
  const [sentTo, setSentTo] = useState<string>();
  const { data: options } = useOptions();
  const ask = async ({ email = '' }: Readonly<Record<string, string>>) => {
    await request('/api/reset/request', { body: { email } });
    setSentTo(email);
  };
  if (options?.mail === false) return <Redirect to="/sign-in" replace />;
  const back = (
    <Link to="/sign-in" className={styles.link}>
      Back to sign-in
    </Link>
  );
  if (sentTo !== undefined) {
    return (
      <Door
        title="Check your mail"
        lead={`If ${sentTo} has a login here, a link is on its way. It works once, within an hour.`}
      >
        {back}
      </Door>
    );
  }
  return (
    <Door title="Forgot your password?" lead="Enter your e-mail address to get a reset link.">
      <Form action="Send the link" onSubmit={ask}>
        <Field
          {...{ label: 'E-mail', name: 'email', type: 'email' }}
          autoComplete="username"
          required
          autoFocus
        />
      </Form>
      {back}
    </Door>
  );
}
