import type { ProviderConnectionDetails } from '#contract/sites/providers.ts';
import { useChangeOfSite } from '../../api/site-settings.ts';
import { ChoiceField, Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import type { ConnectionProps, KnownProvider } from './use-providers.ts';

/** One of the things that a provider is asked for. */
export type KnownField = KnownProvider['fields'][number];

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
  const save = async ({ name, ...values }: Readonly<Record<string, string>>) => {
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
  return (
    <Form action={action} onSubmit={save}>
      {hasName && (
        <Field
          {...{ label: 'Name', name: 'name' }}
          defaultValue={connection.name}
          maxLength={100}
        />
      )}
      {signing.map((field) => (
        <OneField
          key={field.name}
          field={field}
          value={connection.settings[field.name]}
          isMissing={connection.missing.includes(field.name)}
        />
      ))}
    </Form>
  );
}

type OneFieldProps = {
  readonly field: KnownField;
  readonly value: string | undefined;
  readonly isMissing?: boolean;
};

/** A field of a provider, as it describes it: a secret, one of a few values, or a text. */
export function OneField({ field, value, isMissing = false }: OneFieldProps) {
  const { name, label, example, is_secret: isSecret, is_required: isRequired } = field;
  const hint = field.hint === '' ? {} : { hint: field.hint };
  const shown = isRequired ? label : `${label} (optional)`;
  const choices = choicesOf(field);
  const path = `fields/${name}`;
  if (choices.length > 0) {
    return (
      <ChoiceField {...{ label: shown, name, path, ...hint }} defaultValue={value ?? ''}>
        <option value="">{example === null ? 'Default' : `Default: ${example}`}</option>
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {choice}
          </option>
        ))}
      </ChoiceField>
    );
  }
  const isKept = isSecret && isRequired && !isMissing;
  return (
    <Field
      {...{ label: shown, name, path, ...hint }}
      type={isSecret ? 'password' : 'text'}
      autoComplete={isSecret ? 'new-password' : 'off'}
      defaultValue={isSecret ? undefined : (value ?? '')}
      placeholder={isKept ? 'unchanged' : (example ?? undefined)}
      required={isMissing && isSecret}
    />
  );
}

/** The values of a field whose pattern lists them: `^(?:hex|base64)$`. */
function choicesOf({ pattern }: KnownField): readonly string[] {
  const list = /^\^\(\?:([\w|-]+)\)\$$/.exec(pattern ?? '')?.[1];
  return list?.split('|') ?? [];
}
