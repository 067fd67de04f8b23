import { useState } from 'react';
import { MAY_HAVE, NEEDED_BY_KIND, type OwnAlertKind } from '#contract/sites/alert-kinds.ts';
import { describeOwnAlert } from '#contract/sites/describe-own-alert.ts';
import type { Notices } from '#contract/sites/notices.ts';
import type { OwnAlert } from '#contract/sites/own-alerts.ts';
import { DEFAULT_VIEW } from '../../address/address.ts';
import { useChangeOfSite, useSite } from '../../api/account.ts';
import { toFilters } from '../../api/query.ts';
import { describeFilter, type ViewFilter } from '../../format/dimensions.ts';
import { formatMetric, formOf, isMetric, METRIC_NAMES } from '../../format/metrics.ts';
import { formatMoney } from '../../format/numbers.ts';
import { Button } from '../../ui/button.tsx';
import { Field, type FieldProps, Form, type FormValues } from '../../ui/form.tsx';
import { DividedList, Inline, Section, Soft } from '../../ui/layout.tsx';
import { Filters } from '../bar/filters.tsx';

const KINDS: Readonly<Record<OwnAlertKind, string>> = {
  below: 'A metric was below a value yesterday',
  above: 'A metric was above a value yesterday',
  changed: 'A metric of yesterday was far from a week before',
  goal: 'A goal is reached',
  payment: 'A payment arrives',
  no_goal: 'A goal is not reached for some hours',
  no_payment: 'No payment arrives for some hours',
};

/** The alerts that admins have put together, and a form for another one. */
export function OwnAlerts({ alerts }: Pick<Notices, 'alerts'>) {
  const { own = [], kinds, webhook_url } = alerts;
  const { currency } = useSite();
  const [adding, removing] = [useChangeOfSite(), useChangeOfSite()];
  const { error } = removing; // The form says what is wrong with a new one.
  const toChange = (next: readonly OwnAlert[]) =>
    ({ method: 'PUT', path: '/alerts', body: { kinds, webhook_url, own: next } }) as const;
  return (
    <Section title="Alerts of your own">
      <Soft>
        They go where the alerts above go. You hear of a goal or payment within a minute or two;
        more within 15 minutes share a message. Yesterday’s values are compared once a day.
      </Soft>
      {own.length > 0 && (
        <DividedList>
          {own.map((alert, at) => {
            const words = describeOwnAlert(alert, toFormat(currency), describeFilter);
            return (
              <Inline as="li" key={words} isSpread style={{ flexWrap: 'nowrap' }}>
                <span>{words}</span>
                <Button
                  {...{ size: 'small', look: 'danger', 'aria-label': `Remove: ${words}` }}
                  onClick={() => removing.mutate(toChange(own.toSpliced(at, 1)))}
                >
                  Remove
                </Button>
              </Inline>
            );
          })}
        </DividedList>
      )}
      {error && <p role="alert">{error.message}</p>}
      <NewAlert
        key={own.length}
        at={own.length}
        onAdd={(alert) => adding.mutateAsync(toChange([...own, alert]))}
      />
    </Section>
  );
}

function toFormat(currency: string) {
  return (metric: string, value: number) => {
    if (!isMetric(metric)) return String(value);
    const isMoney = formOf(metric).unit === 'money';
    return isMoney ? formatMoney({ value: String(value), currency }) : formatMetric(metric, value);
  };
}

const NUMBER = { type: 'number', step: 'any', required: true } as const;

/** What the form asks for, by its name in the API. */
function toFields(currency: string): Readonly<Record<string, FieldProps>> {
  return {
    metric: {
      ...{ label: 'Metric', name: 'metric' },
      options: METRIC_NAMES.map((value) => ({ value, label: formOf(value).label })),
    },
    value: {
      ...{ label: 'Value', name: 'value', ...NUMBER },
      hint: `Money in ${currency}, rates in percent, times in seconds.`,
    },
    percent: { label: 'Percent', name: 'percent', ...NUMBER, min: 1, placeholder: '30' },
    goal: { label: 'Goal', name: 'goal', required: true, placeholder: 'signup' },
    amount: {
      ...{ label: `At least (${currency})`, name: 'amount', ...NUMBER, min: 0, defaultValue: 0 },
    },
    hours: { label: 'Hours', name: 'hours', ...NUMBER, step: 1, min: 1, placeholder: '24' },
  };
}

type NewAlertProps = {
  /** Its place in the list, by which its faults are known. */
  readonly at: number;
  readonly onAdd: (alert: OwnAlert) => Promise<unknown>;
};

function NewAlert({ at, onAdd }: NewAlertProps) {
  const { currency } = useSite();
  const [when, setWhen] = useState<OwnAlertKind>('below');
  const [filters, setFilters] = useState<readonly ViewFilter[]>([]);
  const fields = toFields(currency);
  const isFiltered = MAY_HAVE[when]?.includes('filters') === true;
  const names = when === 'payment' ? ['amount'] : NEEDED_BY_KIND[when];
  const add = (values: FormValues) => {
    const given = names.map((name) => [name, toValue(name, values[name] ?? '')]);
    return onAdd({
      ...{ when, ...Object.fromEntries(given) },
      ...(isFiltered && filters.length > 0 && { filters: toFilters(filters) }),
    });
  };
  return (
    <Form action="Add alert" onSubmit={async (values) => void (await add(values))}>
      <Field
        {...{ label: 'When', name: 'when', value: when }}
        options={Object.entries(KINDS).map(([value, label]) => ({ value, label }))}
        onChange={({ target }) => setWhen(target.value as OwnAlertKind)}
      />
      {names.map((name) => (
        <Field key={`${when} ${name}`} label={name} {...fields[name]} path={`own/${at}/${name}`} />
      ))}
      {isFiltered && (
        <Inline role="group" aria-label="Filters of the alert">
          <Filters view={{ ...DEFAULT_VIEW, filters }} onChange={setFilters} />
          {filters.length === 0 && <Soft>Without a filter: all visits.</Soft>}
        </Inline>
      )}
    </Form>
  );
}

function toValue(name: string, text: string): string | number {
  return name === 'metric' || name === 'goal' ? text.trim() : Number(text);
}
