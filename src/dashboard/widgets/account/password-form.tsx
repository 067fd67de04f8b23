import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';

type PasswordFormProps = {
  readonly action: string;
  readonly look?: 'primary' | 'danger';
  readonly onSubmit: (values: Readonly<Record<string, string>>) => Promise<void>;
};

/** A form confirmed by password. */
export function PasswordForm(props: PasswordFormProps) {
  return (
    <Form {...props}>
      {(faultOf) => (
        <Field
          {...{ label: 'Your password', name: 'password', type: 'password', required: true }}
          fault={faultOf('password')}
          autoComplete="current-password"
        />
      )}
    </Form>
  );
}
