import { useQueryClient } from '@tanstack/react-query';
import { useMe } from '../../api/account.ts';
import { request } from '../../api/api.ts';
import { Form, type FormValues } from '../../ui/form.tsx';
import { Section, Soft } from '../../ui/layout.tsx';
import { EMAIL, NEW_PASSWORD, PASSWORD, requestLogin, YOUR_NAME } from './login.ts';

/** A form for the address that the user signs in with. */
export function Email() {
  const { data: me } = useMe();
  const client = useQueryClient();
  if (me === undefined) return null;
  const save = async ({ email, password }: FormValues) => {
    await request('/api/v1/me', { method: 'PATCH', body: { email, password } });
    await client.invalidateQueries({ queryKey: ['me'] });
  };
  return (
    <Section title="E-mail address">
      <Soft>
        You sign in as <b>{me.user.email}</b>. Summaries and alerts go there, too.
      </Soft>
      {me.pending_email !== null && (
        <p role="status">
          To change that to <b>{me.pending_email}</b>, open the link in the mail sent there within
          the hour.
        </p>
      )}
      <Form
        {...{ action: 'Change address', onSubmit: save, clears: true }}
        fields={[
          { ...EMAIL, label: 'New address', maxLength: 320, autoComplete: 'email' },
          { ...PASSWORD, label: 'Password of this login' },
        ]}
      />
    </Section>
  );
}

/** A form for the user's name. */
export function NameForm() {
  const { data: me } = useMe();
  const client = useQueryClient();
  if (me === undefined) return null;
  const save = async ({ name }: FormValues) => {
    await request('/api/v1/me', { method: 'PATCH', body: { name } });
    await client.invalidateQueries({ queryKey: ['me'] });
    return 'Saved.';
  };
  return (
    <Section title="Name">
      <Form
        {...{ action: 'Save', onSubmit: save }}
        fields={[
          {
            ...{ ...YOUR_NAME, defaultValue: me.user.name, maxLength: 100 },
            hint: 'Members of your sites see it.',
          },
        ]}
      />
    </Section>
  );
}

/** A password change form. */
export function Password() {
  const save = async (values: FormValues) => {
    const body = { currentPassword: values.password, newPassword: values.newPassword };
    await requestLogin('change-password', body);
    return 'Changed. You are signed out everywhere else.';
  };
  return (
    <Section title="Password">
      <Form
        {...{ action: 'Change password', onSubmit: save, clears: true }}
        fields={[
          { ...PASSWORD, label: 'Current password' },
          { ...NEW_PASSWORD, label: 'New password', name: 'newPassword' },
        ]}
      />
    </Section>
  );
}
