import type { ChannelRule, SiteAnswer } from '#contract/sites/site.ts';
import { CHANNEL_FIELDS, CHANNEL_OPS } from '#domain/acquisition/channels/site-channel.ts';
import { useChangeOfSite, useOfSite } from '../../api/account.ts';
import { nameTest } from '../../format/dimensions.ts';
import { Button } from '../../ui/button.tsx';
import { type FieldProps, Form, type FormValues } from '../../ui/form.tsx';
import { DividedList, Inline, Section, Soft, Words } from '../../ui/layout.tsx';
import { EmptyNote, Loaded } from '../../ui/loaded.tsx';

/** The site's custom channels, matched in order before the built-in ones. */
export function Channels() {
  return (
    <Loaded of={useOfSite<SiteAnswer>()} height={240}>
      {({ channels }) => <Rules rules={channels} />}
    </Loaded>
  );
}

function Rules({ rules }: { readonly rules: readonly ChannelRule[] }) {
  const changing = useChangeOfSite();
  const set = (channels: readonly ChannelRule[]) =>
    changing.mutateAsync({ method: 'PATCH', body: { channels } });
  const add = async ({ name = '', ...test }: FormValues) => {
    await set([...rules, { name: name.trim(), where: [test as ChannelRule['where'][number]] }]);
  };
  return (
    <>
      <Section title="Custom channels">
        <Soft>
          The first matching rule sets a visit’s channel. If none matches, the default channel
          applies. Rules apply to past visits too.
        </Soft>
        {rules.length === 0 ? (
          <EmptyNote>There are no rules yet. Add one, for example for partners.</EmptyNote>
        ) : (
          <DividedList as="ol">
            {rules.map((rule, at) => (
              <RuleLine
                key={toText(rule)}
                rule={rule}
                isFirst={at === 0}
                onRaise={() => void set(rules.with(at, rules[at - 1] ?? rule).with(at - 1, rule))}
                onRemove={() => void set(rules.toSpliced(at, 1))}
              />
            ))}
          </DividedList>
        )}
        {changing.error && <p role="alert">{changing.error.message}</p>}
      </Section>
      <Section title="Add a rule">
        <Form key={rules.length} action="Add rule" onSubmit={add} fields={FIELDS} />
      </Section>
    </>
  );
}

const FIELDS: readonly FieldProps[] = [
  { label: 'Channel', name: 'name', placeholder: 'Partners', required: true },
  {
    ...{ label: 'Visits whose', name: 'field' },
    options: CHANNEL_FIELDS.map((value) => ({ value, label: toWords(value) })),
  },
  {
    ...{ label: 'Comparison', name: 'op' },
    options: CHANNEL_OPS.map((value) => ({ value, label: nameTest(value) })),
  },
  {
    ...{ label: 'Value', name: 'value', placeholder: 'partner.example' },
    hint: 'Not case-sensitive. Leave empty to match visits without a value.',
  },
];

type LineProps = {
  readonly rule: ChannelRule;
  readonly isFirst: boolean;
  readonly onRaise: () => void;
  readonly onRemove: () => void;
};

function RuleLine({ rule, isFirst, onRaise, onRemove }: LineProps) {
  return (
    <Inline as="li" isSpread style={{ flexWrap: 'nowrap' }}>
      <span>
        <b>{rule.name}</b> <Words look="soft">{toText(rule)}</Words>
      </span>
      <span>
        {!isFirst && (
          <Button size="small" aria-label={`Move ${rule.name} up`} onClick={onRaise}>
            ↑
          </Button>
        )}{' '}
        <Button size="small" look="danger" onClick={onRemove}>
          Remove
        </Button>
      </span>
    </Inline>
  );
}

function toText({ where }: ChannelRule): string {
  const tests = where.map(
    ({ field, op, value }) =>
      `${toWords(field)} ${nameTest(op)} ${value === '' ? 'nothing' : value}`,
  );
  return `where ${tests.join(' and ')}`;
}

function toWords(name: string): string {
  return name.replaceAll('_', ' ');
}
