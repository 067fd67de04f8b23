import { ARRIVALS } from './visits.ts';

/** A column that tables of an older version lack. Rows from before have its default; a rebuild fills them. */
export type AddedColumn = {
  /** The version that has it. The first release had version 1. */
  readonly version: number;
  readonly table: string;
  /** Its definition, which begins with its name. */
  readonly column: string;
};

/** The columns that were added since the first release, oldest first. */
export const ADDED_COLUMNS: readonly AddedColumn[] = [
  { version: 2, table: 'visits', column: ARRIVALS },
];
