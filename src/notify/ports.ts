import type {
  AlertRules,
  KeptAlert,
  Message,
  OpenAlert,
  Subscriber,
  Subscription,
  WaitingMessage,
} from '#domain/account/notices.ts';

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
  close(siteId: string, kind: string): Promise<void>;
}

/** Alerts of one's own, and messages that wait to be delivered. */
export interface AlertStore {
  /** Those of a site, or of all. */
  listOwn(siteId?: string): Promise<readonly KeptAlert[]>;
  /** Notes how far an alert has come, with its message, unless another server was faster. */
  move(before: KeptAlert, after: KeptAlert, message?: Message): Promise<void>;
  /** Opens an alert, with its message, unless it is open. */
  raise(siteId: string, alert: OpenAlert, message: Message): Promise<void>;
  /** Takes messages that are due. They are due again later, unless {@link finish} ends them. */
  takeDue(limit: number): Promise<readonly WaitingMessage[]>;
  finish(id: string): Promise<void>;
}
