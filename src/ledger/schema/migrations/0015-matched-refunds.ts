import type { Migration } from '#storage/sql/migrate.ts';
import type { Sql } from '#storage/sql/sql.ts';

/**
 * Matched refunds are recorded as refunds of their payments; before, they were payments that named another one. Refunds
 * without a reported payment leave the warehouse.
 * The size of the outbox and the number of its last batch are counters that the program keeps, without triggers.
 *
 * Why in SQL of its own: it must not change with the program.
 */
export const matchedRefunds: Migration = {
  version: 15,
  async up(sql) {
    await sql.exec(`
      DROP INDEX unnamed_refunds_by_match;
      DROP INDEX unnamed_refunds_by_visitor;
      DROP INDEX unnamed_refunds_by_customer;
      DROP INDEX unnamed_refunds_by_email;
      DROP INDEX payments_by_paid_at;
      DROP TRIGGER batch_added;
      DROP TRIGGER batch_removed;
      ALTER TABLE refunds ADD COLUMN matched INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE payments ADD COLUMN refund_total_at INTEGER;`);
    await moveMatched(sql);
    await sql.exec(`
      ALTER TABLE payments DROP COLUMN matched_to;
      CREATE INDEX payments_by_paid_at ON payments (site_id, ${PAID_AT});
      CREATE INDEX unreported_payments ON payments (site_id, ${PAID_AT}) WHERE stated_minor IS NULL;
      CREATE INDEX unmatched_refunds_by_visitor ON payments (site_id, visitor_id) WHERE ${IS_UNMATCHED};
      CREATE INDEX unmatched_refunds_by_customer ON payments (site_id, customer_id) WHERE ${IS_UNMATCHED};
      CREATE INDEX unmatched_refunds_by_email ON payments (site_id, email) WHERE ${IS_UNMATCHED};
      CREATE INDEX people_by_visitors ON people (site_id, visitors) WHERE visitors >= 50;
      INSERT INTO counters VALUES ('outbox_seq',
        coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'batches'), 0));`);
  },
};

const PAID_AT = `coalesce(paid_at, CASE WHEN stated_minor IS NULL THEN
  CASE WHEN first_refund_at < coalesce(refunded_at, refund_received_at) THEN first_refund_at
    ELSE coalesce(coalesce(refunded_at, refund_received_at), first_refund_at) END
  ELSE received_at END, 0)`;
const IS_UNMATCHED = `stated_minor IS NULL AND refund_stated_minor IS NOT NULL
  AND other_refunds_minor = 0 AND voided_at IS NULL`;
const IS_MATCHED = `matched_to IS NOT NULL AND stated_minor IS NULL
  AND refund_stated_minor IS NOT NULL`;
const FACTS = 'visitor_id, email, name, customer_id, subscription_id, product, erased_at';
const OF_PAYMENT = `refunds.site_id = payments.site_id
  AND refunds.original_transaction_id = payments.transaction_id`;

async function moveMatched(sql: Sql): Promise<void> {
  await sql.exec(`
    INSERT INTO refunds (site_id, transaction_id, original_transaction_id, currency, amount_minor,
      refunded_at, paid_at, received_at, was_payment, matched, ${FACTS})
    SELECT site_id, transaction_id, matched_to, currency, refund_stated_minor, refunded_at, paid_at,
      coalesce(refund_received_at, received_at, 0), 1, 1, ${FACTS}
    FROM payments WHERE ${IS_MATCHED} ORDER BY id;
    DELETE FROM payments WHERE ${IS_MATCHED};
    UPDATE payments SET
      other_refunds_minor = other_refunds_minor
        + (SELECT sum(amount_minor) FROM refunds WHERE ${OF_PAYMENT} AND matched = 1),
      first_refund_at = (SELECT min(coalesce(refunded_at, paid_at, received_at)) FROM refunds
        WHERE ${OF_PAYMENT})
    WHERE EXISTS (SELECT 1 FROM refunds WHERE ${OF_PAYMENT} AND matched = 1);`);
  const changed = await sql.all(
    `SELECT id FROM payments WHERE stated_minor IS NULL OR EXISTS (
       SELECT 1 FROM refunds WHERE ${OF_PAYMENT} AND matched = 1) ORDER BY id`,
  );
  // Each ships to the warehouse again.
  for (const { id = null } of changed) {
    await sql.run("UPDATE counters SET value = value + 1 WHERE name = 'payments'");
    const newest = "SELECT value FROM counters WHERE name = 'payments'";
    await sql.run(`UPDATE payments SET version = (${newest}) WHERE id = ?`, id);
  }
}
