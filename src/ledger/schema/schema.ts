import { IMPROBABLE_VISITORS } from '#domain/identity/improbable-person.ts';
import type { Schema } from '#storage/sql/migrate.ts';
import { matchedRefunds } from './migrations/0015-matched-refunds.ts';
import { connections } from './migrations/0016-connections.ts';
import { convertedPayments } from './migrations/0017-converted-payments.ts';
import { imports } from './migrations/0018-imports.ts';
import { walks } from './migrations/0019-walks.ts';
import { costs } from './migrations/0020-costs.ts';
import { keptEvents } from './migrations/0021-kept-events.ts';
import { providerRates } from './migrations/0022-provider-rates.ts';
import { countedKeys } from './migrations/0023-counted-keys.ts';
import { PROVIDER_TABLES } from './provider-tables.ts';

const OWN_REFUND_AT = 'coalesce(refunded_at, refund_received_at)';
/** When a payment was made, in milliseconds: what `paidAtOf` computes. */
export const PAID_AT = `coalesce(paid_at, CASE WHEN stated_minor IS NULL THEN
  CASE WHEN first_refund_at < ${OWN_REFUND_AT} THEN first_refund_at
    ELSE coalesce(${OWN_REFUND_AT}, first_refund_at) END ELSE received_at END, 0)`;

/** When a refund with its own id was made, in milliseconds: what `refundAtOf` computes. */
export const REFUND_AT = 'coalesce(refunded_at, paid_at, received_at)';

/** SQL condition of a refund that names no payment and was matched to none. */
export const IS_UNMATCHED = `stated_minor IS NULL AND refund_stated_minor IS NOT NULL
  AND other_refunds_minor = 0 AND voided_at IS NULL`;

