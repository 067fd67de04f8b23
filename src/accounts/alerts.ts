import { randomUUID } from 'node:crypto';
import type { KeptAlert, Message, OpenAlert, WaitingMessage } from '#domain/account/notices.ts';
import { MINUTE_MS } from '#domain/time/durations.ts';
import type { Sql, SqlRow } from '#storage/sql/sql.ts';

/** A delivery that fails is tried again after one minute, then two, four … up to an hour. */
const RETRY_MAX_MINUTES = 60;

/**
 * Creates the alerts of one's own, and the messages that wait to be delivered, on a connection. Its writes run in the
 * caller's transaction: an alert is noted together with its messages.
 */
export function createAlerts(sql: Sql, now: () => number) {
  async function send({ siteId, recipients, content }: Message): Promise<void> {
    for (const userId of recipients) {
      await sql.run(
        `INSERT INTO deliveries (id, site_id, user_id, content, made_at, due_at, tries)
         VALUES (?, ?, ?, ?, ?, ?, 0)`,
        ...[randomUUID(), siteId, userId, content, now(), now()],
      );
    }
  }

  return {
    async listOwn(siteId?: string): Promise<KeptAlert[]> {
      const all = 'SELECT * FROM own_alerts';
      const rows =
        siteId === undefined
          ? await sql.all(all)
          : await sql.all(`${all} WHERE site_id = ? ORDER BY made_at, rule`, siteId);
      return rows.map(toKeptAlert);
    },
    /** Replaces the alerts of a site. Those that it has go on where they are. */
    async setOwn(siteId: string, rules: readonly string[]): Promise<void> {
      await sql.run(
        'DELETE FROM own_alerts WHERE site_id = ? AND rule NOT IN (SELECT value FROM json_each(?))',
        ...[siteId, JSON.stringify(rules)],
      );
      for (const [index, rule] of rules.entries()) {
        await sql.run(
          `INSERT INTO own_alerts (site_id, rule, made_at, seen_until, told, told_at)
           VALUES (?, ?, ?, ?, '', 0) ON CONFLICT DO NOTHING`,
          ...[siteId, rule, now() + index, now()],
        );
      }
    },
    /** Notes how far an alert has come, with its message if there is one. Another server may have been faster. */
    async move(before: KeptAlert, after: KeptAlert, message?: Message): Promise<void> {
      const moved = await sql.run(
        `UPDATE own_alerts SET seen_until = ?, told = ?, told_at = ?
         WHERE site_id = ? AND rule = ? AND seen_until = ? AND told = ? AND told_at = ?`,
        ...[after.seenUntil, after.told, after.toldAt, before.siteId, before.rule],
        ...[before.seenUntil, before.told, before.toldAt],
      );
      if (moved === 1 && message !== undefined) await send(message);
    },
    /** Opens an alert, with its message, unless it is open. */
    async raise(siteId: string, { kind, since }: OpenAlert, message: Message): Promise<void> {
      const opened = await sql.run(
        'INSERT INTO open_alerts (site_id, kind, since) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
        ...[siteId, kind, since],
      );
      if (opened === 1) await send(message);
    },
    /** Takes messages that are due. They are due again later, unless {@link finish} ends them. */
    async takeDue(limit: number): Promise<WaitingMessage[]> {
      const rows = await sql.all(
        'SELECT * FROM deliveries WHERE due_at <= ? ORDER BY due_at, id LIMIT ?',
        ...[now(), limit],
      );
      for (const { id, tries } of rows) {
        const minutes = Math.min(2 ** Number(tries), RETRY_MAX_MINUTES);
        await sql.run(
          'UPDATE deliveries SET due_at = ?, tries = tries + 1 WHERE id = ?',
          ...[now() + minutes * MINUTE_MS, String(id)],
        );
      }
      return rows.map(toWaitingMessage);
    },
    async finish(id: string): Promise<void> {
      await sql.run('DELETE FROM deliveries WHERE id = ?', id);
    },
  };
}

function toKeptAlert(row: SqlRow): KeptAlert {
  return {
    ...{ siteId: String(row.site_id), rule: String(row.rule), told: String(row.told) },
    ...{ seenUntil: Number(row.seen_until), toldAt: Number(row.told_at) },
  };
}

function toWaitingMessage(row: SqlRow): WaitingMessage {
  return {
    ...{ id: String(row.id), siteId: String(row.site_id), userId: String(row.user_id) },
    ...{ content: String(row.content), madeAt: Number(row.made_at) },
  };
}
