import { randomBytes } from 'node:crypto';
import type { AlertRules, OpenAlert, Subscriber, Subscription } from '#domain/account/notices.ts';
import type { Sql, SqlRow } from '#storage/sql/sql.ts';

const TOKEN_BYTES = 24;
/** The default kinds of alerts. */
const DEFAULT_KINDS = ['traffic', 'revenue', 'no_traffic', 'dropped_events'];

const SUBSCRIBERS =
  'SELECT subscriptions.*, "email" FROM subscriptions JOIN "user" ON user_id = "id"';

/** Creates the notices on a connection. Its writes run in the caller's transaction. */
export function createNotices(sql: Sql) {
  async function findSubscriber(userId: string, siteId: string): Promise<Subscriber | undefined> {
    const one = `${SUBSCRIBERS} WHERE user_id = ? AND site_id = ?`;
    const row = await sql.get(one, userId, siteId);
    return row && toSubscriber(row);
  }
  return {
    find: async (userId: string, siteId: string): Promise<Subscription> =>
      (await findSubscriber(userId, siteId)) ?? { summary: 'off', hasAlerts: false },
    async subscribe(
      userId: string,
      siteId: string,
      { summary, hasAlerts }: Subscription,
      sentUntil: string,
    ): Promise<void> {
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
    async listSubscribers(siteId: string): Promise<Subscriber[]> {
      const rows = await sql.all(
        `${SUBSCRIBERS} WHERE site_id = ? AND (summary != 'off' OR alerts = 1) ORDER BY "email"`,
        siteId,
      );
      return rows.map(toSubscriber);
    },
    async noteSent({ userId, siteId }: Subscriber, sentUntil: string): Promise<void> {
      const sent = 'UPDATE subscriptions SET sent_until = ? WHERE user_id = ? AND site_id = ?';
      await sql.run(sent, sentUntil, userId, siteId);
    },
    async unsubscribe(token: string): Promise<boolean> {
      const end = "UPDATE subscriptions SET summary = 'off', alerts = 0 WHERE token = ?";
      return (await sql.run(end, token)) === 1;
    },
    async findRules(siteId: string): Promise<AlertRules> {
      const row = await sql.get('SELECT * FROM alert_rules WHERE site_id = ?', siteId);
      return {
        kinds: row === undefined ? DEFAULT_KINDS : (JSON.parse(String(row.kinds)) as string[]),
        webhookUrl: row?.webhook_url == null ? undefined : String(row.webhook_url),
        isTrusted: row?.is_trusted === 1,
      };
    },
    async setRules(siteId: string, { kinds, webhookUrl, isTrusted }: AlertRules): Promise<void> {
      await sql.run(
        `INSERT INTO alert_rules (site_id, kinds, webhook_url, is_trusted) VALUES (?, ?, ?, ?)
         ON CONFLICT (site_id) DO UPDATE SET kinds = excluded.kinds,
           webhook_url = excluded.webhook_url, is_trusted = excluded.is_trusted`,
        ...[siteId, JSON.stringify(kinds), webhookUrl ?? null, isTrusted ? 1 : 0],
      );
    },
    async listOpen(siteId: string): Promise<OpenAlert[]> {
      const open = 'SELECT kind, since FROM open_alerts WHERE site_id = ? ORDER BY kind';
      const rows = await sql.all(open, siteId);
      return rows.map(({ kind, since }) => ({ kind: String(kind), since: Number(since) }));
    },
    async close(siteId: string, kind: string): Promise<void> {
      await sql.run('DELETE FROM open_alerts WHERE site_id = ? AND kind = ?', siteId, kind);
    },
    async removeAll(siteId: string): Promise<void> {
      for (const table of [
        'subscriptions',
        'alert_rules',
        'open_alerts',
        'own_alerts',
        'deliveries',
      ]) {
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
