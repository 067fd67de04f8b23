import type { Subscriber, Subscription } from '#domain/account/notices.ts';
import { assert } from '#domain/assert.ts';
import { keepRunning } from '#jobs/keep-running.ts';
import { askFigures, type NotifiedSite } from './ask-figures.ts';
import { type Alert, findAlerts, type Looked } from './find-alerts.ts';
import type { Mailer } from './mailer.ts';
import { escapeHtml, type OwnMail, toSubscriber } from './own-mail.ts';
import type { NoticeStore } from './ports.ts';
import { postWebhook } from './post-webhook.ts';
import { toSummaryMail } from './summary-mail.ts';
import { isDue, lastWhole } from './summed-days.ts';

/** The dependencies of summaries and alerts. `now` is in milliseconds, UTC. */
type NotifyDeps = Looked & {
  readonly notices: NoticeStore;
  readonly isMember: (userId: string, siteId: string) => Promise<boolean>;
  readonly listSites: () => Promise<readonly NotifiedSite[]>;
  readonly mailer: Mailer | undefined;
  readonly baseUrl: string | undefined;
  readonly now: () => number;
  /** Called when something could not be sent. It is retried. */
  readonly onFailure: (reason: string) => void;
};

/** Sends summaries and alerts, on schedule and on request. */
export interface Notifier {
  /** Sends every due summary, and looks for alerts. */
  look(): Promise<void>;
  /** Changes a subscription. The first summary covers the current week or month. */
  subscribe(site: NotifiedSite, userId: string, wanted: Subscription): Promise<void>;
  /** Sends the summary of the last full week or month, due or not. Throws if no mail can be sent. */
  sendSummary(site: NotifiedSite, userId: string): Promise<void>;
  /** Sends a test alert to the webhook and to one person. Throws if it is not accepted. */
  sendTest(site: NotifiedSite, userId: string): Promise<void>;
  stop(): Promise<void>;
}

const LOOK_EVERY_MS = 60_000;
const ALERTS_EVERY_MS = 30 * 60_000;
/** A refused mail waits this long; others are not affected. */
const RETRY_AFTER_MS = 15 * 60_000;
const NO_MAIL = 'This server sends no mail. Its operator can set SMTP_URL, MAIL_FROM and BASE_URL.';

