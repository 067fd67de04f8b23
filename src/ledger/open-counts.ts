import { DatabaseSync } from 'node:sqlite';
import type { PersonRow } from '#contract/rows/person-row.ts';
import { inSnapshot } from './open-database.ts';
import { createFindPayments } from './payments/find-payments.ts';
import type { RecordedPayment } from './payments/project-payment.ts';
import { createFindPersons } from './persons/find-persons.ts';

/** Counts from the ledger, for comparison with the warehouse. */
export interface LedgerCounts {
  /** All payments up to this version are in the warehouse. */
  shippedVersion(): bigint;
  /** The highest version ever given to a payment. */
  lastVersion(): bigint;
  /** Payments whose latest version is in the range, from one snapshot. */
  findPayments(versions: { readonly after: bigint; readonly upTo: bigint }): RecordedPayment[];
  /** Number of payments changed after this version. */
  countChangedAfter(version: bigint): number;
  /** Domains by site id. */
  domainsById(): ReadonlyMap<string, string>;
  /** All rows of `persons` up to this version are in the warehouse. */
  shippedPersonsVersion(): number;
  /** Rows of `persons` up to the version, read in pages. */
  personsUpTo(upTo: number): Iterable<PersonRow>;
  /** Number of rows of `persons` up to the version. */
  countPersons(upTo: number): number;
  /** Events deleted from the warehouse by erasures and retention, by journal: by all, and by finished ones. */
  erasedByJournal(): ReadonlyMap<number, { readonly all: number; readonly finished: number }>;
  /** Events since then with an unknown or missing site, and hosts of the latest ones. */
  findUnknownSiteDrops(since: number): {
    readonly count: number;
    readonly hosts: readonly string[];
  };
  /** Erasures by site id: "running", or the number of finished ones. */
  forgettingBySite(): ReadonlyMap<string, string>;
  close(): void;
}

/** Page size for rows of `persons`. */
const PAGE_PERSONS = 20_000;

/** Opens the ledger at `path` read-only for counting. It may be in use. */
export function openLedgerCounts(path: string): LedgerCounts {
  const db = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
  const findPayments = createFindPayments(db);
  const shipped = db.prepare("SELECT value FROM counters WHERE name = 'shipped_payments'");
  shipped.setReadBigInts(true);
  const last = db.prepare("SELECT value FROM counters WHERE name = 'payments'");
  last.setReadBigInts(true);
  const changedAfter = db.prepare('SELECT count(*) AS n FROM payments WHERE version > ?');
  const sites = db.prepare('SELECT id, domain FROM sites');
  const erased = db.prepare(`
    SELECT journal, sum(rows) AS "all", sum(iif(state IN ('scrubbing', 'done'), rows, 0)) AS finished
    FROM erased_events JOIN erasures ON erasures.id = erased_events.erasure_id GROUP BY journal`);
  const forgetting = db.prepare(`
    SELECT site_id, iif(max(state = 'running'), 'running', sum(state IN ('scrubbing', 'done'))) AS done
    FROM erasures GROUP BY site_id`);
  const unknownSite = db.prepare(
    "SELECT sum(count) AS n FROM drops WHERE site_id = '' AND hour_at >= ?",
  );
  const unknownHosts = db.prepare(
    "SELECT DISTINCT host FROM drop_samples WHERE site_id = '' AND host != '' AND hour_at >= ? LIMIT 5",
  );
  const shippedPersons = db.prepare("SELECT value FROM counters WHERE name = 'shipped_persons'");
  const findPersons = createFindPersons(db);
  const countPersons = db.prepare('SELECT count(*) AS n FROM persons WHERE version <= ?');

  function* personsUpTo(upTo: number): Generator<PersonRow> {
    for (let after: number | undefined = 0; after !== undefined; ) {
      const page: readonly PersonRow[] = findPersons({ after, upTo }, PAGE_PERSONS);
      yield* page;
      after = page.at(-1)?.version;
    }
  }

  return {
    shippedVersion: () => shipped.get()?.value as bigint,
    lastVersion: () => last.get()?.value as bigint,
    findPayments: (versions) => inSnapshot(db, () => findPayments(versions, -1)),
    countChangedAfter: (version) => Number(changedAfter.get(version)?.n),
    domainsById: () => new Map(sites.all().map((site) => [String(site.id), String(site.domain)])),
    erasedByJournal: () =>
      new Map(
        erased.all().map(({ journal, ...counts }) => {
          return [Number(journal), counts as { all: number; finished: number }];
        }),
      ),
    forgettingBySite: () =>
      new Map(forgetting.all().map((row) => [String(row.site_id), String(row.done)])),
    shippedPersonsVersion: () => Number(shippedPersons.get()?.value),
    personsUpTo,
    countPersons: (upTo) => Number(countPersons.get(upTo)?.n),
    findUnknownSiteDrops: (since) => ({
      count: Number(unknownSite.get(since)?.n ?? 0),
      hosts: unknownHosts.all(since).map((row) => String(row.host)),
    }),
    close: () => db.close(),
  };
}
