import { useQueryClient } from '@tanstack/react-query';
import { useMe } from '../../api/account.ts';
import { request } from '../../api/api.ts';
import { Section } from '../../ui/card.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Soft } from '../../ui/layout.tsx';
import { requestLogin } from './request-login.ts';

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
      <Soft>
        You sign in as <b>{me.user.email}</b>. Summaries and alerts go there, too.
      </Soft>
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

/** A form for the user's name. */
export function NameForm() {
  const { data: me } = useMe();
  const client = useQueryClient();
  if (me === undefined) return null;
  const save = async ({ name }: Readonly<Record<string, string>>) => {
    await request('/api/v1/me', { method: 'PATCH', body: { name } });
    await client.invalidateQueries({ queryKey: ['me'] });
    return 'Saved.';
  };
  return (
    <Section title="Name">
      <Form action="Save" onSubmit={save}>
        <Field
          {...{ label: 'Your name', name: 'name', defaultValue: me.user.name, required: true }}
          hint="Members of your sites see it."
          maxLength={100}
          autoComplete="name"
        />
      </Form>
    </Section>
  );
}

/** A password change form. */
export function Password() {
  const save = async (values: Readonly<Record<string, string>>) => {
    const body = { currentPassword: values.password, newPassword: values.newPassword };
    await requestLogin('change-password', body);
    return 'Changed. You are signed out everywhere else.';
  };
  return (
    <Section title="Password">
      <Form action="Change password" onSubmit={save} clears>
        <Field
          {...{ label: 'Current password', name: 'password', type: 'password', required: true }}
          autoComplete="current-password"
        />
        <Field
          {...{ label: 'New password', name: 'newPassword', type: 'password', required: true }}
          hint="At least ten characters."
          minLength={10}
          autoComplete="new-password"
        />
      </Form>
    </Section>
  );
}
