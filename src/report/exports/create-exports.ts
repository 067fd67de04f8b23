import type { Exported, ExportFormat } from '#contract/exports.ts';
import type { Fault } from '#contract/fault.ts';
import type { ListedPayment } from '#contract/payments/payment-list.ts';
import type { FileFormat } from '#contract/query.ts';
import { ok, type Result, refuse } from '#domain/result.ts';
import type { DateRange } from '#domain/time/parse-period.ts';
import type { Period } from '#domain/time/period.ts';
import type { ListPayments } from '../payments/list-payments.ts';
import type { createListPersons } from '../people/list-people.ts';
import type { Refusal, ReportSite, Stops } from '../ports.ts';
import { lookUp } from '../query/answer/look-up.ts';
import type { KindParts } from '../query/answer/query-kind.ts';
import { parseAskedPeriod } from '../query/parse/parse-fields.ts';
import { createFairQueue } from '../scheduler/fair-queue.ts';
import {
  type ExportedRow,
  exportColumnsOf,
  fromRows,
  type RowsOf,
  toPageStatement,
} from './page-statement.ts';
import { createParquetJoiner } from './parquet/join-parquet.ts';
import { recordedPages } from './recorded-pages.ts';
import { toPaymentRow, toPersonRow } from './to-rows.ts';

/** How a file is written, and for whom. */
type FileWish = {
  readonly format: ExportFormat;
  /** Whether with e-mail addresses, names and traits. */
  readonly isPersonal: boolean;
  readonly stops?: Stops | undefined;
};

/** What to export of which period. */
type AskedExport = FileWish & {
  readonly content: Exported;
  readonly date_range: DateRange;
  readonly timezone?: string | undefined;
  /** Whether with events and visits of bots. */
  readonly bots: boolean;
};

/** A file in pieces, each made when it is asked for. Throws rather than end early. */
export type FileParts = AsyncGenerator<Buffer>;

/** Exports of everything of a period. */
export interface FileExports {
  /** Refuses a wrong period. */
  open(site: ReportSite, asked: AskedExport): Promise<Result<FileParts, Refusal>>;
  /** Payments as a file, however they were found. */
  ofPayments(site: ReportSite, payments: AsyncIterable<ListedPayment>, wish: FileWish): FileParts;
}

/** Rows of a page that are not in the warehouse as they are exported. */
const LISTED_ROWS = 2_000;
/** Persons found at once: each time, everybody is sorted. A few megabytes. */
const PERSONS_AT_ONCE = 10_000;

const ENGINE_FORMATS = {
  csv: 'CSV',
  ndjson: 'JSONEachRow',
  parquet: 'Parquet',
} as const satisfies Record<ExportFormat, FileFormat>;

/**
 * Creates the exports. A file is made of pages, each a short statement that the engine answers in the file's format.
 *
 * - Why pages: one statement would hold the engine for as long as the caller reads. Of all exports together, one page is
 *   made at a time, on one core, so that queries find the others free.
 */
export function createExports(
  { warehouseOf, findOldRates, now }: Pick<KindParts, 'warehouseOf' | 'findOldRates' | 'now'>,
  lists: {
    readonly payments: Pick<ListPayments, 'listAll'>;
    readonly persons: ReturnType<typeof createListPersons>;
  },
): FileExports {
  const queue = createFairQueue({ runningMax: 1, waitingOfSiteMax: 50, waitingMax: 500 });

  async function* write(
    site: ReportSite,
    content: Exported,
    { format, isPersonal, stops }: FileWish,
    pages: AsyncIterable<RowsOf>,
  ): FileParts {
    const columns = exportColumnsOf(content, isPersonal);
    const make = (rows: RowsOf) => {
      const statement = toPageStatement(columns, format === 'csv', rows);
      const options = { ...stops, threadsMax: 1 };
      const run = () => warehouseOf(site).selectFile(statement, ENGINE_FORMATS[format], options);
      return queue.run(site.id, run, stops?.signal);
    };
    const joiner = format === 'parquet' ? createParquetJoiner() : undefined;
    if (format === 'csv') yield Buffer.from(`${columns.map(([name]) => name).join(',')}\r\n`);
    // Without rows, a file still names its columns.
    if (joiner !== undefined) yield joiner.add(await make(() => fromRows(columns, [])));
    for await (const rows of pages) {
      const page = await make(rows);
      yield joiner === undefined ? page : joiner.add(page);
    }
    if (joiner !== undefined) yield joiner.end();
  }

  function writeRows<Row>(
    site: ReportSite,
    content: Exported,
    wish: FileWish,
    rows: AsyncIterable<Row>,
    toRow: (row: Row) => ExportedRow,
  ): FileParts {
    const columns = exportColumnsOf(content, wish.isPersonal);
    async function* pages(): AsyncGenerator<RowsOf> {
      for await (const page of inPages(rows)) yield () => fromRows(columns, page.map(toRow));
    }
    return write(site, content, wish, pages());
  }

  async function* listPersons(site: ReportSite, asked: AskedExport) {
    const { date_range, timezone, isPersonal, stops } = asked;
    const query = { site_id: site.id, date_range: date_range as string, isPersonal };
    for (let cursor: string | undefined; ; ) {
      const pagination = { limit: PERSONS_AT_ONCE, ...(cursor !== undefined && { cursor }) };
      const sent = { ...query, pagination, ...(timezone !== undefined && { timezone }) };
      const page = await lists.persons.answer(site, sent, stops);
      if (!page.ok) throw new Error(page.error.details.map(({ message }) => message).join(' '));
      yield* page.value.results;
      cursor = page.value.meta.next_cursor;
      if (cursor === undefined) return;
    }
  }

  /** Finds the period. Only `all` asks the warehouse, for the first record. */
  async function findPeriod(
    site: ReportSite,
    asked: AskedExport,
  ): Promise<Result<Period, Refusal>> {
    const faults: Fault[] = [];
    const { timezone, date_range } = asked;
    const fields = { site_id: site.id, date_range, ...(timezone && { timezone }) };
    const period = parseAskedPeriod(fields as never, site, { now: now() }, faults);
    if (period === undefined) return refuse({ type: 'invalid_request', details: faults });
    if (date_range !== 'all') return ok(period);
    const { earliestAt = period.startsAt } = await lookUp(
      warehouseOf(site),
      { site, period },
      { isAll: true, findOldRates },
    );
    return ok({ ...period, startsAt: Math.min(earliestAt, period.startsAt) });
  }

  return {
    ofPayments: (site, payments, wish) => writeRows(site, 'payments', wish, payments, toPaymentRow),
    async open(site, asked) {
      const found = await findPeriod(site, asked);
      if (!found.ok) return found;
      const { content } = asked;
      const { startsAt: from, endsAt: before } = found.value;
      if (content === 'payments') {
        const paid = asked.date_range === 'all' ? {} : { from, before };
        const all = lists.payments.listAll({ site, filter: {}, state: undefined, paid });
        return ok(writeRows(site, content, asked, all, toPaymentRow));
      }
      if (content === 'persons') {
        return ok(writeRows(site, content, asked, listPersons(site, asked), toPersonRow));
      }
      const pages = recordedPages(warehouseOf(site), {
        ...asked,
        site,
        content,
        period: found.value,
      });
      return ok(write(site, content, asked, pages));
    },
  };
}

async function* inPages<Row>(rows: AsyncIterable<Row>): AsyncGenerator<readonly Row[]> {
  let page: Row[] = [];
  for await (const row of rows) {
    page.push(row);
    if (page.length < LISTED_ROWS) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}
