import { ALERT_KINDS, type AlertKind } from '#contract/sites/alert-kinds.ts';
import type { Notices } from '#contract/sites/notices.ts';
import { useChangeOfSite, useOfSite, useSite } from '../../api/account.ts';
import { formatInstant } from '../../format/dates.ts';
import { Button } from '../../ui/button.tsx';
import { Checks, Field, type FieldProps, Form, type FormValues } from '../../ui/form.tsx';
import { Section, Soft, Words } from '../../ui/layout.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { OwnAlerts } from './own-alerts.tsx';

const KINDS: Readonly<Record<AlertKind, string>> = {
  traffic: 'A day with far more or fewer visitors than usual',
  revenue: 'A day with far more or less revenue than usual',
  no_traffic: 'Three hours without a visitor at a time that usually has some',
  dropped_events: 'Many dropped events',
};

/** A user's mails about a site, and for admins its webhook alerts. */
export function MailAndAlerts() {
  const { role } = useSite();
  return (
    <Loaded of={useOfSite<Notices>('/notices')} height={320}>
      {(notices) => (
        <>
          <OwnMails notices={notices} />
          {role !== 'viewer' && <SiteAlerts notices={notices} />}
          {role !== 'viewer' && <OwnAlerts alerts={notices.alerts} />}
        </>
      )}
    </Loaded>
  );
}

const SUMMARY: FieldProps = {
  ...{ label: 'Summary', name: 'summary' },
  hint: 'Revenue and visitors compared with the previous period, and the top sources, pages and goals. Sent at 08:00.',
  options: [
    { value: 'off', label: 'None' },
    { value: 'weekly', label: 'Weekly, on Mondays' },
    { value: 'monthly', label: 'Monthly, on the 1st' },
  ],
};

function OwnMails({ notices }: { readonly notices: Notices }) {
  const { mutateAsync } = useChangeOfSite();
  const { mail, email, subscription } = notices;
  const save = async ({ summary = 'off', alerts }: FormValues) => {
    const body = { summary, alerts: alerts !== undefined };
    await mutateAsync({ method: 'PUT', path: '/notices', body });
    return 'Saved.';
  };
  return (
    <Section title="Your mails">
      {!mail && (
        <Words as="p" look="bad">
          This server sends no mail. Its operator can set SMTP_URL, MAIL_FROM and BASE_URL.
        </Words>
      )}
      <Soft>Mails to you go to {email}.</Soft>
      <Form
        {...{ action: 'Save', onSubmit: save }}
        fields={[
          { ...SUMMARY, defaultValue: subscription.summary },
          {
            ...{ label: 'The site’s alerts', name: 'alerts', type: 'checkbox' },
            defaultChecked: subscription.alerts,
          },
        ]}
      />
      {mail && <SendButton path="/notices/summary" label="Send one now" />}
    </Section>
  );
}

function SiteAlerts({ notices: { alerts, open, mail } }: { readonly notices: Notices }) {
  const { timezone } = useSite();
  const { mutateAsync } = useChangeOfSite();
  const save = async (values: FormValues) => {
    const kinds = ALERT_KINDS.filter((kind) => values[kind] !== undefined);
    const webhook = values.webhook_url?.trim() ?? '';
    const body = { kinds, webhook_url: webhook === '' ? null : webhook };
    await mutateAsync({ method: 'PUT', path: '/alerts', body });
    return 'Saved.';
  };
  return (
    <Section title="Alerts of this site">
      {open.map(({ kind, since }) => (
        <Words as="p" key={kind} look="bad" role="status">
          {KINDS[kind]}: since {formatInstant(since, timezone)}.
        </Words>
      ))}
      <Form action="Save" onSubmit={save}>
        <Checks
          legend="Alert me about"
          options={ALERT_KINDS.map((name) => ({ name, label: KINDS[name] }))}
          chosen={alerts.kinds}
        />
        <Field
          {...{ label: 'Webhook', name: 'webhook_url', type: 'url' }}
          defaultValue={alerts.webhook_url ?? ''}
          placeholder="https://hooks.example.com/tributary"
          hint="Alerts are also posted there: to Slack, Discord and Telegram as messages, to others as JSON."
        />
      </Form>
      {mail && <SendButton path="/notices/alert" to="mail" label="Send a test to me" />}
      {alerts.webhook_url !== null && (
        <SendButton path="/notices/alert" to="webhook" label="Send a test to the webhook" />
      )}
    </Section>
  );
}

type SendProps = {
  readonly path: string;
  readonly label: string;
  readonly to?: 'mail' | 'webhook';
};

function SendButton({ path, label, to }: SendProps) {
  const { mutate, isPending, isSuccess, error } = useChangeOfSite();
  return (
    <div>
      <Button disabled={isPending} onClick={() => mutate({ method: 'POST', path, body: { to } })}>
        {label}
      </Button>{' '}
      <Words look="good" role="status">
        {isSuccess && 'Sent.'}
      </Words>
      {error && <p role="alert">{error.message}</p>}
    </div>
  );
}
