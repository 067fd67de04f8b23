/**
 * The tables of a journal file; every statement may run again.
 *
 * - `damaged_batches` holds what was set aside: batches whose checksum is wrong, and sound ones that
 *   the warehouse refuses.
 * - `mended` has a row when the file was made of a damaged one: up to which batch the warehouse must
 *   be asked what it holds, and whether the total of shipped rows is known.
 */
export const JOURNAL_SCHEMA = `
  CREATE TABLE IF NOT EXISTS batches (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, rows INTEGER NOT NULL,
    lines BLOB NOT NULL, crc INTEGER NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS damaged_batches (
    seq INTEGER PRIMARY KEY, rows INTEGER NOT NULL,
    lines BLOB NOT NULL, crc INTEGER NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS shipment (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    first_seq INTEGER NOT NULL, last_seq INTEGER NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS totals (
    only INTEGER PRIMARY KEY CHECK (only = 1), shipped_rows INTEGER NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS mended (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    ask_up_to INTEGER NOT NULL, is_total_known INTEGER NOT NULL) STRICT;
`;
