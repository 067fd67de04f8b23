import Type, { type Static } from 'typebox';
import { Strict } from '../query-fields.ts';
import { ALERT_KINDS } from './alert-kinds.ts';
import { OWN_ALERTS_MAX, OwnAlert } from './own-alerts.ts';

/** How often a login gets a summary by mail. */
const SUMMARY_RHYTHMS = ['off', 'weekly', 'monthly'] as const;

/** The mails that a login gets about a site. */
export const SubscriptionFields = Strict({
  summary: Type.Enum([...SUMMARY_RHYTHMS], { description: 'How often to send a summary.' }),
  alerts: Type.Boolean({ description: 'Whether to send the site’s alerts by mail.' }),
});

/** The alerts of a site, and their webhook. */
export const AlertFields = Strict({
  kinds: Type.Array(Type.Enum([...ALERT_KINDS]), {
    uniqueItems: true,
    description:
      '`traffic` and `revenue`: a day differs much from the same weekday of earlier weeks. `no_traffic`: three hours without visitors that usually have some. `dropped_events`: many events were dropped within two hours.',
  }),
  webhook_url: Type.Union([Type.String({ maxLength: 2_000 }), Type.Null()], {
    description:
      'A URL that receives each alert as a JSON `POST`, or null for none. Slack, Discord and Telegram get their own formats.',
  }),
  own: Type.Optional(
    Type.Array(OwnAlert, {
      ...{ maxItems: OWN_ALERTS_MAX, uniqueItems: true },
      description: 'Alerts of your own: the complete list. Without it, they stay as they are.',
    }),
  ),
});

/** Where a test alert goes. */
export const TestAlert = Strict({
  to: Type.Optional(
    Type.Enum(['mail', 'webhook'] as const, {
      description: 'Default: to the webhook, if there is one, and to yourself.',
    }),
  ),
});

/** The path of the page that ends mails. */
export const UnsubscribePath = Type.Object({
  token: Type.String({ description: 'The token in the mail’s link.' }),
});

/** The notices of a site: a login's own mails and the site's alerts. */
export const Notices = Type.Object(
  {
    mail: Type.Boolean({ description: 'Whether this server can send mail.' }),
    email: Type.String({ description: 'The address that receives the mails.' }),
    subscription: SubscriptionFields,
    alerts: AlertFields,
    open: Type.Array(Type.Object({ kind: Type.Enum([...ALERT_KINDS]), since: Type.String() }), {
      description: 'Open alerts.',
    }),
  },
  { title: 'Notices', description: 'Summaries and alerts of the site.' },
);
export type Notices = Static<typeof Notices>;
