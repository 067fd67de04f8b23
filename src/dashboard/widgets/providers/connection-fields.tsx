import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type {
  PreviewAnswer,
  ProviderConnectionDetails,
  ReplayAnswer,
} from '#contract/sites/providers.ts';
import { useChangeOfSite, useSite } from '../../api/account.ts';
import { request } from '../../api/api.ts';
import { formatInstant } from '../../format/dates.ts';
import { formatNoun } from '../../format/numbers.ts';
import { CopiedText } from '../../ui/copied-text.tsx';
import { Field, type FieldProps, Form, type FormValues } from '../../ui/form.tsx';
import { Columns, FactList, Soft, Stack, Words } from '../../ui/layout.tsx';
import { useSettled } from '../../ui/search-field.tsx';
import {
  type ConnectionProps,
  type KnownProvider,
  type ShownConnection,
  WAITING_MS,
} from './connection-state.ts';

/** One of the things that a provider is asked for. */
type KnownField = KnownProvider['fields'][number];

/** The fields by which a provider is known, and those that say where things are in its events. */
export function splitFields(fields: KnownProvider['fields']) {
  const first = fields.findIndex(({ name }) => name.endsWith('_path'));
  const end = first < 0 ? fields.length : first;
  return { signing: fields.slice(0, end), mapping: fields.slice(end) };
}

/** What accounts that several sites share need, and several shops of a site. */
const RARE = /^(?:only_|id_prefix)/;

type FieldsProps = ConnectionProps & {
  readonly action: string;
  readonly hasName?: boolean;
  readonly onSaved?: (() => void) | undefined;
};

/** The form for secrets and settings. Secrets are sent only if something is typed. */
export function ConnectionFields(props: FieldsProps) {
  const { connection, provider, action, hasName = false, onSaved } = props;
  const { mutateAsync } = useChangeOfSite<ProviderConnectionDetails>();
  const { signing: all } = splitFields(provider.fields);
  // The first steps do without the settings that few need.
  const signing = hasName ? all : all.filter(({ name }) => !RARE.test(name));
  const save = async ({ name, ...values }: FormValues) => {
    const isSecret = (field: string) =>
      signing.some((each) => each.name === field && each.is_secret);
    const given = Object.entries(values)
      .map(([field, value]) => [field, value.trim()] as const)
      .filter(([field, value]) => value !== '' || !isSecret(field));
    const fields = Object.fromEntries(given);
    const body = { ...(hasName && { name }), fields };
    await mutateAsync({ method: 'PATCH', path: `/providers/${connection.id}`, body });
    onSaved?.();
    return 'Saved.';
  };
  const { missing, settings } = connection;
  const own = signing.map((field) =>
    toField(field, settings[field.name], missing.includes(field.name)),
  );
  const name = { label: 'Name', name: 'name', defaultValue: connection.name, maxLength: 100 };
  return <Form {...{ action, onSubmit: save }} fields={[...(hasName ? [name] : []), ...own]} />;
}

/** A field of a provider, as it describes it: a secret, one of a few values, or a text. */
function toField(field: KnownField, value = '', isMissing = false): FieldProps {
  const { name, example, is_secret: isSecret, is_required: isRequired } = field;
  const choices = choicesOf(field).map((value) => ({ value }));
  const other = { value: '', label: example === null ? 'Default' : `Default: ${example}` };
  const isKept = isSecret && isRequired && !isMissing;
  return {
    ...{ name, path: `fields/${name}`, hint: field.hint || undefined },
    label: isRequired ? field.label : `${field.label} (optional)`,
    ...(choices.length > 0 && { options: [other, ...choices] }),
    ...(isSecret
      ? { type: 'password', autoComplete: 'new-password', required: isMissing }
      : { autoComplete: 'off', defaultValue: value }),
    placeholder: isKept ? 'unchanged' : (example ?? undefined),
  };
}

/** The values of a field whose pattern lists them: `^(?:hex|base64)$`. */
function choicesOf({ pattern }: KnownField): readonly string[] {
  return /^\^\(\?:([\w|-]+)\)\$$/.exec(pattern ?? '')?.[1]?.split('|') ?? [];
}

/** How many fields are shown at once: what nearly every system needs comes first. */
const MAIN_FIELDS = 8;

/** The form that says where in its events another system has the amount, the id and so on, with what would become of the last one. */
export function FieldMapping({ connection, provider }: ConnectionProps) {
  const { id, settings: chosen } = connection;
  const changed = useChangeOfSite<ProviderConnectionDetails>();
  const replayed = useChangeOfSite<ReplayAnswer>();
  const [typed, setTyped] = useState<FormValues>({});
  const [isOpen, setOpen] = useState(false);
  const { mapping } = splitFields(provider.fields);
  const save = async (fields: FormValues) => {
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
    if (form) setTyped(Object.fromEntries(new FormData(form)) as FormValues);
  };
  // The hint that all paths share stands above them.
  const fields = mapping.map((field) => {
    const hint = field.name.endsWith('_path') ? '' : field.hint;
    return toField({ ...field, hint }, chosen[field.name]);
  });
  return (
    <Columns least={300} gap={24}>
      <Stack onInput={listen}>
        <Soft>{mapping[0]?.hint}</Soft>
        <Form
          {...{ action: 'Save and read failed events again', onSubmit: save }}
          fields={fields.slice(0, MAIN_FIELDS)}
        >
          <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
            <summary>Customer, subscription, refunds and states</summary>
            <Stack style={{ paddingTop: 12 }}>
              {fields.slice(MAIN_FIELDS).map((field) => (
                <Field key={field.name} {...field} />
              ))}
            </Stack>
          </details>
        </Form>
      </Stack>
      <Preview connection={connection} typed={typed} />
    </Columns>
  );
}

type PreviewProps = { readonly connection: ShownConnection; readonly typed: FormValues };

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
  if (data === undefined) return <Soft>Looking for the last event …</Soft>;
  if (data.body === null) {
    return (
      <Soft role="status">
        No event has arrived yet. Send one, and this page shows what becomes of it.
      </Soft>
    );
  }
  const facts = data.becomes.map(
    ({ name, value }) =>
      [name, INSTANTS.includes(name) ? formatInstant(value, timezone) : value] as const,
  );
  return (
    <Stack
      {...{ as: 'section', gap: 12, 'aria-label': 'Preview', 'aria-live': 'polite' }}
      style={{ position: 'sticky', top: 8 }}
    >
      <h3>The last event becomes</h3>
      {facts.length === 0 && (
        <Words as="p" look="bad">
          {data.why ?? 'Nothing: no setting says what its state means.'}
        </Words>
      )}
      <FactList facts={facts} />
      <h3>It arrived{data.received_at && ` ${formatInstant(data.received_at, timezone)}`}</h3>
      <CopiedText text={indent(data.body)} name="The last body" />
    </Stack>
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
