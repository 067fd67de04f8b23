import type { Subscriber, Subscription } from '#domain/account/notices.ts';
import { assert } from '#domain/assert.ts';
import type { NotifiedSite } from './ask-figures.ts';
import { type DeliverDeps, NO_MAIL, toAlertMail } from './deliver.ts';
import { type OwnMail, toSubscriber } from './own-mail.ts';
import { postWebhook } from './post-webhook.ts';
import { lastWhole } from './summed-days.ts';

/** The dependencies of sending what somebody asks for. */
type SendDeps = Pick<DeliverDeps, 'notices' | 'mailer' | 'baseUrl' | 'now'>;

/** Sends a test alert to the site's webhook, to one person or to both. Throws if it is not accepted. */
export async function sendTest(
  deps: SendDeps,
  site: NotifiedSite,
  userId: string,
  to?: 'mail' | 'webhook',
): Promise<void> {
  const title = `Test alert of ${site.domain}`;
  const message = `This is a test. Alerts of ${site.domain} look like this.`;
  const at = new Date(deps.now()).toISOString();
  const sent = { site: site.domain, kind: 'traffic' as const, title, message, at };
  const { webhookUrl, isTrusted } = await deps.notices.findRules(site.id);
  if (to === 'webhook' && webhookUrl === undefined) throw new Error(NO_WEBHOOK);
  if (webhookUrl === undefined && deps.mailer === undefined) throw new Error(NO_MAIL);
  if (webhookUrl !== undefined && to !== 'mail') {
    await postWebhook(webhookUrl, { id: crypto.randomUUID(), ...sent, test: true }, isTrusted);
  }
  if (to === 'mail' || (to === undefined && deps.mailer !== undefined)) {
    const mail = toAlertMail(sent, deps.baseUrl ?? '');
    await sendMail(deps, await subscriberOf(deps, site, userId), mail);
  }
}

const NO_WEBHOOK = 'The site has no webhook: Settings → Mail and alerts sets one.';

/** The recipient of a requested mail, subscribed or not. */
export async function subscriberOf(
  deps: SendDeps,
  site: NotifiedSite,
  userId: string,
): Promise<Subscriber> {
  await subscribe(deps, site, userId, await deps.notices.find(userId, site.id));
  const found = await deps.notices.findSubscriber(userId, site.id);
  assert(found !== undefined, 'a subscriber can be found after subscribing');
  return found;
}

/** Changes a subscription. The first summary covers the current week or month. */
export async function subscribe(
  { notices, now }: SendDeps,
  site: NotifiedSite,
  userId: string,
  wanted: Subscription,
): Promise<void> {
  const rhythm = wanted.summary === 'off' ? 'weekly' : wanted.summary;
  await notices.subscribe(userId, site.id, wanted, lastWhole(rhythm, now(), site.timezone).to);
}

/** Sends a mail to a subscriber. Throws if this server sends none. */
export async function sendMail(
  { mailer, baseUrl }: SendDeps,
  subscriber: Subscriber,
  mail: OwnMail,
): Promise<void> {
  if (mailer === undefined || baseUrl === undefined) throw new Error(NO_MAIL);
  await mailer.send(toSubscriber(mail, subscriber, baseUrl));
}
