import { randomBytes } from 'node:crypto';
import { findPasswordFault, type LoginFault } from '#domain/account/login-form.ts';
import type { NewShare, Share } from '#domain/account/share.ts';
import { ok, type Result, refuse } from '#domain/result.ts';
import type { Sql, SqlRow } from '#storage/sql/sql.ts';
import { isSigned, sign } from './cookies.ts';
import { type HashOf, verifyPassword } from './password.ts';

/** How long a link stays open after its password was given. */
const OPEN_LIFETIME_MS = 12 * 3_600_000;

const TOKEN_BYTES = 24;
const ID_BYTES = 8;
const NOTED_EVERY_MS = 60_000;

/**
 * Creates the shared links on a connection.
 *
 * - Why the token is stored in plain text: people copy links from the list. A hash would protect nothing,
 *   because the same file has the secret that signs sessions.
 * - The credential for a password is `TOKEN.EXPIRY.SIGNATURE`. The signature covers the password's hash,
 *   so a new password invalidates it.
 */
export function createShares(
  sql: Sql,
  { secret, now, hashOf }: Readonly<{ secret: string; now: () => number; hashOf: HashOf }>,
) {
  const toText = ({ id, passwordHash }: Share, expiry: string) =>
    `share ${id} ${expiry} ${passwordHash}`;
  return {
    async make({ password, ...wanted }: NewShare): Promise<Result<Share, LoginFault>> {
      const fault = password === '' ? undefined : findPasswordFault(password);
      if (fault !== undefined) return refuse(fault);
      const share: Share = {
        ...wanted,
        id: `share_${randomBytes(ID_BYTES).toString('hex')}`,
        token: randomBytes(TOKEN_BYTES).toString('base64url'),
        passwordHash: password === '' ? '' : await hashOf(password),
        createdAt: now(),
        lastUsedAt: undefined,
      };
      await sql.run(
        `INSERT INTO shares
           (id, site_id, name, token, password, panels, has_revenue, filters, created_at, created_by)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        ...[share.id, share.siteId, share.name, share.token, share.passwordHash],
        ...[JSON.stringify(share.panels), share.hasRevenue ? 1 : 0, JSON.stringify(share.filters)],
        ...[share.createdAt, share.createdBy],
      );
      return ok(share);
    },
    async list(siteId: string): Promise<Share[]> {
      const all = 'SELECT * FROM shares WHERE site_id = ? ORDER BY created_at, id';
      return (await sql.all(all, siteId)).map(toShare);
    },
    async remove(siteId: string, id: string): Promise<boolean> {
      return (await sql.run('DELETE FROM shares WHERE site_id = ? AND id = ?', siteId, id)) === 1;
    },
    async find(credential: string) {
      const [token = '', expiry = '', signature = ''] = credential.split('.');
      const row = await sql.get('SELECT * FROM shares WHERE token = ?', token);
      if (row === undefined) return undefined;
      const share = toShare(row);
      const isGranted =
        Number(expiry) > now() && isSigned(toText(share, expiry), signature, secret);
      return { share, isOpen: share.passwordHash === '' || isGranted };
    },
    async open(share: Share, password: string) {
      if (!(await verifyPassword(password, share.passwordHash))) return undefined;
      const expiresAt = now() + OPEN_LIFETIME_MS;
      const credential = `${share.token}.${expiresAt}.${sign(toText(share, `${expiresAt}`), secret)}`;
      return { credential, expiresAt };
    },
    async noteUse({ id, lastUsedAt = 0 }: Share): Promise<void> {
      if (now() - lastUsedAt < NOTED_EVERY_MS) return;
      await sql.run('UPDATE shares SET last_used_at = ? WHERE id = ?', now(), id);
    },
  };
}

function toShare(row: SqlRow): Share {
  return {
    id: String(row.id),
    siteId: String(row.site_id),
    name: String(row.name),
    token: String(row.token),
    passwordHash: String(row.password),
    panels: JSON.parse(String(row.panels)),
    hasRevenue: row.has_revenue === 1,
    filters: JSON.parse(String(row.filters)),
    createdAt: Number(row.created_at),
    createdBy: String(row.created_by),
    lastUsedAt: row.last_used_at === null ? undefined : Number(row.last_used_at),
  };
}
