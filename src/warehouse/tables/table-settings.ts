/**
 * How long the engine keeps parts that a merge has replaced, in seconds.
 *
 * Why not the default of eight minutes: it protects merges without fsync, and ours are fsynced. Under load it
 * would keep thousands of parts and tens of megabytes of memory.
 */
export const OLD_PARTS_KEPT = 'old_parts_lifetime = 60';

/** Inserts and merges are fsynced when they end. */
export const FSYNCED = `fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, ${OLD_PARTS_KEPT}`;

/** Fsynced, and with deduplication: a repeated insert with the same token inserts nothing. */
export const DURABLE = `non_replicated_deduplication_window = 10000, ${FSYNCED}`;

/** The engine's type for an instant in milliseconds. */
export const INSTANT = "DateTime64(3, 'UTC')";
