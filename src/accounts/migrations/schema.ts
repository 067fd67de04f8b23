import { randomBytes } from 'node:crypto';
import type { Schema } from '#storage/sql/migrate.ts';
import { ADDED_TABLES, auditIds } from './0002-audit-ids.ts';
import { OWN_ALERTS, ownAlerts } from './0003-own-alerts.ts';

const SECRET_BYTES = 32;

/**
 * The tables of accounts. The first five are better-auth's, with its names and types; a
 * test compares them with its expectations. `is_owner` is ours and marks the owner of the server.
 *
 * - better-auth requires the column `ipAddress`. It stays empty: no IP address is stored.
 */
const TABLES = `
  CREATE TABLE "user" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "name" TEXT NOT NULL,
    "email" TEXT NOT NULL UNIQUE,
    "emailVerified" BOOLEAN NOT NULL,
    "image" TEXT,
    "createdAt" DATE NOT NULL,
    "updatedAt" DATE NOT NULL,
    "twoFactorEnabled" BOOLEAN,
    "is_owner" INTEGER NOT NULL DEFAULT 0
  );
  CREATE TABLE "session" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "expiresAt" DATE NOT NULL,
    "token" TEXT NOT NULL UNIQUE,
    "createdAt" DATE NOT NULL,
    "updatedAt" DATE NOT NULL,
    "ipAddress" TEXT,
    "userAgent" TEXT,
    "userId" TEXT NOT NULL REFERENCES "user" ("id") ON DELETE CASCADE
  );
  CREATE TABLE "account" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "accountId" TEXT NOT NULL,
    "providerId" TEXT NOT NULL,
    "userId" TEXT NOT NULL REFERENCES "user" ("id") ON DELETE CASCADE,
    "accessToken" TEXT,
    "refreshToken" TEXT,
    "idToken" TEXT,
    "accessTokenExpiresAt" DATE,
    "refreshTokenExpiresAt" DATE,
    "scope" TEXT,
    "password" TEXT,
    "createdAt" DATE NOT NULL,
    "updatedAt" DATE NOT NULL
  );
  CREATE TABLE "verification" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "identifier" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "expiresAt" DATE NOT NULL,
    "createdAt" DATE NOT NULL,
    "updatedAt" DATE NOT NULL
  );
  CREATE TABLE "twoFactor" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "secret" TEXT NOT NULL,
    "backupCodes" TEXT NOT NULL,
    "userId" TEXT NOT NULL REFERENCES "user" ("id") ON DELETE CASCADE,
    "verified" BOOLEAN,
    "failedVerificationCount" INTEGER,
    "lockedUntil" DATE
  );
  CREATE INDEX "session_userId_idx" ON "session" ("userId");
  CREATE INDEX "account_userId_idx" ON "account" ("userId");
  CREATE INDEX "verification_identifier_idx" ON "verification" ("identifier");
  CREATE INDEX "twoFactor_secret_idx" ON "twoFactor" ("secret");
  CREATE INDEX "twoFactor_userId_idx" ON "twoFactor" ("userId");

  CREATE TABLE members (
    user_id TEXT NOT NULL REFERENCES "user" ("id") ON DELETE CASCADE,
    site_id TEXT NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('owner', 'admin', 'viewer')),
    created_at INTEGER NOT NULL,
    PRIMARY KEY (user_id, site_id)
  ) STRICT, WITHOUT ROWID;

  -- One-time links: 'start' creates the owner, 'reset' sets a password, 'invite' adds a member.
  CREATE TABLE links (
    sha256 TEXT NOT NULL PRIMARY KEY,
    kind TEXT NOT NULL CHECK (kind IN ('start', 'reset', 'invite')),
    email TEXT NOT NULL,
    site_id TEXT NOT NULL,
    role TEXT NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE audit (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    site_id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    who TEXT NOT NULL,
    what TEXT NOT NULL,
    about TEXT NOT NULL
  ) STRICT;
  CREATE INDEX audit_site ON audit (site_id, at);

  -- Signs cookies, and encrypts the secrets of two-factor authentication.
  CREATE TABLE secret (value TEXT NOT NULL) STRICT;
  ${ADDED_TABLES}
  ${OWN_ALERTS}`;

/** The schema of accounts. New tables get a secret of their own. */
export function makeAccountsSchema(): Schema {
  const secret = randomBytes(SECRET_BYTES).toString('base64url');
  const tables = `${TABLES}; INSERT INTO secret (value) VALUES ('${secret}');`;
  return { store: 'accounts', version: 3, tables, migrations: [auditIds, ownAlerts] };
}
