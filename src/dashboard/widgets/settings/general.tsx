import { useState } from 'react';
import { useLocation } from 'wouter';
import type { SiteAnswer } from '#contract/sites/site.ts';
import { useSite } from '../../api/account.ts';
import { useChangeOfSite, useOfSite } from '../../api/site-settings.ts';
import { listCurrencies } from '../../format/currencies.ts';
import { dayForm, todayIn, toWallClock } from '../../format/dates.ts';
import { listTimeZones } from '../../format/time-zones.ts';
import { Button } from '../../ui/button.tsx';
import { Section } from '../../ui/card.tsx';
import { ConfirmButton } from '../../ui/confirm.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ChoiceField, Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Inline, Soft } from '../../ui/layout.tsx';
import { Unloaded } from '../../ui/note.tsx';
import { findDeletedBefore } from './first-kept-day.ts';

/** A site's name, time zone and display currency. */
export function General() {
  const site = useOfSite<SiteAnswer>();
  if (site.data === undefined) return <Unloaded {...site} height={320} />;
  return (
    <>
      <SiteForm key={site.data.id} site={site.data} />
      <RemoveSite />
    </>
  );
}

function SiteForm({ site }: { readonly site: SiteAnswer }) {
  const { mutateAsync } = useChangeOfSite<SiteAnswer>();
  const [, navigate] = useLocation();
  const { ask, dialog } = useDeletionQuestion();
  const save = async (values: Readonly<Record<string, string>>) => {
    const { hosts = '', retention: typed = '', ...named } = values;
    const retention = typed.trim();
    const today = todayIn(values.timezone ?? site.timezone);
    const day = findDeletedBefore({ from: site.settings.retention ?? '', to: retention }, today);
    if (day !== undefined && !(await ask(day))) return;
    const body = {
      ...named,
      allowed_hosts: hosts.split(/[\s,]+/).filter(Boolean),
      settings: { retention: retention === '' ? null : retention },
    };
    const { domain } = await mutateAsync({ method: 'PATCH', body });
    // The domain is part of the page's address.
    if (domain !== site.domain) {
      navigate(`/${domain}/settings/general${location.search}`, { replace: true });
    }
    return 'Saved.';
  };
  return (
    <Section title="General">
      <Form action="Save" onSubmit={save}>
        <Field
          {...{ label: 'Name', name: 'name', defaultValue: site.name }}
          placeholder={site.domain}
        />
        <Field
          {...{ label: 'Domain', name: 'domain', defaultValue: site.domain, required: true }}
          hint="The script tag in your pages also names it: change it there too."
        />
        <ChoiceField
          {...{ label: 'Time zone', name: 'timezone', defaultValue: site.timezone }}
          hint="Decides when days begin, past ones included."
          options={listTimeZones(site.timezone).map((value) => ({ value }))}
        />
        <ChoiceField
          {...{ label: 'Currency', name: 'currency', defaultValue: site.currency }}
          hint="The currency of reports. Past payments are converted at their day’s rate."
          options={listCurrencies(site.currency)}
        />
        <Field
          {...{ label: 'Allowed hosts', name: 'hosts' }}
          defaultValue={site.allowed_hosts.join(', ')}
          hint="Other hosts to accept events from, such as shop.example.net. The domain and its subdomains are always allowed."
          path="allowed_hosts"
        />
        <Field
          {...{ label: 'Keep events for', name: 'retention' }}
          defaultValue={site.settings.retention ?? ''}
          placeholder="forever"
          hint="For example 90d or 25mo. Older events are permanently deleted, within seconds of saving."
          path="settings/retention"
        />
      </Form>
      {dialog}
    </Section>
  );
}

/** Removes a site after its name is typed. */
function RemoveSite() {
  const { domain, role } = useSite();
  const [, navigate] = useLocation();
  const { mutateAsync } = useChangeOfSite();
  const remove = async ({ typed }: Readonly<Record<string, string>>) => {
    if (typed !== domain) throw new Error(`Type ${domain} to remove it.`);
    await mutateAsync({ method: 'DELETE' });
    navigate('/');
  };
  if (role !== 'owner') return null;
  return (
    <Section title="Remove this site">
      <Soft>
        Its script and keys stop working immediately. Recorded data stays on disk and can still be
        erased by command.
      </Soft>
      <div>
        <ConfirmButton
          {...{ label: `Remove ${domain} …`, title: `Remove ${domain}?`, action: 'Remove site' }}
          onConfirm={remove}
        >
          <Field label={`Type ${domain}`} name="typed" autoComplete="off" required />
        </ConfirmButton>
      </div>
    </Section>
  );
}

type Question = {
  readonly day: string;
  readonly onAnswer: (isSure: boolean) => void;
};

/** A dialog that asks before events are deleted, and a function that opens it and waits for the answer. */
function useDeletionQuestion() {
  const [question, setQuestion] = useState<Question>();
  const ask = (day: string) =>
    new Promise<boolean>((resolve) => {
      const onAnswer = (isSure: boolean) => {
        setQuestion(undefined);
        resolve(isSure);
      };
      setQuestion({ day, onAnswer });
    });
  return { ask, dialog: question && <DeletionDialog {...question} /> };
}

function DeletionDialog({ day, onAnswer }: Question) {
  const title = `Delete events before ${dayForm('UTC', false).format(toWallClock(day))}?`;
  return (
    <Dialog title={title} isOpen onClose={() => onAnswer(false)}>
      <p>
        Events and visits before that day will be deleted for good, within seconds. A longer time
        does not bring them back. Payments stay.
      </p>
      <Inline style={{ paddingTop: 24, justifyContent: 'end' }}>
        <Button onClick={() => onAnswer(false)}>Cancel</Button>
        <Button look="danger" onClick={() => onAnswer(true)}>
          Delete and save
        </Button>
      </Inline>
    </Dialog>
  );
}
