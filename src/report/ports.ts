import type { Fault } from '#contract/fault.ts';
import type { SiteChannel } from '#domain/acquisition/channels/site-channel.ts';

/** What report needs of the warehouse. Throws when it does not answer. */
export interface ReportWarehouse {
  /** Rows of one query. */
  select<Row>(query: ReportStatement, options?: Partial<RunOptions>): Promise<Row[]>;
  /** The same as a file. */
  selectFile(
    query: ReportStatement,
    format: FileFormat,
    options?: Partial<RunOptions>,
  ): Promise<Buffer>;
}

/** What stops a query, or a statement of one, that nobody waits for any more. */
export type Stops = { readonly signal: AbortSignal };

/** How a statement is run: what stops it, and on how many threads at most; as many as there are cores when left out. */
export type RunOptions = Stops & { readonly threadsMax?: number };

/** One statement of SQL. */
export type ReportStatement = {
  readonly sql: string;
  /** Values for the `{name:Type}` places of the statement. */
  readonly params?: Readonly<Record<string, unknown>>;
};

/** Files of rows, for programs that reckon with them. */
export type FileFormat = 'Parquet' | 'Arrow' | 'ArrowStream';

/** A site as report sees it. */
export type ReportSite = {
  readonly id: string;
  /** IANA name: where the site's days begin. */
  readonly timezone: string;
  /** ISO 4217: the currency that money is reported in. */
  readonly currency: string;
  readonly settings?: {
    /** Channels of the site's own, in the order in which they are tried. */
    readonly channels?: readonly SiteChannel[];
  };
};

/** Why a query is not answered: every fault found in it. */
export type Refusal = {
  readonly type: 'invalid_request';
  readonly details: readonly Fault[];
};
