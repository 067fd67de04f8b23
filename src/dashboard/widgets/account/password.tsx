import { Section } from '../../ui/card.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { requestLogin } from './request-login.ts';

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
