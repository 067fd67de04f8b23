/**
 * For how long the engine keeps parts that a merge has replaced.
 *
 * Why not its own eight minutes: these are for merges that are on disk some time later. Under load they
 * are thousands of parts, and tens of megabytes of memory.
 */
export const OLD_PARTS_KEPT = 'old_parts_lifetime = 60';

/** Whatever an insert or a merge has written is on disk when it ends. */
export const FSYNCED = `fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, ${OLD_PARTS_KEPT}`;

/** And a repeated insert with the same token inserts nothing. */
export const DURABLE = `non_replicated_deduplication_window = 10000, ${FSYNCED}`;

/** The engine's type of an instant, in milliseconds. */
export const INSTANT = "DateTime64(3, 'UTC')";

/** SQL of the visit of events that belong to none. */
export const NO_VISIT = "toUUID('00000000-0000-0000-0000-000000000000')";
