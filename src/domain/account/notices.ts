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
