/** One row of the warehouse's `persons`: maps a visitor or a transaction to its person. */
export type PersonRow = {
  readonly site_id: string;
  readonly kind: 'visitor' | 'transaction';
  readonly key: string;
  readonly person_id: string;
  readonly version: number;
};
