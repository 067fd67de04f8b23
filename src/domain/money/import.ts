/** An import of payments from a file. */
export type Import = {
  readonly id: string;
  readonly siteId: string;
  readonly file: string;
  readonly format: string;
  readonly startedAt: number;
  /** Undefined if it was interrupted. The same file completes it. */
  readonly finishedAt: number | undefined;
  readonly undoneAt: number | undefined;
  /** How many transactions it first recorded and still has. */
  readonly transactions: number;
};

/** A file to import into a site: its name, its format, and a digest of its bytes. */
export type NewImport = Pick<Import, 'siteId' | 'file' | 'format'> & { readonly digest: string };

/** What an undone import leaves: transactions that others have reported since, or that were changed by hand. */
export type Undone = {
  readonly withdrawn: number;
  readonly stay: Readonly<Record<'api' | 'provider' | 'hand' | 'import', number>>;
};
