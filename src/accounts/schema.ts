/** The schema version; files with another version are refused. */
export const ACCOUNTS_VERSION = 1;

/**
 * The tables of the accounts database. The first five are better-auth's, with its names and types; a
 * test compares them with its expectations. `is_owner` is ours and marks the owner of the server.
 *
 * - better-auth requires the column `ipAddress`. It stays empty: no IP address is stored.
 */
export const ACCOUNTS_SCHEMA = `
  CREATE TABLE "user" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "name" TEXT NOT NULL,
    "email" TEXT NOT NULL UNIQUE,
    "emailVerified" INTEGER NOT NULL,
    "image" TEXT,
    "createdAt" DATE NOT NULL,
    "updatedAt" DATE NOT NULL,
    "twoFactorEnabled" INTEGER,
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
    "verified" INTEGER,
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
`;

/** Tables that a file of the same version may lack. They are created when a file is opened. */
export const ADDED_TABLES = `
  -- Codes of authenticator apps that have opened a session.
  CREATE TABLE IF NOT EXISTS used_codes (
    factor_id TEXT NOT NULL REFERENCES "twoFactor" ("id") ON DELETE CASCADE,
    code TEXT NOT NULL,
    used_at INTEGER NOT NULL,
    PRIMARY KEY (factor_id, code)
  ) STRICT, WITHOUT ROWID;
  -- Saved items; content is JSON. Without a user, the whole site shares the item.
  CREATE TABLE IF NOT EXISTS saved (
    id TEXT NOT NULL PRIMARY KEY,
    site_id TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('segment', 'funnel', 'annotation')),
    user_id TEXT REFERENCES "user" ("id") ON DELETE CASCADE,
    content TEXT NOT NULL,
    created_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS saved_site ON saved (site_id, kind);
  CREATE INDEX IF NOT EXISTS saved_user ON saved (user_id);
  -- Links that show part of a site.
  CREATE TABLE IF NOT EXISTS shares (
    id TEXT NOT NULL PRIMARY KEY,
    site_id TEXT NOT NULL,
    name TEXT NOT NULL,
    token TEXT NOT NULL UNIQUE,
    password TEXT NOT NULL,
    panels TEXT NOT NULL,
    has_revenue INTEGER NOT NULL,
    filters TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    created_by TEXT NOT NULL,
    last_used_at INTEGER
  ) STRICT, WITHOUT ROWID;
  -- Mails that people receive; 'sent_until' is the last day covered by a sent summary.
  CREATE TABLE IF NOT EXISTS subscriptions (
    user_id TEXT NOT NULL REFERENCES "user" ("id") ON DELETE CASCADE,
    site_id TEXT NOT NULL,
    summary TEXT NOT NULL CHECK (summary IN ('off', 'weekly', 'monthly')),
    alerts INTEGER NOT NULL,
    token TEXT NOT NULL UNIQUE,
    sent_until TEXT NOT NULL,
    PRIMARY KEY (user_id, site_id)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS alert_rules (
    site_id TEXT NOT NULL PRIMARY KEY,
    kinds TEXT NOT NULL,
    webhook_url TEXT,
    is_trusted INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  -- Alerts that have not cleared.
  CREATE TABLE IF NOT EXISTS open_alerts (
    site_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    since INTEGER NOT NULL,
    PRIMARY KEY (site_id, kind)
  ) STRICT, WITHOUT ROWID;
`;
