import { randomBytes } from 'node:crypto';
import type { Sql, SqlRow } from '#storage/sql/sql.ts';

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

/** Subscriptions to summaries and alerts, and alert rules. */
export interface Notices {
  find(userId: string, siteId: string): Promise<Subscription>;
  /** Changes a subscription. If its rhythm changes, summaries start after `sentUntil`. */
  subscribe(userId: string, siteId: string, wanted: Subscription, sentUntil: string): Promise<void>;
  findSubscriber(userId: string, siteId: string): Promise<Subscriber | undefined>;
  /** Everybody who receives mails about a site. */
  listSubscribers(siteId: string): Promise<readonly Subscriber[]>;
  noteSent(subscriber: Subscriber, sentUntil: string): Promise<void>;
  /** Ends the subscription with the token. Returns false if there is none. */
  unsubscribe(token: string): Promise<boolean>;
  findRules(siteId: string): Promise<AlertRules>;
  setRules(siteId: string, rules: AlertRules): Promise<void>;
  listOpen(siteId: string): Promise<readonly OpenAlert[]>;
  open(siteId: string, alert: OpenAlert): Promise<void>;
  close(siteId: string, kind: string): Promise<void>;
  /** Removes everything about a site. */
  removeAll(siteId: string): Promise<void>;
}

const TOKEN_BYTES = 24;
/** The default kinds of alerts. */
const DEFAULT_KINDS = ['traffic', 'revenue', 'no_traffic', 'dropped_events'];

const SUBSCRIBERS =
  'SELECT subscriptions.*, "email" FROM subscriptions JOIN "user" ON user_id = "id"';

/** Creates the notices on a connection. Its writes run in the caller's transaction. */
export function createNotices(sql: Sql): Notices {
  const findSubscriber: Notices['findSubscriber'] = async (userId, siteId) => {
    const one = `${SUBSCRIBERS} WHERE user_id = ? AND site_id = ?`;
    const row = await sql.get(one, userId, siteId);
    return row && toSubscriber(row);
  };
  return {
    find: async (userId, siteId) =>
      (await findSubscriber(userId, siteId)) ?? { summary: 'off', hasAlerts: false },
    async subscribe(userId, siteId, { summary, hasAlerts }, sentUntil) {
      const token = randomBytes(TOKEN_BYTES).toString('base64url');
      await sql.run(
        `INSERT INTO subscriptions (user_id, site_id, summary, alerts, token, sent_until)
         VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (user_id, site_id) DO UPDATE
         SET summary = excluded.summary, alerts = excluded.alerts,
           sent_until = CASE WHEN subscriptions.summary = excluded.summary
             THEN subscriptions.sent_until ELSE excluded.sent_until END`,
        ...[userId, siteId, summary, hasAlerts ? 1 : 0, token, sentUntil],
      );
    },
    findSubscriber,
    async listSubscribers(siteId) {
      const rows = await sql.all(
        `${SUBSCRIBERS} WHERE site_id = ? AND (summary != 'off' OR alerts = 1) ORDER BY "email"`,
        siteId,
      );
      return rows.map(toSubscriber);
    },
    async noteSent({ userId, siteId }, sentUntil) {
      const sent = 'UPDATE subscriptions SET sent_until = ? WHERE user_id = ? AND site_id = ?';
      await sql.run(sent, sentUntil, userId, siteId);
    },
    async unsubscribe(token) {
      const end = "UPDATE subscriptions SET summary = 'off', alerts = 0 WHERE token = ?";
      return (await sql.run(end, token)) === 1;
    },
    async findRules(siteId) {
      const row = await sql.get('SELECT * FROM alert_rules WHERE site_id = ?', siteId);
      return {
        kinds: row === undefined ? DEFAULT_KINDS : (JSON.parse(String(row.kinds)) as string[]),
        webhookUrl: row?.webhook_url == null ? undefined : String(row.webhook_url),
        isTrusted: row?.is_trusted === 1,
      };
    },
    async setRules(siteId, { kinds, webhookUrl, isTrusted }) {
      await sql.run(
        `INSERT INTO alert_rules (site_id, kinds, webhook_url, is_trusted) VALUES (?, ?, ?, ?)
         ON CONFLICT (site_id) DO UPDATE SET kinds = excluded.kinds,
           webhook_url = excluded.webhook_url, is_trusted = excluded.is_trusted`,
        ...[siteId, JSON.stringify(kinds), webhookUrl ?? null, isTrusted ? 1 : 0],
      );
    },
    async listOpen(siteId) {
      const open = 'SELECT kind, since FROM open_alerts WHERE site_id = ? ORDER BY kind';
      const rows = await sql.all(open, siteId);
      return rows.map(({ kind, since }) => ({ kind: String(kind), since: Number(since) }));
    },
    async open(siteId, { kind, since }) {
      await sql.run(
        'INSERT INTO open_alerts (site_id, kind, since) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
        ...[siteId, kind, since],
      );
    },
    async close(siteId, kind) {
      await sql.run('DELETE FROM open_alerts WHERE site_id = ? AND kind = ?', siteId, kind);
    },
    async removeAll(siteId) {
      for (const table of ['subscriptions', 'alert_rules', 'open_alerts']) {
        await sql.run(`DELETE FROM ${table} WHERE site_id = ?`, siteId);
      }
    },
  };
}

function toSubscriber(row: SqlRow): Subscriber {
  return {
    ...{ summary: row.summary as Subscription['summary'], hasAlerts: row.alerts === 1 },
    ...{ userId: String(row.user_id), siteId: String(row.site_id), email: String(row.email) },
    ...{ token: String(row.token), sentUntil: String(row.sent_until) },
  };
}
