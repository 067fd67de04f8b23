import type { CostRow } from '#contract/rows/cost-row.ts';
import type { PaymentRow } from '#contract/rows/payment-row.ts';
import type { PersonRow } from '#contract/rows/person-row.ts';
import type { MoneyPlace } from '#domain/money/rates/convert-money.ts';
import type { QueueCounts } from '#storage/queue-counts.ts';
import { toSeqRange } from '#storage/shipment-token.ts';
import type { Database, Sql } from '#storage/sql/sql.ts';
import { createToCostRow, findCosts } from './costs/find-costs.ts';
import { findPayments, type VersionRange } from './payments/find-payments.ts';
import { createToRows, isOn, type KnownRates, readProjectedSites } from './payments/site-money.ts';
import { findPersons } from './persons/find-persons.ts';
import { readCounter } from './schema/counters.ts';
import { createSiteStore } from './sites/sites.ts';

/** Page size for rows of `persons`. */
const PAGE_PERSONS = 20_000;

/** A row's money in the currency of its site, by the name of its column. */
type WithMoney = { readonly [Column in `site_minor_${MoneyPlace}`]?: string };

/** What the ledger has counted and shipped, for comparison with the warehouse. */
export function createCounts(db: Database) {
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

  const versionsOf = (of: 'payments' | 'costs') => ({
    shippedVersion: () => readCounter(db, `shipped_${of}`),
    lastVersion: () => readCounter(db, of),
    countChangedAfter: (version: number) =>
      count(`SELECT count(*) AS n FROM ${of} WHERE version > ?`, version),
  });

  return {
    payments: {
      ...versionsOf('payments'),
      /** Creates the function that reads rows with the money of their sites. */
      async createReadRows(rates: Pick<KnownRates, 'spansOf'>) {
        const toRows = await createToRows(db, rates);
        return async (versions: VersionRange) => {
          const payments = await db.snapshot((sql) => findPayments(sql, versions));
          return payments.flatMap(toRows) as (PaymentRow & WithMoney)[];
        };
      },
    },
    costs: {
      ...versionsOf('costs'),
      /** Likewise. */
      async createReadRows(rates: Pick<KnownRates, 'spansOf'>) {
        const toRow = await createToCostRow(db, rates);
        return async (versions: VersionRange) =>
          (await findCosts(db, versions)).map(toRow) as (CostRow & WithMoney)[];
      },
    },
    /** Where the rows of each site have money, and in which currency; without sites that are to be converted again. */
    async findConverted(rates: Pick<KnownRates, 'digest'>) {
      const digest = rates.digest();
      const sites = await readProjectedSites(db);
      const converted = sites.filter((site) => isOn(site, { ...site, rates: digest }));
      return new Map(
        converted.map(({ id, currency, projection: { place = 0 } }) => {
          return [id, { currency, place }] as const;
        }),
      );
    },
    listSites: createSiteStore(db, Date.now).listSites,
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
    countPersons: (upTo: number) =>
      count('SELECT count(*) AS n FROM persons WHERE version <= ?', upTo),
    async findUnknownSiteDrops(since: number) {
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
