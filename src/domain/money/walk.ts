/** A walk through a provider's lists: its history from a date on, or the hourly poll of the last days. */
export type WalkKind = 'history' | 'poll';

/** Where a walk stands. It is saved after each page, so that it goes on after a crash. */
export type Walk = {
  readonly connectionId: string;
  readonly kind: WalkKind;
  /** Milliseconds since 1970, as all times here. */
  readonly since: number;
  readonly until: number;
  /** The list that is walked. Undefined before the first page. */
  readonly list: string | undefined;
  readonly cursor: string | undefined;
  readonly pages: number;
  /** The time of the last entry that was read. Lists are in different orders. */
  readonly reachedAt: number | undefined;
  /** Failures in a row. */
  readonly failures: number;
  /** Why it does not go on, or not yet. */
  readonly error: string | undefined;
  /** Lists that the key may not read, in sentences. */
  readonly leftOut: string | undefined;
  /** When it goes on. Undefined at its end. */
  readonly dueAt: number | undefined;
  /** When it was last at its end. */
  readonly endedAt: number | undefined;
};

/** An entry of a list, as the facts that it states. */
export type HistoryEntry = {
  readonly eventId: string;
  readonly type: string;
  /** As JSON. */
  readonly facts: string;
  /** The ids of the money that it is about. */
  readonly moneyIds: readonly string[];
};

/** A page of a list that was read. */
export type HistoryPage = {
  readonly entries: readonly HistoryEntry[];
  /** An entry that cannot be read, in a sentence. */
  readonly fault: string | undefined;
};

/** An object that an event names, which has to be fetched. */
export type WantedObject = {
  readonly eventId: string;
  readonly list: string;
  readonly path: string;
};
