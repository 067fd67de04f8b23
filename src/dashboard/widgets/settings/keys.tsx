import { useState } from 'react';
import type { KeyAnswer, KeysAnswer, MadeKeyAnswer } from '#contract/sites/keys.ts';
import { useSite } from '../../api/account.ts';
import { useChangeOfSite, useOfSite } from '../../api/site-settings.ts';
import { formatInstant } from '../../format/dates.ts';
import { Button } from '../../ui/button.tsx';
import { Section } from '../../ui/card.tsx';
import { CopiedText } from '../../ui/copied-text.tsx';
import { ChoiceField, Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Hidden } from '../../ui/hidden.tsx';
import { Unloaded } from '../../ui/note.tsx';
import styles from './settings.module.css';

/** The site's backend keys. */
export function Keys() {
  const { data, error, refetch } = useOfSite<KeysAnswer>('/keys');
  const [made, setMade] = useState<MadeKeyAnswer>();
  if (data === undefined) return <Unloaded {...{ error, refetch }} height={240} />;
  const live = data.keys.filter(({ state }) => state === 'live');
  return (
    <>
      <Section title="API keys">
        {made && (
          <div className={styles.made} role="status">
            <p>Copy it now: it is not shown again.</p>
            <CopiedText text={made.key} name="The new key" />
          </div>
        )}
        {live.length === 0 && (
          <p className={styles.soft}>
            There are no keys. Your backend needs one to report goals and payments.
          </p>
        )}
        {live.length > 0 && <KeyTable keys={live} onMade={setMade} />}
      </Section>
      <CreateKey onMade={setMade} />
    </>
  );
}

function KeyTable(props: {
  readonly keys: readonly KeyAnswer[];
  onMade: (key: MadeKeyAnswer) => void;
}) {
  const { timezone } = useSite();
  const instant = (at: string | null, none: string) => (at ? formatInstant(at, timezone) : none);
  return (
    <div className={styles.scroll}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th>Key</th>
            <th>Permissions</th>
            <th>Last used</th>
            <th>
              <Hidden>Actions</Hidden>
            </th>
          </tr>
        </thead>
        <tbody>
          {props.keys.map((key) => (
            <tr key={key.id}>
              <td>
                {key.name || 'Unnamed'}
                <br />
                <code className={styles.soft}>
                  {key.prefix}…{key.last4}
                </code>
              </td>
              <td data-label="Permissions">{key.scopes.join(', ')}</td>
              <td className={styles.when} data-label="Last used">
                {instant(key.last_used_at, 'Never')}
                {key.expires_at && (
                  <>
                    <br />
                    Expires {formatInstant(key.expires_at, timezone)}
                  </>
                )}
              </td>
              <td>
                <KeyActions apiKey={key} onMade={props.onMade} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function KeyActions(props: { readonly apiKey: KeyAnswer; onMade: (key: MadeKeyAnswer) => void }) {
  const { id, name } = props.apiKey;
  const rotated = useChangeOfSite<MadeKeyAnswer>();
  const revoked = useChangeOfSite();
  const [asked, setAsked] = useState<'rotate' | 'revoke'>();
  const path = `/keys/${id}`;
  const rotate = () =>
    rotated.mutate(
      { method: 'POST', path: `${path}/rotate`, body: {} },
      { onSuccess: props.onMade, onSettled: () => setAsked(undefined) },
    );
  const revoke = () =>
    revoked.mutate({ method: 'DELETE', path }, { onSettled: () => setAsked(undefined) });
  if (asked !== undefined) {
    return (
      <div className={styles.question}>
        {asked === 'rotate' && <p>Create a new key? This one keeps working for up to 24 hours.</p>}
        {asked === 'rotate' ? (
          <Button size="small" look="primary" onClick={rotate}>
            Rotate {name}
          </Button>
        ) : (
          <Button size="small" look="danger" onClick={revoke}>
            Revoke {name}
          </Button>
        )}{' '}
        <Button size="small" onClick={() => setAsked(undefined)}>
          Keep
        </Button>
      </div>
    );
  }
  return (
    <>
      <Button size="small" onClick={() => setAsked('rotate')}>
        Rotate
      </Button>{' '}
      <Button size="small" look="danger" onClick={() => setAsked('revoke')}>
        Revoke
      </Button>
      {(rotated.error ?? revoked.error) && (
        <p role="alert">{(rotated.error ?? revoked.error)?.message}</p>
      )}
    </>
  );
}

/** What keys are for, and the scopes they need. */
const PURPOSES = [
  {
    value: 'backend',
    label: 'Report goals and payments',
    scopes: ['goals:write', 'payments:write', 'events:write'],
  },
  { value: 'reports', label: 'Read reports', scopes: ['stats:read', 'visitors:read'] },
  {
    value: 'all',
    label: 'Everything, including erasing visitors',
    scopes: [
      ...['goals:write', 'payments:write', 'events:write'],
      ...['stats:read', 'visitors:read', 'visitors:delete'],
    ],
  },
] as const;

type CreateKeyProps = { readonly onMade: (key: MadeKeyAnswer) => void };

/** A form for a new key. */
function CreateKey({ onMade }: CreateKeyProps) {
  const { mutateAsync } = useChangeOfSite<MadeKeyAnswer>();
  const create = async (values: Readonly<Record<string, string>>) => {
    const { name, purpose, days = '' } = values;
    const { scopes } = PURPOSES.find(({ value }) => value === purpose) ?? PURPOSES[0];
    const body = { name, scopes, ...(days !== '' && { expires_in_days: Number(days) }) };
    onMade(await mutateAsync({ method: 'POST', path: '/keys', body }));
  };
  return (
    <Section title="New key">
      <Form action="Create key" onSubmit={create} clears>
        <Field {...{ label: 'Name', name: 'name' }} placeholder="Shop backend" maxLength={100} />
        <ChoiceField label="Purpose" name="purpose" path="scopes" options={PURPOSES} />
        <Field
          {...{ label: 'Expires after (days)', name: 'days', type: 'number', min: 1 }}
          placeholder="never"
          path="expires_in_days"
        />
      </Form>
    </Section>
  );
}
