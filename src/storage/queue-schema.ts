/**
 * The tables of a batch queue: a journal file, or the ledger's outbox. Every statement is idempotent.
 *
 * - `lines` comes last, so that SQLite can read the other columns without it.
 * - `shipment` holds the range of the shipment in flight.
 * - `set_aside_batches` holds batches with a wrong checksum, and intact ones that the warehouse refuses.
 * - `totals` holds the number of shipped rows by file; null if damage hides it.
 */
export const QUEUE_SCHEMA = `
  CREATE TABLE IF NOT EXISTS batches (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, rows INTEGER NOT NULL,
    crc INTEGER NOT NULL, lines BLOB NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS set_aside_batches (
    seq INTEGER PRIMARY KEY, rows INTEGER NOT NULL,
    crc INTEGER NOT NULL, lines BLOB NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS shipment (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    first_seq INTEGER NOT NULL, last_seq INTEGER NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS totals (file INTEGER PRIMARY KEY, shipped_rows INTEGER) STRICT;
`;
