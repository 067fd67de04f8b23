import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useMe } from '../../api/account.ts';
import { request } from '../../api/api.ts';
import { Card } from '../../ui/card.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import styles from '../settings/settings.module.css';

/** A form for the user's name. */
export function Name() {
  const { data: me } = useMe();
  const client = useQueryClient();
  const [isSaved, setSaved] = useState(false);
  if (me === undefined) return null;
  const save = async ({ name }: Readonly<Record<string, string>>) => {
    setSaved(false);
    await request('/api/v1/me', { method: 'PATCH', body: { name } });
    await client.invalidateQueries({ queryKey: ['me'] });
    setSaved(true);
  };
  return (
    <Card isPadded className={styles.card}>
      <h2>Name</h2>
      <Form
        action="Save"
        onSubmit={save}
        beside={
          <span role="status" className={styles.saved}>
            {isSaved && 'Saved.'}
          </span>
        }
      >
        {(faultOf) => (
          <Field
            {...{ label: 'Your name', name: 'name', defaultValue: me.user.name, required: true }}
            hint="Members of your sites see it."
            maxLength={100}
            autoComplete="name"
            fault={faultOf('name')}
          />
        )}
      </Form>
    </Card>
  );
}
