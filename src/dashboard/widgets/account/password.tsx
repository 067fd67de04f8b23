import { useState } from 'react';
import { Card } from '../../ui/card.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import styles from '../settings/settings.module.css';
import { requestLogin } from './request-login.ts';

/** A password change form. */
export function Password() {
  const [isSaved, setSaved] = useState(false);
  const save = async (values: Readonly<Record<string, string>>) => {
    setSaved(false);
    const body = { currentPassword: values.password, newPassword: values.newPassword };
    await requestLogin('change-password', body);
    setSaved(true);
  };
  return (
    <Card isPadded className={styles.card}>
      <h2>Password</h2>
      <Form
        action="Change password"
        onSubmit={save}
        clears
        beside={
          <span role="status" className={styles.saved}>
            {isSaved && 'Changed. You are signed out everywhere else.'}
          </span>
        }
      >
        {(faultOf) => (
          <>
            <Field
              {...{ label: 'Current password', name: 'password', type: 'password', required: true }}
              fault={faultOf('password')}
              autoComplete="current-password"
            />
            <Field
              {...{ label: 'New password', name: 'newPassword', type: 'password', required: true }}
              fault={faultOf('newPassword')}
              hint="At least ten characters."
              minLength={10}
              autoComplete="new-password"
            />
          </>
        )}
      </Form>
    </Card>
  );
}
