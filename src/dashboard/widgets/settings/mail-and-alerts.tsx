import { useState } from 'react';
import { ALERT_KINDS, type AlertKind, type Notices } from '#contract/sites/notices.ts';
import { useSite } from '../../api/account.ts';
import { useChangeOfSite, useOfSite } from '../../api/site-settings.ts';
import { formatInstant } from '../../format/dates.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ChoiceField, Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Bones, ErrorNote } from '../../ui/note.tsx';
import styles from './settings.module.css';

const KINDS: Readonly<Record<AlertKind, string>> = {
  traffic: 'A day with far more or fewer visitors than usual',
  revenue: 'A day with far more or less revenue than usual',
  no_traffic: 'Three hours without a visitor at a time that usually has some',
  dropped_events: 'Many dropped events',
};

/** A user's mails about a site, and for admins its webhook alerts. */
export function MailAndAlerts() {
  const { role } = useSite();
  const { data, error, refetch } = useOfSite<Notices>('/notices');
  if (error) return <ErrorNote error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Bones height={320} />;
  return (
    <>
      <OwnMails notices={data} />
      {role !== 'viewer' && <SiteAlerts notices={data} />}
    </>
  );
}

function OwnMails({ notices }: { readonly notices: Notices }) {
  const { mutateAsync } = useChangeOfSite();
  const [isSaved, setSaved] = useState(false);
  const { mail, email, subscription } = notices;
  const save = async ({ summary = 'off', alerts }: Readonly<Record<string, string>>) => {
    setSaved(false);
    const body = { summary, alerts: alerts !== undefined };
    await mutateAsync({ method: 'PUT', path: '/notices', body });
    setSaved(true);
  };
  return (
    <Card isPadded className={styles.card}>
      <h2>Your mails</h2>
      {!mail && (
        <p className={styles.bad}>
          This server sends no mail. Its operator can set SMTP_URL, MAIL_FROM and BASE_URL.
        </p>
      )}
      <p className={styles.soft}>They go to {email}.</p>
      <Form action="Save" onSubmit={save} beside={<Saved isSaved={isSaved} />}>
        {() => (
          <>
            <ChoiceField
              {...{ label: 'Summary', name: 'summary', defaultValue: subscription.summary }}
              hint="Revenue and visitors compared with the previous period, and the top sources, pages and goals. Sent at 8 a.m."
            >
              <option value="off">None</option>
              <option value="weekly">Weekly, on Mondays</option>
              <option value="monthly">Monthly, on the 1st</option>
            </ChoiceField>
            <label className={styles.checked}>
              <input type="checkbox" name="alerts" defaultChecked={subscription.alerts} />
              Alerts when something is unusual
            </label>
          </>
        )}
      </Form>
      {mail && <SendButton path="/notices/summary" label="Send one now" />}
    </Card>
  );
}

function SiteAlerts({ notices: { alerts, open, mail } }: { readonly notices: Notices }) {
  const { timezone } = useSite();
  const { mutateAsync } = useChangeOfSite();
  const [isSaved, setSaved] = useState(false);
  const save = async (values: Readonly<Record<string, string>>) => {
    setSaved(false);
    const kinds = ALERT_KINDS.filter((kind) => values[kind] !== undefined);
    const webhook = values.webhook_url?.trim() ?? '';
    const body = { kinds, webhook_url: webhook === '' ? null : webhook };
    await mutateAsync({ method: 'PUT', path: '/alerts', body });
    setSaved(true);
  };
  return (
    <Card isPadded className={styles.card}>
      <h2>Alerts of this site</h2>
      {open.map(({ kind, since }) => (
        <p key={kind} className={styles.bad} role="status">
          {KINDS[kind]}: since {formatInstant(since, timezone)}.
        </p>
      ))}
      <Form action="Save" onSubmit={save} beside={<Saved isSaved={isSaved} />}>
        {(faultOf) => (
          <>
            <fieldset className={styles.rules}>
              <legend>Alert me about</legend>
              {ALERT_KINDS.map((kind) => (
                <label key={kind} className={styles.checked}>
                  <input type="checkbox" name={kind} defaultChecked={alerts.kinds.includes(kind)} />
                  {KINDS[kind]}
                </label>
              ))}
            </fieldset>
            <Field
              {...{ label: 'Webhook', name: 'webhook_url', type: 'url' }}
              defaultValue={alerts.webhook_url ?? ''}
              placeholder="https://hooks.example.com/tributary"
              hint="Alerts are also posted there as JSON."
              fault={faultOf('webhook_url')}
            />
          </>
        )}
      </Form>
      {(mail || alerts.webhook_url !== null) && (
        <SendButton path="/notices/alert" label="Send a test" />
      )}
    </Card>
  );
}

function Saved({ isSaved }: { readonly isSaved: boolean }) {
  return (
    <span className={styles.saved} role="status">
      {isSaved && 'Saved.'}
    </span>
  );
}

function SendButton({ path, label }: { readonly path: string; readonly label: string }) {
  const { mutate, isPending, isSuccess, error } = useChangeOfSite();
  return (
    <div>
      <Button disabled={isPending} onClick={() => mutate({ method: 'POST', path, body: {} })}>
        {label}
      </Button>{' '}
      <span className={styles.saved} role="status">
        {isSuccess && 'Sent.'}
      </span>
      {error && <p role="alert">{error.message}</p>}
    </div>
  );
}
