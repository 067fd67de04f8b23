import { useState } from 'react';
import type { KeyAnswer, KeysAnswer, MadeKeyAnswer } from '#contract/sites/keys.ts';
import { useChangeOfSite, useOfSite, useSite } from '../../api/account.ts';
import { formatInstant } from '../../format/dates.ts';
import { ShownOnce } from '../../ui/copied-text.tsx';
import { ConfirmButton } from '../../ui/dialog.tsx';
import { type FieldProps, Form, type FormValues } from '../../ui/form.tsx';
import { Hidden, Section, Soft, Words, wordsClass } from '../../ui/layout.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { type Column, numberColumn, Table, textColumn } from '../../ui/table.tsx';
import { RemoveButton } from '../saved/saved.tsx';
import styles from './settings.module.css';

/** The site's backend keys. */
export function Keys() {
  const [made, setMade] = useState<MadeKeyAnswer>();
  return (
    <Loaded of={useOfSite<KeysAnswer>('/keys')} height={240}>
      {({ keys }) => (
        <>
          <Section title="API keys">
            {made && <ShownOnce text={made.key} name="The new key" />}
            <KeyTable keys={keys.filter(({ state }) => state === 'live')} onMade={setMade} />
          </Section>
          <CreateKey onMade={setMade} />
        </>
      )}
    </Loaded>
  );
}

function KeyTable(props: {
  readonly keys: readonly KeyAnswer[];
  onMade: (key: MadeKeyAnswer) => void;
}) {
  const { timezone } = useSite();
  if (props.keys.length === 0) {
    return <Soft>There are no keys. Your backend needs one to report goals and payments.</Soft>;
  }
  const instant = (at: string | null, none: string) => (at ? formatInstant(at, timezone) : none);
  const columns: readonly Column<KeyAnswer>[] = [
    textColumn({ label: 'Key', className: styles.named }, ({ name, prefix, last4 }) => (
      <>
        {name || 'Unnamed'}
        <br />
        <Words as="code" look="soft">
          {prefix}…{last4}
        </Words>
      </>
    )),
    textColumn('Permissions', ({ scopes }) => scopes.join(', ')),
    textColumn(
      {
        label: 'Last used',
        className: wordsClass('soft', 'small'),
        attributes: () => ({ style: { whiteSpace: 'nowrap' } }),
      },
      ({ last_used_at, expires_at }) => (
        <>
          {instant(last_used_at, 'Never')}
          {expires_at && (
            <>
              <br />
              Expires {formatInstant(expires_at, timezone)}
            </>
          )}
        </>
      ),
    ),
    numberColumn({ name: 'actions', label: <Hidden>Actions</Hidden> }, (key) => (
      <KeyActions apiKey={key} onMade={props.onMade} />
    )),
  ];
  return (
    <Table
      {...{ label: 'API keys', columns, rows: props.keys, look: 'plain', narrow: 'wrap' }}
      keyOf={({ id }) => id}
    />
  );
}

function KeyActions(props: { readonly apiKey: KeyAnswer; onMade: (key: MadeKeyAnswer) => void }) {
  const { id, name: given } = props.apiKey;
  const name = given || 'this key';
  const { mutateAsync: rotate } = useChangeOfSite<MadeKeyAnswer>();
  const path = `/keys/${id}`;
  return (
    <>
      <ConfirmButton
        {...{ label: 'Rotate', title: `Rotate ${name}?`, action: `Rotate ${name}` }}
        {...{ size: 'small', look: 'primary' }}
        onConfirm={async () =>
          props.onMade(await rotate({ method: 'POST', path: `${path}/rotate`, body: {} }))
        }
      >
        <p>Create a new key? This one keeps working for up to 24 hours.</p>
      </ConfirmButton>{' '}
      <RemoveButton label="Revoke" {...{ name, path }}>
        <p>Requests with this key are refused from now on.</p>
      </RemoveButton>
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
    value: 'assistant',
    label: 'Assistants: read reports, add notes',
    scopes: ['stats:read', 'annotations:write'],
  },
  {
    value: 'all',
    label: 'Everything, including erasing visitors',
    scopes: [
      ...['goals:write', 'payments:write', 'events:write'],
      ...['stats:read', 'visitors:read', 'visitors:delete', 'annotations:write'],
    ],
  },
] as const;

const FIELDS: readonly FieldProps[] = [
  { label: 'Name', name: 'name', placeholder: 'Shop backend', maxLength: 100 },
  { label: 'Purpose', name: 'purpose', path: 'scopes', options: PURPOSES },
  {
    ...{ label: 'Expires after (days)', name: 'days', path: 'expires_in_days' },
    ...{ type: 'number', min: 1, placeholder: 'never' },
  },
];

type CreateKeyProps = { readonly onMade: (key: MadeKeyAnswer) => void };

/** A form for a new key. */
function CreateKey({ onMade }: CreateKeyProps) {
  const { mutateAsync } = useChangeOfSite<MadeKeyAnswer>();
  const create = async (values: FormValues) => {
    const { name, purpose, days = '' } = values;
    const { scopes } = PURPOSES.find(({ value }) => value === purpose) ?? PURPOSES[0];
    const body = { name, scopes, ...(days !== '' && { expires_in_days: Number(days) }) };
    onMade(await mutateAsync({ method: 'POST', path: '/keys', body }));
  };
  return (
    <Section title="New key">
      <Form action="Create key" onSubmit={create} fields={FIELDS} clears />
    </Section>
  );
}
