import type { CountedBatches } from './counted-batches.ts';
import type { Subject, SubjectScope } from './person.ts';

/** Numbers of deleted items by kind. */
export type ErasureCounts = {
  readonly visitors?: number;
  readonly events?: number;
  readonly payments?: number;
  readonly identities?: number;
  readonly archived_events?: number;
  /** Damaged bytes that could not be searched. */
  readonly unread_archive_bytes?: number;
};

/** Progress of an erasure: requested; subject known; deleted from all stores; deleted from all files. */
export type ErasureState = 'waiting' | 'running' | 'scrubbing' | 'done';

/** An erasure of a person, or of events past retention, with its progress. */
export type Erasure = {
  readonly id: string;
  readonly siteId: string;
  readonly state: ErasureState;
  readonly counts: ErasureCounts;
  readonly requestedAt: number;
  readonly doneAt: number | undefined;
  /** Retention cut-off: visits that began before it are deleted. Undefined for a person. */
  readonly before: number | undefined;
};

/** A running erasure, with the state that must survive a crash. */
export type ErasureWork = Erasure & {
  /** The visitor whose erasure was requested; undefined for retention. */
  readonly visitorId?: string;
  readonly scope?: SubjectScope;
  /** The machine's uptime at the time of the request. */
  readonly uptimeMs?: number;
  /** The visitor's person, once known. */
  readonly person?: Subject;
  /** Batches with events to delete, once counted. */
  readonly counted?: readonly CountedBatches[];
};
