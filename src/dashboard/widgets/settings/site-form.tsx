import type { SiteAnswer } from '#contract/sites/site.ts';
import { useChangeOfSite } from '../../api/account.ts';
import { type FieldProps, Form, type FormValues } from '../../ui/form.tsx';
import { Section } from '../../ui/layout.tsx';

/** A field for what the site has at its name: `timezone`, `settings/retention`. */
export type SiteField = FieldProps & {
  readonly name: keyof SiteAnswer | `settings/${keyof SiteAnswer['settings']}`;
  /** Whether it holds several values. */
  readonly isList?: boolean;
};

type SiteFormProps = {
  readonly title: string;
  readonly site: SiteAnswer;
  readonly fields: readonly SiteField[];
  /** Whether to go on with these values. */
  readonly confirm?: (values: FormValues) => Promise<boolean>;
  readonly onSaved?: (saved: SiteAnswer) => void;
};

/** A form for some of what a site is set to. An empty setting is its default. */
export function SiteForm({ title, site, fields, confirm, onSaved }: SiteFormProps) {
  const { mutateAsync } = useChangeOfSite<SiteAnswer>();
  const save = async (values: FormValues) => {
    if (confirm && !(await confirm(values))) return;
    onSaved?.(await mutateAsync({ method: 'PATCH', body: toBody(fields, values) }));
    return 'Saved.';
  };
  return (
    <Section title={title}>
      <Form
        action="Save"
        onSubmit={save}
        fields={fields.map(({ isList, ...field }) => ({
          ...{ ...field, defaultValue: toText(site, field.name) },
        }))}
      />
    </Section>
  );
}

/** A field's value as a text. */
function toText(site: SiteAnswer, name: string): string {
  const [part, setting] = name.split('/');
  const values: Readonly<Record<string, unknown>> = setting ? site.settings : site;
  const value = values[setting ?? part ?? ''];
  return Array.isArray(value) ? value.join(', ') : `${value ?? ''}`;
}

/** The change that a form's values ask for. */
function toBody(fields: readonly SiteField[], values: FormValues): object {
  const settings: Record<string, unknown> = {};
  const body: Record<string, unknown> = { settings };
  for (const { name, isList } of fields) {
    const text = values[name]?.trim() ?? '';
    const value = isList ? text.split(/[\s,]+/).filter(Boolean) : text;
    if (name.startsWith('settings/')) settings[name.slice('settings/'.length)] = value || null;
    else body[name] = value;
  }
  return body;
}
