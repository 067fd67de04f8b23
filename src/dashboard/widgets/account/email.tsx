import { useQueryClient } from '@tanstack/react-query';
import { useMe } from '../../api/account.ts';
import { request } from '../../api/api.ts';
import { Section } from '../../ui/card.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import styles from '../settings/settings.module.css';

/** A form for the address that the user signs in with. */
export function Email() {
  const { data: me } = useMe();
  const client = useQueryClient();
  if (me === undefined) return null;
  const save = async ({ email, password }: Readonly<Record<string, string>>) => {
    await request('/api/v1/me', { method: 'PATCH', body: { email, password } });
    await client.invalidateQueries({ queryKey: ['me'] });
  };
  return (
    <Section title="E-mail address">
      <p className={styles.soft}>
        You sign in as <b>{me.user.email}</b>. Summaries and alerts go there, too.
      </p>
      {me.pending_email !== null && (
        <p role="status">
          To change that to <b>{me.pending_email}</b>, open the link in the mail sent there within
          the hour.
        </p>
      )}
      <Form action="Change address" onSubmit={save} clears>
        <Field
          {...{ label: 'New address', name: 'email', type: 'email', required: true }}
          maxLength={320}
          autoComplete="email"
        />
        <Field
          {...{
            label: 'Password of this login',
            name: 'password',
            type: 'password',
            required: true,
          }}
          autoComplete="current-password"
        />
      </Form>
    </Section>
  );
}
