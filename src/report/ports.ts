import type { SiteChannel } from '#domain/acquisition/channels/site-channel.ts';

/** What report needs of the warehouse: rows of one question. Throws when it does not answer. */
export interface ReportWarehouse {
  select<Row>(question: {
    readonly sql: string;
    /** Values for the `{name:Type}` places of the statement. */
    readonly params?: Readonly<Record<string, unknown>>;
  }): Promise<Row[]>;
}

/** A site as report sees it. */
export type ReportSite = {
  readonly id: string;
  /** IANA name: where the site's days begin. */
  readonly timezone: string;
  /** ISO 4217: the currency that money is reported in. */
  readonly currency: string;
  readonly settings?: {
    /** Channels of the site's own, in the order in which they are asked. */
    readonly channels?: readonly SiteChannel[];
  };
};
