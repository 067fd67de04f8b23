import type { Fault } from '#contract/fault.ts';
import type { FileFormat } from '#contract/query.ts';
import { describeConverting } from '#domain/money/rates/describe-converting.ts';
import type { Site } from '#domain/site/site.ts';
import { UnavailableError } from '#domain/unavailable.ts';

/** The warehouse, as reports need it. Throws if it does not answer. */
export interface ReportWarehouse {
  /** The rows of a query. */
  select<Row>(query: ReportStatement, options?: Partial<RunOptions>): Promise<Row[]>;
  /** The rows of a query as a file. */
  selectFile(
    query: ReportStatement,
    format: FileFormat,
    options?: Partial<RunOptions>,
  ): Promise<Buffer>;
}

/** Aborts a query or statement that no caller waits for any more. */
export type Stops = { readonly signal: AbortSignal };

/** How to run a statement. `threadsMax` defaults to the number of cores. */
export type RunOptions = Stops & { readonly threadsMax?: number };

/** An SQL statement. */
export type ReportStatement = {
  readonly sql: string;
  /** Values for the `{name:Type}` placeholders. */
  readonly params?: Readonly<Record<string, unknown>>;
};

/** A site, as reports need it. */
export type ReportSite = Pick<Site, 'id' | 'timezone' | 'currency'> &
  Partial<Pick<Site, 'settings' | 'shown' | 'converting'>>;

/**
 * A site with the currency that its rows have. Until all of them have a new one, the old one is shown. Throws
 * UnavailableError while some rows are from before they had any: those in other currencies would count as if in this one.
 */
export function asShown(site: ReportSite): ReportSite {
  if (site.shown === undefined && site.converting !== undefined) {
    const far = describeConverting(site.converting);
    throw new UnavailableError(`After an upgrade, the site’s payments are converted once: ${far}`);
  }
  return { ...site, currency: site.shown?.currency ?? site.currency };
}

/** A refused query, with all its faults. */
export type Refusal = { readonly type: 'invalid_request'; readonly details: readonly Fault[] };
