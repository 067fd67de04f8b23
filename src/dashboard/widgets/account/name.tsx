import { useQueryClient } from '@tanstack/react-query';
import { useMe } from '../../api/account.ts';
import { request } from '../../api/api.ts';
import { Section } from '../../ui/card.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';

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
