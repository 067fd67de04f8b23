import { moneyColumn } from '#contract/rows/add-money.ts';
import type { SiteMoney } from '#contract/rows/payment-row.ts';
import { FSYNCED, INSTANT } from './table-settings.ts';

/** SQL for the payer: a 64-bit hash of the visitor id, or of the transaction id without a known visitor. */
const PAYER = `cityHash64(multiIf(visitor_id != '', visitor_id, concat('transaction ',
    if(original_transaction_id = '', transaction_id, original_transaction_id))))`;

/**
 * Rows two minutes old are merged into one part, which `FINAL` reads without merging: queries of money take a fifth
 * less time. Up to 32 MB, about a million payments: larger tables are not rewritten so often.
 */
const MERGED_SOON = `min_age_to_force_merge_seconds = 120, enable_max_bytes_limit_for_min_age_to_force_merge = 1,
  max_bytes_to_merge_at_max_space_in_pool = 32000000`;

/**
 * The columns of {@link SiteMoney}, in two places. Rows from before there were any are as paid in the site's currency: most
 * are, and nobody reads them until the others are shipped again.
 */
export const MONEY_COLUMNS: readonly string[] = ([0, 1] as const).flatMap((place) => {
  const column = (name: keyof SiteMoney, type: string) => `${moneyColumn(name, place)} ${type}`;
  const asPaid = (value: string) => (place === 0 ? ` DEFAULT ${value}` : '');
  return [
    column('site_minor', `Int128${asPaid('amount_minor')}`),
    column('earlier_minor', 'Int128'),
    column('rate', `Float64${asPaid('1')}`),
    column('rate_source', `LowCardinality(String)${asPaid("'same'")}`),
    column('rate_days', 'UInt16'),
  ];
});

/**
 * The ledger's projection of payments: one row per payment (`kind = 'payment'`) or refund (`kind = 'refund'`).
 * The newest version wins; read with `FINAL`. `payer` is a hash of the payer.
 */
export const PAYMENTS = `
CREATE TABLE IF NOT EXISTS payments (
  site_id LowCardinality(String),
  kind LowCardinality(String),
  transaction_id String,
  original_transaction_id String,
  occurred_at ${INSTANT},
  paid_at ${INSTANT},
  accepted_at ${INSTANT},
  amount_minor Int64,
  currency LowCardinality(String),
  visitor_id String,
  payer UInt64 MATERIALIZED ${PAYER} CODEC(NONE),
  customer_id String,
  email String,
  subscription_id String,
  product LowCardinality(String),
  provider LowCardinality(String),
  renewal UInt8,
  is_dispute UInt8,
  ${MONEY_COLUMNS.join(',\n  ')},
  version UInt64,
  is_deleted UInt8
) ENGINE = ReplacingMergeTree(version, is_deleted)
ORDER BY (site_id, kind, transaction_id)
SETTINGS ${FSYNCED}, ${MERGED_SOON}, default_compression_codec = 'ZSTD(1)'`;

/**
 * The ledger's projection of persons: the person of a visitor (`kind = 'visitor'`) or transaction
 * (`kind = 'transaction'`), unless that is simply the visitor. Read with `FINAL`.
 *
 * - Source: docs/decisions/0007-persons.md.
 */
export const PERSONS = `
CREATE TABLE IF NOT EXISTS persons (
  site_id LowCardinality(String),
  kind LowCardinality(String),
  key String,
  person_id String,
  number UInt64 MATERIALIZED cityHash64(if(kind = 'transaction', concat('transaction ', key), key)) CODEC(NONE),
  person_number UInt64 MATERIALIZED cityHash64(person_id) CODEC(NONE),
  version UInt64
) ENGINE = ReplacingMergeTree(version)
ORDER BY (site_id, kind, key)
SETTINGS ${FSYNCED}, ${MERGED_SOON}`;

/**
 * The ledger's projection of costs: what was spent on a campaign on a day. Read with `FINAL`. Money is in the columns of
 * `payments`.
 */
export const COSTS = `
CREATE TABLE IF NOT EXISTS costs (
  site_id LowCardinality(String),
  day Date,
  source LowCardinality(String),
  medium LowCardinality(String),
  campaign LowCardinality(String),
  channel LowCardinality(String),
  amount_minor Int64,
  currency LowCardinality(String),
  ${MONEY_COLUMNS.join(',\n  ')},
  version UInt64,
  is_deleted UInt8
) ENGINE = ReplacingMergeTree(version, is_deleted)
ORDER BY (site_id, day, source, medium, campaign)
SETTINGS ${FSYNCED}, ${MERGED_SOON}`;
