/**
 * The tables of a queue of batches: a journal's file, or the ledger's outbox. Every statement may run again.
 *
 * - Lines come last, so that the other columns are read without them.
 * - `shipment` holds the range of the shipment under way.
 * - `set_aside_batches` holds batches whose checksum is wrong, and sound ones that the warehouse refuses.
 * - `totals` holds how many rows were shipped, by the file they were shipped from; null where damage hides it.
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
