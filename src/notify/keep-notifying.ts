import type { OwnAlert } from '#contract/sites/own-alerts.ts';
import type { KeptAlert, Message, Subscriber, Subscription } from '#domain/account/notices.ts';
import { keepRunning } from '#jobs/keep-running.ts';
import { askFigures, type NotifiedSite } from './ask-figures.ts';
import { type DeliverDeps, deliverDue, NO_MAIL, type SentAlert } from './deliver.ts';
import { type Alert, findAlerts, type Looked } from './find-alerts.ts';
import { isOfEvents, lookAtOwn, type OwnLooked, tryOwn } from './own-alerts.ts';
import type { AlertStore } from './ports.ts';
import { sendMail, sendTest, subscribe, subscriberOf } from './send-test.ts';
import { toSummaryMail } from './summary-mail.ts';
import { isDue, lastWhole } from './summed-days.ts';

/** The dependencies of summaries and alerts. `now` is in milliseconds, UTC. */
type NotifyDeps = Looked &
  OwnLooked &
  DeliverDeps & {
    readonly alerts: AlertStore;
    readonly listSites: () => Promise<readonly NotifiedSite[]>;
  };

/** Sends summaries and alerts, on schedule and on request. */
export interface Notifier {
  /** Sends every due summary, and looks for alerts. */
  look(): Promise<void>;
  /** Changes a subscription. The first summary covers the current week or month. */
  subscribe(site: NotifiedSite, userId: string, wanted: Subscription): Promise<void>;
  /** Sends the summary of the last full week or month, due or not. Throws if no mail can be sent. */
  sendSummary(site: NotifiedSite, userId: string): Promise<void>;
  /** Sends a test alert to the webhook, to one person or to both. Throws if it is not accepted. */
  sendTest(site: NotifiedSite, userId: string, to?: 'mail' | 'webhook'): Promise<void>;
  /** Asks what an alert would ask. Throws if the query is refused. */
  tryOwn(site: NotifiedSite, alert: OwnAlert): Promise<void>;
  stop(): Promise<void>;
}

const LOOK_EVERY_MS = 60_000;
const ALERTS_EVERY_MS = 30 * 60_000;
/** A refused mail waits this long; others are not affected. */
const RETRY_AFTER_MS = 15 * 60_000;

/** Sends summaries and alerts for as long as the server runs. */
export function keepNotifying(deps: NotifyDeps): Notifier {
  const { notices, alerts, now, onFailure } = deps;
  let alertsAt = 0;
  const retryAt = new Map<string, number>();

  async function look(): Promise<void> {
    const isAlertsDue = now() >= alertsAt;
    if (isAlertsDue) alertsAt = now() + ALERTS_EVERY_MS;
    const sites = new Map((await deps.listSites()).map((site) => [site.id, site]));
    await tryTo(() => deliverDue(deps, sites)); // Not after queries, which may take long.
    for (const site of sites.values()) {
      await tryTo(() => sendSummaries(site));
      if (isAlertsDue) await tryTo(() => raiseAlerts(site));
    }
    await tryTo(async () => {
      for (const kept of await alerts.listOwn()) {
        const site = sites.get(kept.siteId);
        const isDue = isAlertsDue || isOfEvents(JSON.parse(kept.rule) as OwnAlert);
        if (site && isDue) await tryTo(() => lookAt(site, kept));
      }
    });
    await tryTo(() => deliverDue(deps, sites));
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

  async function sendTo(site: NotifiedSite, subscriber: Subscriber): Promise<void> {
    const { baseUrl } = deps;
    if (baseUrl === undefined) throw new Error(NO_MAIL);
    const rhythm = subscriber.summary === 'off' ? 'weekly' : subscriber.summary;
    const days = { ...lastWhole(rhythm, now(), site.timezone), rhythm };
    const figures = await askFigures(deps.ask, site, days);
    await sendMail(
      deps,
      subscriber,
      toSummaryMail({ domain: site.domain, days, baseUrl }, figures),
    );
  }

  /** A message to all who want a site's alerts; undefined if nobody does. */
  async function toMessage(site: NotifiedSite, alert: Alert): Promise<Message | undefined> {
    const { webhookUrl } = await notices.findRules(site.id);
    const readers = (await subscribersOf(site)).filter(({ hasAlerts }) => hasAlerts);
    const recipients = readers.map(({ userId }) => userId);
    if (webhookUrl !== undefined) recipients.push('');
    if (recipients.length === 0) return undefined;
    return { siteId: site.id, recipients, content: JSON.stringify(toSent(site, alert)) };
  }

  /** Raises each alert once, when it starts, and again only after it has cleared. */
  async function raiseAlerts(site: NotifiedSite): Promise<void> {
    const { kinds } = await notices.findRules(site.id);
    const found = await findAlerts(deps, site, kinds, now());
    const open = (await notices.listOpen(site.id)).map(({ kind }) => kind);
    for (const kind of open.filter((each) => !found.some((alert) => alert.kind === each))) {
      await notices.close(site.id, kind);
    }
    for (const alert of found.filter(({ kind }) => !open.includes(kind))) {
      const message = await toMessage(site, alert);
      if (message) await alerts.raise(site.id, { kind: alert.kind, since: now() }, message);
    }
  }

  /** Looks at an alert of the site's own. What it has seen is noted with what there is to tell. */
  async function lookAt(site: NotifiedSite, kept: KeptAlert): Promise<void> {
    const step = await lookAtOwn(deps, site, kept, now());
    if (step === undefined) return;
    const { when: kind } = JSON.parse(kept.rule) as OwnAlert;
    const message = step.alert && (await toMessage(site, { ...step.alert, kind }));
    await alerts.move(kept, { ...kept, ...step.to }, message);
  }

  function toSent({ domain }: NotifiedSite, alert: Alert): SentAlert {
    return { site: domain, ...alert, at: new Date(now()).toISOString() };
  }

  const job = keepRunning({
    ...{ name: 'notices', everyMs: LOOK_EVERY_MS, run: look },
    onChange: (failure) => failure && onFailure(failure.message),
  });
  return {
    look: job.runNow,
    subscribe: (...wanted) => subscribe(deps, ...wanted),
    sendSummary: async (site, userId) => sendTo(site, await subscriberOf(deps, site, userId)),
    sendTest: (...asked) => sendTest(deps, ...asked),
    tryOwn: (site, alert) => tryOwn(deps.ask, site, alert, now()),
    stop: job.stop,
  };
}
