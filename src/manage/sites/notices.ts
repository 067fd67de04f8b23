import { DONE, Done } from '#contract/done.ts';
import { bodyErrors } from '#contract/error.ts';
import type { AlertKind } from '#contract/sites/alert-kinds.ts';
import {
  AlertFields,
  Notices,
  SubscriptionFields,
  TestAlert,
  UnsubscribePath,
} from '#contract/sites/notices.ts';
import { findOwnAlertFaults, type OwnAlert } from '#contract/sites/own-alerts.ts';
import { UnavailableError } from '#domain/unavailable.ts';
import type { Notifier } from '#notify/keep-notifying.ts';
import { findWebhookFault } from '#notify/post-webhook.ts';
import { refuseFaults } from '#server/errors/errors.ts';
import type { Server } from '#server/server-type.ts';
import { addOpenRoute, type OfSite, siteRoutes } from '../access/routes.ts';
import type { SiteAccess } from '../access/users.ts';
import { assertMayMail } from '../accounts/begin.ts';
import type { UserAccounts } from '../ports.ts';

/** Saves subscriptions, and sends what somebody asks for by a click. */
export type SendsNotices = Pick<Notifier, 'subscribe' | 'sendSummary' | 'sendTest' | 'tryOwn'>;

type NoticeDeps = SiteAccess<'notices' | 'alerts' | 'takeMail'> & {
  readonly notifier: SendsNotices;
  /** Whether a mail server is configured. */
  readonly canMail: boolean;
};

/** `/api/v1/sites/{id}/notices` and `/alerts`: summaries and alerts, and unsubscribing. */
export function addNoticeRoutes(server: Server, deps: NoticeDeps): void {
  addChoices(server, deps);
  addSending(server, deps);
  addUnsubscribing(server, deps.accounts);
}

function addChoices(server: Server, deps: NoticeDeps): void {
  const { notices, alerts } = deps.accounts;
  const add = siteRoutes(server, deps);
  add('GET /notices', 'viewer', {
    operation: ['findNotices', 'Get the mail and alert settings of a site'],
    answer: Notices,
    handle: (asked) => toAnswer(deps, asked),
  });
  add('PUT /notices', 'viewer', {
    operation: ['subscribe', 'Choose your mails about a site'],
    body: SubscriptionFields,
    answer: Notices,
    async handle({ site, user, body: { summary, alerts } }) {
      await deps.notifier.subscribe(site, user.id, { summary, hasAlerts: alerts });
      return toAnswer(deps, { site, user });
    },
  });
  add('PUT /alerts', 'admin', {
    operation: ['setAlerts', 'Choose a site’s alerts and their webhook'],
    description:
      'The webhook must be a public https URL. The owner of the server may set any URL, including one on a private network.',
    body: AlertFields,
    answer: Notices,
    async handle({ site, user, body, note }) {
      const { kinds, webhook_url: webhookUrl, own } = body;
      // If somebody else saves the same URL again, its trust does not change.
      const before = await notices.findRules(site.id);
      const isTrusted = webhookUrl === before.webhookUrl ? before.isTrusted : user.isOwner;
      const fault = webhookUrl && findWebhookFault(webhookUrl, isTrusted);
      if (fault) throw refuseFaults([{ path: '/webhook_url', message: fault }]);
      if (own !== undefined) await assertOwn(deps, site, own);
      const rules = { kinds, webhookUrl: webhookUrl ?? undefined, isTrusted };
      await notices.setRules(site.id, rules);
      if (own !== undefined) await alerts.setOwn(site.id, own.map(toRule));
      await note('alerts changed', [...kinds, ...(own ?? []).map(({ when }) => when)].join(', '));
      return toAnswer(deps, { site, user });
    },
  });
}

