import { randomBytes } from 'node:crypto';
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';

/** The mails that a person receives about a site. */
export type Subscription = {
  readonly summary: 'off' | 'weekly' | 'monthly';
  readonly hasAlerts: boolean;
};

/** A subscription with its person. */
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

/** Subscriptions to summaries and alerts, and alert rules. */
export interface Notices {
  find(userId: string, siteId: string): Subscription;
  /** Changes a subscription. If its rhythm changes, summaries start after `sentUntil`. */
  subscribe(userId: string, siteId: string, wanted: Subscription, sentUntil: string): void;
  findSubscriber(userId: string, siteId: string): Subscriber | undefined;
  /** Everybody who receives mails about a site. */
  listSubscribers(siteId: string): readonly Subscriber[];
  noteSent(subscriber: Subscriber, sentUntil: string): void;
  /** Ends the subscription with the token. Returns false if there is none. */
  unsubscribe(token: string): boolean;
  findRules(siteId: string): AlertRules;
  setRules(siteId: string, rules: AlertRules): void;
  listOpen(siteId: string): readonly OpenAlert[];
  open(siteId: string, alert: OpenAlert): void;
  close(siteId: string, kind: string): void;
  /** Removes everything about a site. */
  removeAll(siteId: string): void;
}

const TOKEN_BYTES = 24;
/** The default kinds of alerts. */
const DEFAULT_KINDS = ['traffic', 'revenue', 'no_traffic', 'dropped_events'];

/** Creates the notices in the accounts database. */
export function createNotices(db: DatabaseSync): Notices {
  const save = db.prepare(`
    INSERT INTO subscriptions (user_id, site_id, summary, alerts, token, sent_until)
    VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE
    SET summary = excluded.summary, alerts = excluded.alerts,
      sent_until = iif(summary = excluded.summary, sent_until, excluded.sent_until)`);
  const list = db.prepare(`
    SELECT subscriptions.*, "email" FROM subscriptions JOIN "user" ON user_id = "id"
    WHERE site_id = ? AND (summary != 'off' OR alerts = 1) ORDER BY "email"`);
  const findOne = db.prepare(`
    SELECT subscriptions.*, "email" FROM subscriptions JOIN "user" ON user_id = "id"
    WHERE user_id = ? AND site_id = ?`);
  const note = db.prepare(
    'UPDATE subscriptions SET sent_until = ? WHERE user_id = ? AND site_id = ?',
  );
  const end = db.prepare("UPDATE subscriptions SET summary = 'off', alerts = 0 WHERE token = ?");
  const findRules = db.prepare('SELECT * FROM alert_rules WHERE site_id = ?');
  const saveRules = db.prepare(`
    INSERT INTO alert_rules (site_id, kinds, webhook_url, is_trusted) VALUES (?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET kinds = excluded.kinds, webhook_url = excluded.webhook_url,
      is_trusted = excluded.is_trusted`);
  const listOpen = db.prepare('SELECT kind, since FROM open_alerts WHERE site_id = ?');
  const open = db.prepare(
    'INSERT OR IGNORE INTO open_alerts (site_id, kind, since) VALUES (?, ?, ?)',
  );
  const close = db.prepare('DELETE FROM open_alerts WHERE site_id = ? AND kind = ?');
  const removals = ['subscriptions', 'alert_rules', 'open_alerts'].map((table) =>
    db.prepare(`DELETE FROM ${table} WHERE site_id = ?`),
  );
  const findSubscriber: Notices['findSubscriber'] = (userId, siteId) => {
    const row = findOne.get(userId, siteId);
    return row && toSubscriber(row);
  };
  return {
    find: (userId, siteId) =>
      findSubscriber(userId, siteId) ?? { summary: 'off', hasAlerts: false },
    subscribe(userId, siteId, { summary, hasAlerts }, sentUntil) {
      const token = randomBytes(TOKEN_BYTES).toString('base64url');
      save.run(userId, siteId, summary, hasAlerts ? 1 : 0, token, sentUntil);
    },
    findSubscriber,
    listSubscribers: (siteId) => list.all(siteId).map(toSubscriber),
    noteSent({ userId, siteId }, sentUntil) {
      note.run(sentUntil, userId, siteId);
    },
    unsubscribe: (token) => end.run(token).changes === 1,
    findRules(siteId) {
      const row = findRules.get(siteId);
      return {
        kinds: row === undefined ? DEFAULT_KINDS : (JSON.parse(String(row.kinds)) as string[]),
        webhookUrl: row?.webhook_url == null ? undefined : String(row.webhook_url),
        isTrusted: row?.is_trusted === 1,
      };
    },
    setRules(siteId, { kinds, webhookUrl, isTrusted }) {
      saveRules.run(siteId, JSON.stringify(kinds), webhookUrl ?? null, isTrusted ? 1 : 0);
    },
    listOpen: (siteId) =>
      listOpen.all(siteId).map(({ kind, since }) => ({ kind: String(kind), since: Number(since) })),
    open(siteId, { kind, since }) {
      open.run(siteId, kind, since);
    },
    close(siteId, kind) {
      close.run(siteId, kind);
    },
    removeAll(siteId) {
      for (const each of removals) each.run(siteId);
    },
  };
}

function toSubscriber(row: Readonly<Record<string, SQLOutputValue>>): Subscriber {
  return {
    ...{ summary: row.summary as Subscription['summary'], hasAlerts: row.alerts === 1 },
    ...{ userId: String(row.user_id), siteId: String(row.site_id), email: String(row.email) },
    ...{ token: String(row.token), sentUntil: String(row.sent_until) },
  };
}
