import { useState } from 'react';
import { request } from '../../api.ts';
import { Card } from '../../ui/card.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import styles from '../settings/settings.module.css';

/** A password change form. */
export function Password() {
  const [isSaved, setSaved] = useState(false);
  const save = async ({ now, then }: Readonly<Record<string, string>>) => {
    setSaved(false);
    const body = { currentPassword: now, newPassword: then };
    await request('/api/auth/change-password', { body });
    setSaved(true);
  };
  return (
    <Card isPadded className={styles.card}>
      <h2>Password</h2>
      <Form
        action="Change password"
        onSubmit={save}
        beside={
          <span role="status" className={styles.saved}>
            {isSaved && 'Changed. You are signed out everywhere else.'}
          </span>
        }
      >
        {() => (
          <>
            <Field
              {...{ label: 'Current password', name: 'now', type: 'password', required: true }}
              autoComplete="current-password"
            />
            <Field
              {...{ label: 'New password', name: 'then', type: 'password', required: true }}
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
