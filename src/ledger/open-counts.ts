import { DatabaseSync } from 'node:sqlite';
import type { PersonRow } from '#contract/rows/person-row.ts';
import type { QueueCounts } from '#storage/queue-counts.ts';
import { toSeqRange } from '#storage/shipment-token.ts';
import { openPostgres } from '#storage/sql/postgres.ts';
import { isPostgres, type Sql } from '#storage/sql/sql.ts';
import { toDatabase } from '#storage/sql/sqlite.ts';
import { findPayments, type Versions } from './payments/find-payments.ts';
import type { RecordedPayment } from './payments/project-payment.ts';
import { findPersons } from './persons/find-persons.ts';
import { readCounter } from './schema/counters.ts';

/** Counts from the ledger, for comparison with the warehouse. */
export interface LedgerCounts {
  /** All payments up to this version are in the warehouse. */
  shippedVersion(): Promise<number>;
  /** The highest version ever given to a payment. */
  lastVersion(): Promise<number>;
  /** Payments whose latest version is in the range, from one snapshot. */
  findPayments(versions: Versions): Promise<RecordedPayment[]>;
  /** Number of payments changed after this version. */
  countChangedAfter(version: number): Promise<number>;
  /** Domains by site id. */
  domainsById(): Promise<ReadonlyMap<string, string>>;
  /** All rows of `persons` up to this version are in the warehouse. */
  shippedPersonsVersion(): Promise<number>;
  /** Rows of `persons` up to the version, read in pages. */
  personsUpTo(upTo: number): AsyncIterable<PersonRow>;
  /** Number of rows of `persons` up to the version. */
  countPersons(upTo: number): Promise<number>;
  /** Events deleted from the warehouse by erasures and retention, by journal: by all, and by finished ones. */
  erasedByJournal(): Promise<
    ReadonlyMap<number, { readonly all: number; readonly finished: number }>
  >;
  /** Events since then with an unknown or missing site, and hosts of the latest ones. */
  findUnknownSiteDrops(since: number): Promise<{
    readonly count: number;
    readonly hosts: readonly string[];
  }>;
  /** The outbox. */
  readOutbox(): Promise<QueueCounts>;
  /** Erasures by site id: "running", or the number of finished ones. */
  forgettingBySite(): Promise<ReadonlyMap<string, string>>;
  close(): Promise<void>;
}

/** Page size for rows of `persons`. */
const PAGE_PERSONS = 20_000;

/** Opens the ledger read-only for counting. It may be in use. */
export function openLedgerCounts(location: string): LedgerCounts {
  const db = isPostgres(location)
    ? openPostgres(location)
    : toDatabase(new DatabaseSync(location, { readOnly: true, timeout: 5_000 }));

  async function* personsUpTo(upTo: number): AsyncGenerator<PersonRow> {
    for (let after: number | undefined = 0; after !== undefined; ) {
      const page: readonly PersonRow[] = await findPersons(db, { after, upTo }, PAGE_PERSONS);
      yield* page;
      after = page.at(-1)?.version;
    }
  }

  async function count(text: string, ...values: (number | string)[]): Promise<number> {
    return Number((await db.get(text, ...values))?.n ?? 0);
  }

  return {
    shippedVersion: () => readCounter(db, 'shipped_payments'),
    lastVersion: () => readCounter(db, 'payments'),
    findPayments: (versions) => db.snapshot((sql) => findPayments(sql, versions)),
    countChangedAfter: (version) =>
      count('SELECT count(*) AS n FROM payments WHERE version > ?', version),
    async domainsById() {
      const sites = await db.all('SELECT id, domain FROM sites');
      return new Map(sites.map((site) => [String(site.id), String(site.domain)]));
    },
    async erasedByJournal() {
      const erased = await db.all(`
        SELECT journal, sum(rows) AS "all",
          sum(CASE WHEN state IN ('scrubbing', 'done') THEN rows ELSE 0 END) AS finished
        FROM erased_events JOIN erasures ON erasures.id = erased_events.erasure_id
        GROUP BY journal`);
      return new Map(
        erased.map(({ journal, all, finished }) => {
          return [Number(journal), { all: Number(all), finished: Number(finished) }];
        }),
      );
    },
    async forgettingBySite() {
      const sites = await db.all(`
        SELECT site_id, sum(CASE state WHEN 'running' THEN 1 ELSE 0 END) AS running,
          sum(CASE WHEN state IN ('scrubbing', 'done') THEN 1 ELSE 0 END) AS done
        FROM erasures GROUP BY site_id`);
      return new Map(
        sites.map(({ site_id: siteId, running, done }) => {
          return [String(siteId), Number(running) > 0 ? 'running' : String(done)];
        }),
      );
    },
    shippedPersonsVersion: () => readCounter(db, 'shipped_persons'),
    personsUpTo,
    countPersons: (upTo) => count('SELECT count(*) AS n FROM persons WHERE version <= ?', upTo),
    async findUnknownSiteDrops(since) {
      const hosts = await db.all(
        `SELECT DISTINCT host FROM drop_samples
         WHERE site_id = '' AND host != '' AND hour_at >= ? LIMIT 5`,
        since,
      );
      return {
        count: await count(
          "SELECT sum(count) AS n FROM drops WHERE site_id = '' AND hour_at >= ?",
          since,
        ),
        hosts: hosts.map((row) => String(row.host)),
      };
    },
    readOutbox: () => db.snapshot(readOutbox),
    close: () => db.close(),
  };
}

async function readOutbox(sql: Sql): Promise<QueueCounts> {
  const counts = await sql.get(`
    SELECT coalesce(sum(rows), 0) AS waiting, min(seq) AS oldest,
      (SELECT count(*) FROM set_aside_batches) AS set_aside,
      (SELECT sum(shipped_rows) FROM totals) AS shipped
    FROM batches`);
  const next = (await readCounter(sql, 'outbox_seq')) + 1;
  const shipments = await sql.all('SELECT first_seq, last_seq FROM shipment');
  return {
    shipped: Number(counts?.shipped),
    waiting: Number(counts?.waiting),
    damagedBatches: Number(counts?.set_aside),
    unconfirmedFrom: counts?.oldest == null ? (next > 1 ? next : undefined) : Number(counts.oldest),
    shipments: shipments.map(toSeqRange),
  };
}
