/** The mails that a user receives about a site. */
export type Subscription = {
  readonly summary: 'off' | 'weekly' | 'monthly';
  readonly hasAlerts: boolean;
};

/** A subscription with its user. */
export type Subscriber = Subscription & {
  readonly userId: string;
  readonly siteId: string;
  readonly email: string;
  /** The token of the unsubscribe link. */
  readonly token: string;
  /** The last day covered by a sent summary: `2026-11-22`. */
  readonly sentUntil: string;
};

/** The kinds of alerts that a site raises, and their webhook. */
export type AlertRules = {
  readonly kinds: readonly string[];
  readonly webhookUrl: string | undefined;
  /** Whether the owner of the server set the URL, which may then be on a private network. */
  readonly isTrusted: boolean;
};

/** An alert that has not cleared, with its start in milliseconds. */
export type OpenAlert = { readonly kind: string; readonly since: number };

/** An alert of one's own, and how far it has looked. Instants are milliseconds, UTC. */
export type KeptAlert = {
  readonly siteId: string;
  /** Its JSON, by which it is known. */
  readonly rule: string;
  /** What it has counted so far; at first, when it was made. */
  readonly seenUntil: number;
  /** What it reported last, such as a day; empty if nothing. */
  readonly told: string;
  readonly toldAt: number;
};

/** A message on its way to a user, or to the site's webhook if `userId` is empty. */
export type WaitingMessage = {
  readonly id: string;
  readonly siteId: string;
  readonly userId: string;
  /** JSON. */
  readonly content: string;
  readonly madeAt: number;
};

/** A message, before it is sent. */
export type Message = {
  readonly siteId: string;
  /** Ids of users; the webhook's is empty. */
  readonly recipients: readonly string[];
  readonly content: string;
};
