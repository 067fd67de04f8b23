import { useState } from 'react';
import { useLocation } from 'wouter';
import type { SiteAnswer } from '#contract/sites/site.ts';
import { useChangeOfSite, useOfSite, useSite } from '../../api/account.ts';
import { dayForm, todayIn, toWallClock } from '../../format/dates.ts';
import { listCurrencies, listTimeZones } from '../../format/zones.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmButton, Dialog } from '../../ui/dialog.tsx';
import { Field, type FormValues } from '../../ui/form.tsx';
import { Inline, Section, Soft } from '../../ui/layout.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { findDeletedBefore } from './first-kept-day.ts';
import { type SiteField, SiteForm } from './site-form.tsx';

/** A site's name, time zone, display currency, hosts and retention. */
export function General() {
  return (
    <Loaded of={useOfSite<SiteAnswer>()} height={320}>
      {(site) => (
        <>
          <SiteSettings key={site.id} site={site} />
          <RemoveSite />
        </>
      )}
    </Loaded>
  );
}

function SiteSettings({ site }: { readonly site: SiteAnswer }) {
  const [, navigate] = useLocation();
  const [question, setQuestion] = useState<Question>();
  const confirm = async ({ timezone, ...values }: FormValues) => {
    const change = {
      from: site.settings.retention ?? '',
      to: values['settings/retention']?.trim() ?? '',
    };
    const day = findDeletedBefore(change, todayIn(timezone ?? site.timezone));
    if (day === undefined) return true;
    const answer = new Promise<boolean>((onAnswer) => setQuestion({ day, onAnswer }));
    return answer.finally(() => setQuestion(undefined));
  };
  // The domain is part of the page's address.
  const follow = ({ domain }: SiteAnswer) => {
    const to = `/${domain}/settings/general${location.search}`;
    if (domain !== site.domain) navigate(to, { replace: true });
  };
  return (
    <>
      <SiteForm title="General" fields={fieldsOf(site)} onSaved={follow} {...{ site, confirm }} />
      {question && <DeletionDialog {...question} />}
    </>
  );
}

function fieldsOf({ domain, timezone, currency }: SiteAnswer): readonly SiteField[] {
  return [
    { name: 'name', label: 'Name', placeholder: domain },
    {
      ...{ name: 'domain', label: 'Domain', required: true },
      hint: 'The script tag in your pages also names it: change it there too.',
    },
    {
      ...{ name: 'timezone', label: 'Time zone' },
      hint: 'Decides when days begin, past ones included.',
      options: listTimeZones(timezone).map((value) => ({ value })),
    },
    {
      ...{ name: 'currency', label: 'Currency', options: listCurrencies(currency) },
      hint: 'The currency of reports. Past payments are converted at their day’s rate.',
    },
    {
      ...{ name: 'allowed_hosts', label: 'Allowed hosts', isList: true },
      hint: 'Other hosts to accept events from, such as shop.example.net. The domain and its subdomains are always allowed.',
    },
    {
      ...{ name: 'settings/retention', label: 'Keep events for', placeholder: 'forever' },
      hint: 'For example 90d or 25mo. Older events are permanently deleted, within seconds of saving.',
    },
  ];
}

/** Removes a site after its name is typed. */
function RemoveSite() {
  const { domain, role } = useSite();
  const [, navigate] = useLocation();
  const { mutateAsync } = useChangeOfSite();
  const remove = async ({ typed }: FormValues) => {
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
          {...{ label: 'Remove this site …', title: `Remove ${domain}?`, action: 'Remove site' }}
          onConfirm={remove}
        >
          <Field label={`Type ${domain}`} name="typed" autoComplete="off" required />
        </ConfirmButton>
      </div>
    </Section>
  );
}

type Question = { readonly day: string; readonly onAnswer: (isSure: boolean) => void };

/** Asks before events are deleted. */
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
