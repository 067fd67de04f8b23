import type { Migration } from '#storage/sql/migrate.ts';

/** What providers converted payments by. Payments that were withdrawn are no longer among those without an amount. */
export const providerRates: Migration = {
  version: 22,
  async up(sql) {
    await sql.exec(`
      ALTER TABLE payments ADD COLUMN provider_rate TEXT;
      DROP INDEX unreported_payments;
      CREATE INDEX unreported_payments ON payments (site_id, ${PAID_AT})
        WHERE stated_minor IS NULL AND currency <> '';`);
  },
};

const PAID_AT = `coalesce(paid_at, CASE WHEN stated_minor IS NULL THEN
  CASE WHEN first_refund_at < coalesce(refunded_at, refund_received_at) THEN first_refund_at
    ELSE coalesce(coalesce(refunded_at, refund_received_at), first_refund_at) END
  ELSE received_at END, 0)`;
