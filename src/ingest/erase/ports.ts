import type { CountedBatches } from '#domain/identity/counted-batches.ts';
import type { Erasure, ErasureCounts, ErasureWork } from '#domain/identity/erasure.ts';
import type { Subject } from '#domain/identity/person.ts';

/** The ledger, as erasures and retention need it. */
export interface Erasures {
  /** Whether an erasure is unfinished, or a site has events past its retention. */
  isAnythingDue(): Promise<boolean>;
  /** Requests the erasures that retention requires now. */
  requestExpiries(): Promise<void>;
  /** The oldest unfinished erasure, if any. A started one comes first, because its events are counted. */
  findNext(): Promise<ErasureWork | undefined>;
  /** The subject of an erasure, after resolving all pending facts. */
  findSubject(erasure: ErasureWork): Promise<Subject>;
  /** Saves the subject. */
  begin(id: string, person: Subject): Promise<void>;
  /** Saves further batches with events to delete. Returns all batches. */
  addCounted(
    id: string,
    held: readonly (CountedBatches & { readonly rows: number })[],
  ): Promise<readonly CountedBatches[]>;
  /** Deletes the person from the ledger. Idempotent. */
  erasePerson(erasure: Erasure, person: Subject): Promise<void>;
  /** Whether the warehouse has the latest version of every payment. */
  isShipped(): Promise<boolean>;
  /** Records that all stores are done, saves the archive's counts, and deletes the subject. */
  forgetSubject(id: string, counts: ErasureCounts): Promise<void>;
  /** Resolves when the ledger's files no longer contain deleted data. */
  scrub(): Promise<void>;
  /** Marks the erasure as done. */
  finish(id: string): Promise<void>;
  close(): Promise<void>;
}
