import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';

type PasswordFormProps = {
  readonly action: string;
  readonly onSubmit: (values: Readonly<Record<string, string>>) => Promise<void>;
};

/** Does something that takes the password once more. */
export function PasswordForm(props: PasswordFormProps) {
  return (
    <Form {...props}>
      {() => (
        <Field
          {...{ label: 'Your password', name: 'password', type: 'password', required: true }}
          autoComplete="current-password"
        />
      )}
    </Form>
  );
}