/** Sends summaries and alerts for as long as the server runs. */
export function keepNotifying(deps: NotifyDeps): Notifier {
  const { notices, now, onFailure } = deps;
  let alertsAt = 0;
  const retryAt = new Map<string, number>();

  async function look(): Promise<void> {
    const isAlertsDue = now() >= alertsAt;
    if (isAlertsDue) alertsAt = now() + ALERTS_EVERY_MS;
    for (const site of await deps.listSites()) {
      await tryTo(() => sendSummaries(site));
      if (isAlertsDue) await tryTo(() => raiseAlerts(site));
    }
  }

  async function tryTo(work: () => Promise<void>): Promise<void> {
    await work().catch((error: unknown) => onFailure((error as Error).message));
  }

  /** Subscribers who are still members of the site. */
  async function subscribersOf(site: NotifiedSite): Promise<readonly Subscriber[]> {
    const members: Subscriber[] = [];
    for (const each of await notices.listSubscribers(site.id)) {
      if (await deps.isMember(each.userId, site.id)) members.push(each);
    }
    return members;
  }

  async function sendSummaries(site: NotifiedSite): Promise<void> {
    if (deps.mailer === undefined) return;
    for (const subscriber of await subscribersOf(site)) {
      const { summary, sentUntil } = subscriber;
      if (summary === 'off') continue;
      const days = lastWhole(summary, now(), site.timezone);
      if (!isDue(days, sentUntil, now(), site.timezone)) continue;
      if (now() < (retryAt.get(subscriber.token) ?? 0)) continue;
      // Recorded before it is sent: a crash in between loses one mail instead of repeating it forever.
      await notices.noteSent(subscriber, days.to);
      await tryTo(() =>
        sendTo(site, subscriber).catch(async (error: unknown) => {
          await notices.noteSent(subscriber, sentUntil);
          retryAt.set(subscriber.token, now() + RETRY_AFTER_MS);
          throw error;
        }),
      );
    }
  }

  async function subscribe(
    site: NotifiedSite,
    userId: string,
    wanted: Subscription,
  ): Promise<void> {
    const rhythm = wanted.summary === 'off' ? 'weekly' : wanted.summary;
    await notices.subscribe(userId, site.id, wanted, lastWhole(rhythm, now(), site.timezone).to);
  }

  /** The recipient of a requested mail, subscribed or not. */
  async function subscriberOf(site: NotifiedSite, userId: string): Promise<Subscriber> {
    await subscribe(site, userId, await notices.find(userId, site.id));
    const found = await notices.findSubscriber(userId, site.id);
    assert(found !== undefined, 'a subscriber can be found after subscribing');
    return found;
  }

  async function sendTo(site: NotifiedSite, subscriber: Subscriber): Promise<void> {
    const { baseUrl } = deps;
    if (baseUrl === undefined) throw new Error(NO_MAIL);
    const rhythm = subscriber.summary === 'off' ? 'weekly' : subscriber.summary;
    const days = lastWhole(rhythm, now(), site.timezone);
    const figures = await askFigures(deps.ask, site, days);
    await send(subscriber, toSummaryMail({ domain: site.domain, days, baseUrl }, figures));
  }

  async function send(subscriber: Subscriber, mail: OwnMail): Promise<void> {
    const { mailer, baseUrl } = deps;
    if (mailer === undefined || baseUrl === undefined) throw new Error(NO_MAIL);
    await mailer.send(toSubscriber(mail, subscriber, baseUrl));
  }

  /** Sends each alert once, when it starts, and again only after it has cleared. */
  async function raiseAlerts(site: NotifiedSite): Promise<void> {
    const { kinds, webhookUrl } = await notices.findRules(site.id);
    const readers = (await subscribersOf(site)).filter(({ hasAlerts }) => hasAlerts);
    if (readers.length === 0 && webhookUrl === undefined) return;
    const found = await findAlerts(deps, site, kinds, now());
    const open = (await notices.listOpen(site.id)).map(({ kind }) => kind);
    for (const kind of open.filter((each) => !found.some((alert) => alert.kind === each))) {
      await notices.close(site.id, kind);
    }
    for (const alert of found.filter(({ kind }) => !open.includes(kind))) {
      if (await deliver(site, alert, readers)) {
        await notices.open(site.id, { kind: alert.kind, since: now() });
      }
    }
  }

  /** Returns whether the alert reached anybody. If not, the next look tries again. */
  async function deliver(site: NotifiedSite, alert: Alert, readers: readonly Subscriber[]) {
    const { webhookUrl, isTrusted } = await notices.findRules(site.id);
    const ways = [
      ...(webhookUrl === undefined
        ? []
        : [postWebhook(webhookUrl, toBody(site, alert, now()), isTrusted)]),
      ...(deps.mailer === undefined
        ? []
        : readers.map((reader) => send(reader, toAlertMail(site, alert, deps.baseUrl ?? '')))),
    ];
    const ends = await Promise.allSettled(ways);
    for (const end of ends) if (end.status === 'rejected') onFailure((end.reason as Error).message);
    return ends.some(({ status }) => status === 'fulfilled');
  }

  async function sendTest(site: NotifiedSite, userId: string): Promise<void> {
    const message = `This is a test. Alerts of ${site.domain} look like this.`;
    const alert: Alert = { kind: 'traffic', title: `Test alert of ${site.domain}`, message };
    const { webhookUrl, isTrusted } = await notices.findRules(site.id);
    if (webhookUrl === undefined && deps.mailer === undefined) throw new Error(NO_MAIL);
    if (webhookUrl !== undefined) {
      await postWebhook(webhookUrl, { ...toBody(site, alert, now()), test: true }, isTrusted);
    }
    if (deps.mailer !== undefined) {
      const subscriber = await subscriberOf(site, userId);
      await send(subscriber, toAlertMail(site, alert, deps.baseUrl ?? ''));
    }
  }

  const job = keepRunning({
    ...{ name: 'notices', everyMs: LOOK_EVERY_MS, run: look },
    onChange: (failure) => failure && onFailure(failure.message),
  });
  return {
    look: job.runNow,
    subscribe,
    sendSummary: async (site, userId) => sendTo(site, await subscriberOf(site, userId)),
    sendTest,
    stop: job.stop,
  };
}

function toBody({ domain }: NotifiedSite, { kind, title, message }: Alert, at: number) {
  return { site: domain, kind, title, message, at: new Date(at).toISOString() };
}

function toAlertMail(
  { domain }: NotifiedSite,
  { title, message }: Alert,
  baseUrl: string,
): OwnMail {
  const url = `${baseUrl}/${domain}`;
  return {
    subject: title,
    text: `${message}\n\n${url}`,
    html: `<p>${escapeHtml(message)}</p>\n<p><a href="${url}" style="color:#3d5fe8">Open the dashboard</a></p>`,
  };
}