/** Refuses alerts that lack something, and new ones whose query would be refused. */
async function assertOwn(
  { notifier, accounts }: NoticeDeps,
  site: OfSite['site'],
  own: readonly OwnAlert[],
): Promise<void> {
  const faults = own.flatMap((alert, index) => findOwnAlertFaults(alert, `/own/${index}`));
  if (faults.length > 0) throw refuseFaults(faults);
  const known = new Set((await accounts.alerts.listOwn(site.id)).map(({ rule }) => rule));
  for (const [index, alert] of own.entries()) {
    if (known.has(toRule(alert))) continue;
    await notifier.tryOwn(site, alert).catch((error: unknown) => {
      if (error instanceof UnavailableError) throw error;
      throw refuseFaults([{ path: `/own/${index}`, message: messageOf(error) }]);
    });
  }
}

/** An alert as it is known by, whatever the order of its fields. */
function toRule(alert: OwnAlert): string {
  return JSON.stringify(
    Object.fromEntries(Object.entries(alert).toSorted(([a], [b]) => (a < b ? -1 : 1))),
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function addSending(server: Server, deps: NoticeDeps): void {
  const add = siteRoutes(server, deps);
  const { notifier } = deps;
  add('POST /notices/summary', 'viewer', {
    operation: ['sendSummary', 'Send yourself the summary of the last week or month'],
    answer: Done,
    errors: bodyErrors('rate_limited'),
    handle: ({ site, user }) => send(deps, user, () => notifier.sendSummary(site, user.id)),
  });
  add('POST /notices/alert', 'admin', {
    operation: ['sendTestAlert', 'Send a test alert to the webhook and to yourself'],
    body: TestAlert,
    answer: Done,
    errors: bodyErrors('rate_limited'),
    handle: ({ site, user, body }) =>
      send(deps, user, () => notifier.sendTest(site, user.id, body.to)),
  });
}

/** Sends what somebody has asked for by a click. Refuses if that fails, with the reason. */
async function send(
  { accounts }: NoticeDeps,
  { id, email }: OfSite['user'],
  work: () => Promise<void>,
): Promise<typeof DONE> {
  assertMayMail(accounts, email, id);
  await work().catch((error: unknown) => {
    if (error instanceof UnavailableError) throw error;
    throw refuseFaults([{ path: '', message: `This could not be sent: ${messageOf(error)}` }]);
  });
  return DONE;
}

function addUnsubscribing(server: Server, { notices }: Pick<UserAccounts, 'notices'>): void {
  addOpenRoute(server, 'POST /unsubscribe/:token', [], {
    operation: ['unsubscribe', 'Unsubscribe from mails'],
    description:
      'One-click unsubscription (RFC 8058), without signing in. The response does not reveal whether there were any.',
    params: UnsubscribePath,
    answer: Done,
    errors: {},
    bodyLimit: 1_024,
    async handle({ params: { token } }) {
      await notices.unsubscribe(token);
      return DONE;
    },
  });
}

async function toAnswer(
  { accounts, canMail }: NoticeDeps,
  { site: { id: siteId }, user }: Pick<OfSite, 'site' | 'user'>,
): Promise<Notices> {
  const { id, email } = user;
  const { summary, hasAlerts } = await accounts.notices.find(id, siteId);
  const { kinds, webhookUrl } = await accounts.notices.findRules(siteId);
  const own = await accounts.alerts.listOwn(siteId);
  return {
    ...{ mail: canMail, email },
    subscription: { summary, alerts: hasAlerts },
    alerts: {
      kinds: kinds as AlertKind[],
      // The URL is a secret: anybody who has it can post there.
      webhook_url:
        (await accounts.findRole(user, siteId)) === 'viewer' ? null : (webhookUrl ?? null),
      own: own.map(({ rule }) => JSON.parse(rule) as OwnAlert),
    },
    open: (await accounts.notices.listOpen(siteId)).map(({ kind, since }) => ({
      kind: kind as AlertKind,
      since: new Date(since).toISOString(),
    })),
  };
}
