import type { AlertRules, OpenAlert, Subscriber, Subscription } from '#domain/account/notices.ts';

/** Subscriptions to summaries and alerts, and the alerts of sites. */
export interface NoticeStore {
  find(userId: string, siteId: string): Promise<Subscription>;
  /** Changes a subscription. If its rhythm changes, summaries start after `sentUntil`. */
  subscribe(userId: string, siteId: string, wanted: Subscription, sentUntil: string): Promise<void>;
  findSubscriber(userId: string, siteId: string): Promise<Subscriber | undefined>;
  /** Everybody who receives mails about a site. */
  listSubscribers(siteId: string): Promise<readonly Subscriber[]>;
  noteSent(subscriber: Subscriber, sentUntil: string): Promise<void>;
  findRules(siteId: string): Promise<AlertRules>;
  listOpen(siteId: string): Promise<readonly OpenAlert[]>;
  open(siteId: string, alert: OpenAlert): Promise<void>;
  close(siteId: string, kind: string): Promise<void>;
}
