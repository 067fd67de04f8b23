import type { WaitingMessage } from '#domain/account/notices.ts';
import { DAY_MS } from '#domain/time/durations.ts';
import type { NotifiedSite } from './ask-figures.ts';
import type { Alert } from './find-alerts.ts';
import type { Mailer } from './mailer.ts';
import { escapeHtml, type OwnMail, toSubscriber } from './own-mail.ts';
import type { AlertStore, NoticeStore } from './ports.ts';
import { postWebhook } from './post-webhook.ts';

/** The dependencies of delivering alerts. */
export type DeliverDeps = {
  readonly notices: NoticeStore;
  readonly alerts: Pick<AlertStore, 'takeDue' | 'finish'>;
  readonly isMember: (userId: string, siteId: string) => Promise<boolean>;
  readonly mailer: Mailer | undefined;
  readonly baseUrl: string | undefined;
  readonly now: () => number;
  readonly onFailure: (reason: string) => void;
};

/** An alert with its site and time, as webhooks get it. */
export type SentAlert = Alert & { readonly site: string; readonly at: string };

/** How many are sent at once. */
const TOGETHER_MAX = 10;
/** What could not be delivered for this long is given up. */
const PATIENCE_MS = 2 * DAY_MS;
/** Why no mail can be sent, and who can change that. */
export const NO_MAIL =
  'This server sends no mail. Its operator can set SMTP_URL, MAIL_FROM and BASE_URL.';

/**
 * Delivers the messages that are due. One that fails stays, and is due again later: each on its own, so that a mail
 * server that is away keeps nobody else waiting.
 *
 * - Why with an id: a crash between sending and noting it sends again. Mail programs and webhooks can tell by the id.
 */
export async function deliverDue(
  deps: DeliverDeps,
  sites: ReadonlyMap<string, NotifiedSite>,
): Promise<void> {
  for (;;) {
    const due = await deps.alerts.takeDue(TOGETHER_MAX);
    await Promise.all(due.map((delivery) => tryToDeliver(deps, sites, delivery)));
    if (due.length < TOGETHER_MAX) return;
  }
}

async function tryToDeliver(
  deps: DeliverDeps,
  sites: ReadonlyMap<string, NotifiedSite>,
  delivery: WaitingMessage,
): Promise<void> {
  try {
    if (sites.has(delivery.siteId)) await deliver(deps, delivery);
  } catch (error) {
    deps.onFailure((error as Error).message);
    if (deps.now() - delivery.madeAt < PATIENCE_MS) return;
  }
  await deps.alerts.finish(delivery.id);
}

/** Sends a message, unless nobody wants it any more. */
async function deliver(deps: DeliverDeps, { id, siteId, userId, content }: WaitingMessage) {
  const alert = JSON.parse(content) as SentAlert;
  if (userId === '') {
    const { webhookUrl, isTrusted } = await deps.notices.findRules(siteId);
    if (webhookUrl !== undefined) await postWebhook(webhookUrl, { ...alert, id }, isTrusted);
    return;
  }
  const subscriber = await deps.notices.findSubscriber(userId, siteId);
  if (!subscriber?.hasAlerts || !(await deps.isMember(userId, siteId))) return;
  const { mailer, baseUrl } = deps;
  if (mailer === undefined || baseUrl === undefined) throw new Error(NO_MAIL);
  const mail = toSubscriber(toAlertMail(alert, baseUrl), subscriber, baseUrl);
  await mailer.send({ ...mail, messageId: `<${id}@${new URL(baseUrl).hostname}>` });
}

/** The mail of an alert. */
export function toAlertMail({ site, title, message }: SentAlert, baseUrl: string): OwnMail {
  const url = `${baseUrl}/${site}`;
  return {
    subject: title,
    text: `${message}\n\n${url}`,
    html: `<p>${escapeHtml(message)}</p>\n<p><a href="${url}" style="color:#3d5fe8">Open the dashboard</a></p>`,
  };
}
