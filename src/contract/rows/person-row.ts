/** One row of the warehouse's `persons`: whose a visitor or a transaction is. */
export type PersonRow = {
  readonly site_id: string;
  readonly kind: 'visitor' | 'transaction';
  readonly key: string;
  readonly person_id: string;
  readonly version: number;
};
