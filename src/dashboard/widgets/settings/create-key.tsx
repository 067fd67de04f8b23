import type { MadeKeyAnswer } from '#contract/sites/keys.ts';
import { useChangeOfSite } from '../../api/site-settings.ts';
import { Card } from '../../ui/card.tsx';
import { ChoiceField, Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import styles from './settings.module.css';

/** What keys are for, and the scopes they need. */
const PURPOSES = [
  {
    name: 'backend',
    label: 'Report goals and payments',
    scopes: ['goals:write', 'payments:write', 'events:write'],
  },
  { name: 'reports', label: 'Read reports', scopes: ['stats:read', 'visitors:read'] },
  {
    name: 'all',
    label: 'Everything, including erasing visitors',
    scopes: [
      ...['goals:write', 'payments:write', 'events:write'],
      ...['stats:read', 'visitors:read', 'visitors:delete'],
    ],
  },
] as const;

type CreateKeyProps = { readonly onMade: (key: MadeKeyAnswer) => void };

/** A form for a new key. */
export function CreateKey({ onMade }: CreateKeyProps) {
  const { mutateAsync } = useChangeOfSite<MadeKeyAnswer>();
  const create = async (values: Readonly<Record<string, string>>) => {
    const { name, purpose, days = '' } = values;
    const { scopes } = PURPOSES.find((each) => each.name === purpose) ?? PURPOSES[0];
    const body = { name, scopes, ...(days !== '' && { expires_in_days: Number(days) }) };
    onMade(await mutateAsync({ method: 'POST', path: '/keys', body }));
  };
  return (
    <Card isPadded className={styles.card}>
      <h2>New key</h2>
      <Form action="Create key" onSubmit={create} clears>
        {(faultOf) => (
          <>
            <Field
              {...{ label: 'Name', name: 'name', fault: faultOf('name') }}
              placeholder="Shop backend"
              maxLength={100}
            />
            <ChoiceField label="Purpose" name="purpose" fault={faultOf('scopes')}>
              {PURPOSES.map(({ name, label }) => (
                <option key={name} value={name}>
                  {label}
                </option>
              ))}
            </ChoiceField>
            <Field
              {...{ label: 'Expires after (days)', name: 'days', type: 'number', min: 1 }}
              placeholder="never"
              fault={faultOf('expires_in_days')}
            />
          </>
        )}
      </Form>
    </Card>
  );
}
