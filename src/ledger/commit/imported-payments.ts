import type { PaymentReport } from '#domain/money/payment-record.ts';
import type { PaymentOutcome } from '#domain/outcome.ts';
import type { Sql } from '#storage/sql/sql.ts';
import type { AcceptPayments } from './accept-payment.ts';

/** Who reports a payment: our own API, a connected provider, or the import with this id. */
export type Reporter = 'api' | 'provider' | `imp_${string}`;

type Entry = {
  readonly siteId: string;
  readonly report: PaymentReport;
  readonly importId?: string | undefined;
};

/** Accepts reports, and notes which import first recorded a transaction and who reported it since. */
interface AcceptImported {
  accept(entry: Entry): PaymentOutcome | Promise<PaymentOutcome>;
  /** Writes what was noted. */
  flush(): Promise<void>;
}

/** Begins with a group of reports. */
export function beginImported(sql: Sql, payments: AcceptPayments | undefined): AcceptImported {
  const first: (readonly [siteId: string, transactionId: string, importId: string])[] = [];
  const reported = new Map<string, { siteId: string; by: Reporter; ids: string[] }>();

  async function acceptAny({ siteId, report, importId }: Entry): Promise<PaymentOutcome> {
    if (payments === undefined) throw new Error('The group has no payments.');
    const id = payments.toOwnId(siteId, report.transactionId);
    const isFirst = importId !== undefined && !(await payments.isReported(siteId, id));
    const outcome = await payments.accept(siteId, report);
    if (outcome.kind === 'transaction_conflict') return outcome;
    const by = (importId ?? 'api') as Reporter;
    const noted = () => ({ siteId, by, ids: [] });
    reported.getOrInsertComputed(`${siteId} ${by}`, noted).ids.push(id);
    if (!isFirst) return outcome;
    first.push([siteId, id, importId]);
    return { ...outcome, isFirst };
  }

  return {
    // Nearly all are new. What merging, matching and noting them would cost is more than all else.
    accept(entry) {
      const isAdded =
        entry.importId === undefined && payments?.addNew(entry.siteId, entry.report) === true;
      return isAdded ? { kind: 'recorded' } : acceptAny(entry);
    },
    async flush() {
      if (first.length > 0) await saveFirst(sql, first);
      for (const { siteId, ids, by } of reported.values()) await noteReported(sql, siteId, ids, by);
    },
  };
}

function saveFirst(sql: Sql, rows: readonly (readonly string[])[]) {
  return sql.insert({
    into: 'imported_payments',
    columns: ['site_id', 'transaction_id', 'import_id'],
    rows,
    end: `ON CONFLICT (site_id, transaction_id) DO UPDATE SET
      import_id = excluded.import_id, reported_by = NULL`,
  });
}

/** Notes who else reports transactions that an import first recorded. A report beside all imports outweighs theirs. */
export async function noteReported(
  sql: Sql,
  siteId: string,
  ids: readonly string[],
  by: Reporter,
): Promise<void> {
  if (ids.length === 0) return;
  await sql.run(
    `UPDATE imported_payments SET reported_by = ?3
     WHERE site_id = ?1 AND transaction_id IN (SELECT value FROM json_each(?2))
       AND import_id <> ?3 AND (reported_by IS NULL OR reported_by LIKE 'imp_%')`,
    ...[siteId, JSON.stringify(ids), by],
  );
}
