import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type {
  PreviewAnswer,
  ProviderConnectionDetails,
  ReplayAnswer,
} from '#contract/sites/providers.ts';
import { useSite } from '../../api/account.ts';
import { request } from '../../api/api.ts';
import { useChangeOfSite } from '../../api/site-settings.ts';
import { formatInstant } from '../../format/dates.ts';
import { formatNoun } from '../../format/numbers.ts';
import { CopiedText } from '../../ui/copied-text.tsx';
import { Form } from '../../ui/form.tsx';
import { useSettled } from '../../ui/use-settled.ts';
import settings from '../settings/settings.module.css';
import { type KnownField, OneField, splitFields } from './connection-fields.tsx';
import styles from './providers.module.css';
import { type ConnectionProps, type ShownConnection, WAITING_MS } from './use-providers.ts';

type Values = Readonly<Record<string, string>>;

/** How many fields are shown at once: what nearly every system needs comes first. */
const MAIN_FIELDS = 8;

/** The form that says where in its events another system has the amount, the id and so on, with what would become of the last one. */
export function FieldMapping({ connection, provider }: ConnectionProps) {
  const { id, settings: chosen } = connection;
  const changed = useChangeOfSite<ProviderConnectionDetails>();
  const replayed = useChangeOfSite<ReplayAnswer>();
  const [typed, setTyped] = useState<Values>({});
  const [isOpen, setOpen] = useState(false);
  const { mapping } = splitFields(provider.fields);
  const save = async (fields: Values) => {
    const path = `/providers/${id}`;
    await changed.mutateAsync({ method: 'PATCH', path, body: { fields } }).catch((error) => {
      setOpen(true); // The field at fault may be among them.
      throw error;
    });
    const body = { failed: true };
    const { events } = await replayed.mutateAsync({ method: 'POST', path: `${path}/replay`, body });
    return events === 0 ? 'Saved.' : `Saved. ${formatNoun(events, 'event')} read again.`;
  };
  const listen = ({ currentTarget }: FormEvent<HTMLDivElement>) => {
    const form = currentTarget.querySelector('form');
    if (form) setTyped(Object.fromEntries(new FormData(form)) as Values);
  };
  const toField = (field: (typeof mapping)[number]) => (
    <OneField key={field.name} field={withOwnHint(field)} value={chosen[field.name]} />
  );
  return (
    <div className={styles.mapping}>
      <div onInput={listen}>
        <Form action="Save and read failed events again" onSubmit={save}>
          <p className={settings.soft}>{mapping[0]?.hint}</p>
          {mapping.slice(0, MAIN_FIELDS).map(toField)}
          <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
            <summary className={styles.more}>Customer, subscription, refunds and states</summary>
            <div className={styles.stack}>{mapping.slice(MAIN_FIELDS).map(toField)}</div>
          </details>
        </Form>
      </div>
      <Preview connection={connection} typed={typed} />
    </div>
  );
}

/** The hint that all paths share stands above them. */
function withOwnHint(field: KnownField): KnownField {
  return field.name.endsWith('_path') ? { ...field, hint: '' } : field;
}

type PreviewProps = { readonly connection: ShownConnection; readonly typed: Values };

function Preview({ connection: { id }, typed }: PreviewProps) {
  const { id: site, timezone } = useSite();
  const settled = useSettled(JSON.stringify(typed));
  const path = `/api/v1/sites/${site}/providers/${id}/preview`;
  const { data, error } = useQuery({
    queryKey: [site, 'site', 'preview', id, settled],
    queryFn: ({ signal }) =>
      request<PreviewAnswer>(path, { body: { fields: JSON.parse(settled) }, signal }),
    placeholderData: (before) => before,
    refetchInterval: ({ state }) => state.data?.body === null && WAITING_MS,
  });
  if (error !== null) return <p role="alert">{error.message}</p>;
  if (data === undefined) return <p className={settings.soft}>Looking for the last event …</p>;
  if (data.body === null) {
    return (
      <p className={settings.soft} role="status">
        No event has arrived yet. Send one, and this page shows what becomes of it.
      </p>
    );
  }
  return (
    <section className={styles.preview} aria-label="Preview" aria-live="polite">
      <h3>The last event becomes</h3>
      {data.becomes.length === 0 ? (
        <p className={settings.bad}>
          {data.why ?? 'Nothing: the settings name no meaning for its state.'}
        </p>
      ) : (
        <dl className={styles.becomes}>
          {data.becomes.map(({ name, value }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{INSTANTS.includes(name) ? formatInstant(value, timezone) : value}</dd>
            </div>
          ))}
        </dl>
      )}
      <h3>It arrived{data.received_at && ` ${formatInstant(data.received_at, timezone)}`}</h3>
      <CopiedText text={indent(data.body)} name="The last body" />
    </section>
  );
}

/** Facts that are shown in the site's zone. */
const INSTANTS = ['Paid', 'Time'];

function indent(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
