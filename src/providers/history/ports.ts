import type { HistoryPage, Walk, WantedObject } from '#domain/money/walk.ts';

/** Walks on record. One process at a time holds a walk, and only for a while. */
export interface WalkStore {
  listWalks(connectionId: string): Promise<readonly Walk[]>;
  /** Begins a walk through the history from its first page, even if an earlier one ended. */
  restartHistory(connectionId: string, since: number): Promise<void>;
  /** Begins history and poll, or lets them go on where they failed. */
  resumeWalks(connectionId: string, since?: number): Promise<void>;
  /** Takes hold of a walk that is due. Undefined if none is. */
  holdWalk(holder: string, of?: Pick<Walk, 'connectionId' | 'kind'>): Promise<Walk | undefined>;
  /** Saves where a walk stands, with what was on its page. Returns whether it is still held. */
  saveStep(holder: string, walk: Walk, page: HistoryPage): Promise<boolean>;
  /** Lets another process hold the walk. */
  releaseWalk(holder: string, walk: Walk): Promise<void>;
  /** The oldest objects that events of a connection name, and that are not fetched yet. */
  findWanted(connectionId: string, limit: number): Promise<readonly WantedObject[]>;
  /** Records the object that an event names, or why there is none. */
  saveWanted(connectionId: string, eventId: string, found: HistoryPage | string): Promise<void>;
  /** The connections whose events name objects. */
  listWanting(): Promise<readonly string[]>;
}