/** The ledger's tables, in SQLite's dialect. */
const TABLES = `
  -- 'directory' grows with every change of sites and keys, so that other processes reload them.
  -- 'payments', 'persons' and 'costs' are the latest versions; 'shipped_…' are those that the warehouse has.
  -- 'outbox_bytes' is the size of the outbox, 'outbox_seq' its last batch; 'erasures' grows with each finished erasure.
  -- 'resolved_…' are the last identity and payment applied to persons; 'refused_joins' counts joins that
  -- would have given a person too many visitors. 'journal' is the id of the data directory whose journal ships to it, or 1 of
  -- an unknown one, or 0. 'provider_events' is a lock: one process at a time takes events of payment providers.
  CREATE TABLE counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  INSERT INTO counters VALUES ('directory', 0), ('payments', 0), ('shipped_payments', 0),
    ('persons', 0), ('shipped_persons', 0), ('outbox_bytes', 0), ('erasures', 0),
    ('resolved_identities', 0), ('resolved_payments', 0), ('refused_joins', 0), ('journal', 0),
    ('outbox_seq', 0), ('provider_events', 0), ('costs', 0), ('shipped_costs', 0);

  -- 'projection': on what terms the warehouse has a site's payments; see SiteProjection.
  CREATE TABLE sites (
    id TEXT PRIMARY KEY, domain TEXT NOT NULL, name TEXT NOT NULL, timezone TEXT NOT NULL,
    currency TEXT NOT NULL, allowed_hosts TEXT NOT NULL CHECK (json_valid(allowed_hosts)),
    settings TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(settings)),
    identity_secret TEXT, created_at INTEGER NOT NULL, removed_at INTEGER,
    projection TEXT NOT NULL DEFAULT '{}'
  ) STRICT, WITHOUT ROWID;
  CREATE UNIQUE INDEX sites_by_domain ON sites (domain) WHERE removed_at IS NULL;

  CREATE TABLE keys (
    id TEXT PRIMARY KEY, site_id TEXT REFERENCES sites ON DELETE CASCADE,
    name TEXT NOT NULL, sha256 TEXT NOT NULL UNIQUE, prefix TEXT NOT NULL, last4 TEXT NOT NULL,
    scopes TEXT NOT NULL CHECK (json_valid(scopes)), created_at INTEGER NOT NULL,
    expires_at INTEGER, revoked_at INTEGER, last_used_at INTEGER
  ) STRICT, WITHOUT ROWID;

  -- Everything that reports stated about a payment; see PaymentRecord. Payments stay when their site is
  -- removed. When the person is erased, the amounts stay, and no report restores the person.
  -- 'first_refund_at' is the time of the first refund with its own id. 'same_as': it turned out to be that payment.
  -- 'provider_rate': what its provider converted it by, such as 'EUR 0.92'.
  CREATE TABLE payments (
    id INTEGER PRIMARY KEY, site_id TEXT NOT NULL, transaction_id TEXT NOT NULL,
    currency TEXT NOT NULL, stated_minor INTEGER, refund_stated_minor INTEGER,
    other_refunds_minor INTEGER NOT NULL, renewal INTEGER NOT NULL, paid_at INTEGER,
    received_at INTEGER, refunded_at INTEGER, refund_received_at INTEGER, visitor_id TEXT,
    email TEXT, name TEXT, customer_id TEXT, subscription_id TEXT, product TEXT,
    version INTEGER NOT NULL, erased_at INTEGER, first_refund_at INTEGER, refund_total_at INTEGER,
    visitor_corrected INTEGER NOT NULL DEFAULT 0, voided_at INTEGER, provider TEXT, same_as TEXT,
    provider_rate TEXT,
    UNIQUE (site_id, transaction_id)
  ) STRICT;
  CREATE UNIQUE INDEX payments_by_version ON payments (version);
  CREATE INDEX payments_by_paid_at ON payments (site_id, ${PAID_AT});
  CREATE INDEX unreported_payments ON payments (site_id, ${PAID_AT})
    WHERE stated_minor IS NULL AND currency <> '';
  CREATE INDEX payments_by_visitor ON payments (site_id, visitor_id) WHERE visitor_id IS NOT NULL;
  CREATE INDEX payments_by_customer ON payments (site_id, customer_id)
    WHERE customer_id IS NOT NULL;
  CREATE INDEX payments_by_email ON payments (site_id, email) WHERE email IS NOT NULL;
  -- Of the few refunds that match no payment, by what matches them: any other index lists all of a site.
  CREATE INDEX unmatched_refunds_by_visitor ON payments (site_id, visitor_id) WHERE ${IS_UNMATCHED};
  CREATE INDEX unmatched_refunds_by_customer ON payments (site_id, customer_id) WHERE ${IS_UNMATCHED};
  CREATE INDEX unmatched_refunds_by_email ON payments (site_id, email) WHERE ${IS_UNMATCHED};

  -- Manual changes of payments: 'void', or 'visitor' with the ids before and after.
  CREATE TABLE payment_changes (
    id INTEGER PRIMARY KEY, site_id TEXT NOT NULL, transaction_id TEXT NOT NULL,
    change TEXT NOT NULL, changed_by TEXT NOT NULL, changed_at INTEGER NOT NULL,
    before TEXT, after TEXT
  ) STRICT;
  CREATE INDEX payment_changes_by_payment ON payment_changes (site_id, transaction_id);

  -- Refunds with their own ids; see RefundRecord. Each counts against the payment that it names.
  -- 'withdrawn_at': it failed, or a dispute was won; its amount is 0 since then. 'matched': no report named it; it was found. 'was_payment': the refund was recorded as a payment until then.
  CREATE TABLE refunds (
    id INTEGER PRIMARY KEY, site_id TEXT NOT NULL, transaction_id TEXT NOT NULL,
    original_transaction_id TEXT NOT NULL, currency TEXT NOT NULL,
    amount_minor INTEGER NOT NULL, refunded_at INTEGER, paid_at INTEGER,
    received_at INTEGER NOT NULL, visitor_id TEXT, email TEXT, name TEXT, customer_id TEXT,
    subscription_id TEXT, product TEXT, erased_at INTEGER,
    was_payment INTEGER NOT NULL DEFAULT 0, matched INTEGER NOT NULL DEFAULT 0,
    is_dispute INTEGER NOT NULL DEFAULT 0, withdrawn_at INTEGER, UNIQUE (site_id, transaction_id)
  ) STRICT;
  CREATE INDEX refunds_by_original ON refunds (site_id, original_transaction_id);

  -- Stored answers by Idempotency-Key. Ids grow with time, so that the oldest come first.
  -- 'subject' is the visitor or transaction that the answer concerns. An erasure deletes it too.
  CREATE TABLE answers (
    id INTEGER PRIMARY KEY AUTOINCREMENT, site_id TEXT NOT NULL, key TEXT NOT NULL,
    body_digest TEXT NOT NULL, answer TEXT NOT NULL, subject TEXT NOT NULL,
    created_at INTEGER NOT NULL, UNIQUE (site_id, key)
  ) STRICT;

  -- The outbox: a queue of event batches; see storage/queue-schema.ts.
  CREATE TABLE batches (
    seq INTEGER PRIMARY KEY, rows INTEGER NOT NULL, crc INTEGER NOT NULL, lines BLOB NOT NULL
  ) STRICT;
  CREATE TABLE set_aside_batches (
    seq INTEGER PRIMARY KEY, rows INTEGER NOT NULL, crc INTEGER NOT NULL, lines BLOB NOT NULL
  ) STRICT;
  CREATE TABLE shipment (
    "only" INTEGER PRIMARY KEY, first_seq INTEGER NOT NULL, last_seq INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE totals (file INTEGER PRIMARY KEY, shipped_rows INTEGER) STRICT;
  INSERT INTO totals VALUES (0, 0);

  -- Ids of deduplicated events, oldest first.
  CREATE TABLE event_ids (
    id INTEGER PRIMARY KEY AUTOINCREMENT, site_id TEXT NOT NULL, event_id BLOB NOT NULL,
    created_at INTEGER NOT NULL, UNIQUE (site_id, event_id)
  ) STRICT;

  -- Reported identities. Missing values are empty; all columns together deduplicate. Only identities with
  -- a key or a signature join visitors. A browser's claims are kept for display.
  CREATE TABLE identities (
    id INTEGER PRIMARY KEY AUTOINCREMENT, site_id TEXT NOT NULL, visitor_id TEXT NOT NULL,
    user_id TEXT NOT NULL, email TEXT NOT NULL,
    proof TEXT NOT NULL CHECK (proof IN ('claim', 'signature', 'key')), first_at INTEGER NOT NULL,
    last_at INTEGER NOT NULL, UNIQUE (site_id, visitor_id, user_id, email, proof)
  ) STRICT;

  -- Undone joins: this key no longer joins this visitor.
  CREATE TABLE separations (
    site_id TEXT NOT NULL, visitor_id TEXT NOT NULL, kind TEXT NOT NULL, key TEXT NOT NULL,
    separated_at INTEGER NOT NULL, PRIMARY KEY (site_id, visitor_id, kind, key)
  ) STRICT, WITHOUT ROWID;

  -- The identity graph, derived from identities and payments; see docs/decisions/0007-persons.md.
  CREATE TABLE people (
    person INTEGER PRIMARY KEY AUTOINCREMENT, site_id TEXT NOT NULL, visitor_id TEXT,
    visitors INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX people_by_visitors ON people (site_id, visitors) WHERE visitors >= ${IMPROBABLE_VISITORS};
  CREATE TABLE person_keys (
    site_id TEXT NOT NULL, kind TEXT NOT NULL, key TEXT NOT NULL, person INTEGER NOT NULL,
    PRIMARY KEY (site_id, kind, key)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX person_keys_by_person ON person_keys (person);
  CREATE TABLE subscription_leaders (
    site_id TEXT NOT NULL, subscription_id TEXT NOT NULL, rank INTEGER NOT NULL,
    paid_at INTEGER NOT NULL, transaction_id TEXT NOT NULL, kind TEXT NOT NULL,
    key TEXT NOT NULL, PRIMARY KEY (site_id, subscription_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX payments_by_subscription ON payments (site_id, subscription_id)
    WHERE subscription_id IS NOT NULL;

  -- Its projection for the warehouse: one row for each visitor and transaction whose person is not
  -- simply the visitor.
  CREATE TABLE persons (
    site_id TEXT NOT NULL, kind TEXT NOT NULL, key TEXT NOT NULL, person_id TEXT NOT NULL,
    version INTEGER NOT NULL, PRIMARY KEY (site_id, kind, key)
  ) STRICT, WITHOUT ROWID;
  CREATE UNIQUE INDEX persons_by_version ON persons (version);

  -- Erasures of persons, and of visits past retention, which began 'before' an instant. 'subject' holds
  -- the subject and the counted events until the erasure is done, and is then emptied.
  CREATE TABLE erasures (
    id TEXT PRIMARY KEY, site_id TEXT NOT NULL, state TEXT NOT NULL,
    subject TEXT NOT NULL CHECK (json_valid(subject)),
    counts TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(counts)), requested_at INTEGER NOT NULL,
    done_at INTEGER, before INTEGER
  ) STRICT;
  -- Number of shipped events per journal that an erasure deletes from the warehouse.
  CREATE TABLE erased_events (
    erasure_id TEXT NOT NULL, journal INTEGER NOT NULL, rows INTEGER NOT NULL,
    PRIMARY KEY (erasure_id, journal)
  ) STRICT, WITHOUT ROWID;

  -- Counts of dropped events, and the latest samples per reason, without personal data.
  CREATE TABLE drops (
    site_id TEXT NOT NULL, reason TEXT NOT NULL, hour_at INTEGER NOT NULL,
    count INTEGER NOT NULL, PRIMARY KEY (site_id, hour_at, reason)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE drop_samples (
    id INTEGER PRIMARY KEY AUTOINCREMENT, site_id TEXT NOT NULL, reason TEXT NOT NULL,
    hour_at INTEGER NOT NULL, type TEXT NOT NULL, host TEXT NOT NULL, path TEXT NOT NULL
  ) STRICT;
  CREATE INDEX drop_samples_by_reason ON drop_samples (site_id, reason, id);

  ${PROVIDER_TABLES}

  -- Imports of payments from files.
  CREATE TABLE imports (
    id TEXT PRIMARY KEY, site_id TEXT NOT NULL, file TEXT NOT NULL, format TEXT NOT NULL,
    started_at INTEGER NOT NULL, finished_at INTEGER, undone_at INTEGER
  ) STRICT, WITHOUT ROWID;
  -- The import that first recorded a transaction. 'reported_by': who else has reported it since: 'api', 'provider', or
  -- another import.
  CREATE TABLE imported_payments (
    site_id TEXT NOT NULL, transaction_id TEXT NOT NULL, import_id TEXT NOT NULL,
    reported_by TEXT, PRIMARY KEY (site_id, transaction_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX imported_payments_by_import ON imported_payments (import_id);

  -- What was spent on a campaign on a day of the site's time zone. A removed cost stays, so that the warehouse deletes it.
  CREATE TABLE costs (
    id INTEGER PRIMARY KEY, site_id TEXT NOT NULL, day TEXT NOT NULL, source TEXT NOT NULL,
    medium TEXT NOT NULL, campaign TEXT NOT NULL, channel TEXT NOT NULL,
    amount_minor INTEGER NOT NULL, currency TEXT NOT NULL, import_id TEXT,
    removed_at INTEGER, version INTEGER NOT NULL,
    UNIQUE (site_id, day, source, medium, campaign)
  ) STRICT;
  CREATE UNIQUE INDEX costs_by_version ON costs (version);
  CREATE INDEX costs_by_import ON costs (import_id) WHERE import_id IS NOT NULL;
  -- Files of costs that were imported.
  CREATE TABLE cost_imports (
    id TEXT PRIMARY KEY, site_id TEXT NOT NULL, file TEXT NOT NULL,
    imported_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
`;

/** The ledger's schema. Version 14 is the oldest that was released. */
export const LEDGER: Schema = {
  store: 'ledger',
  tables: TABLES,
  version: 23,
  migrations: [
    matchedRefunds,
    connections,
    convertedPayments,
    imports,
    walks,
    costs,
    keptEvents,
    providerRates,
    countedKeys,
  ],
};
