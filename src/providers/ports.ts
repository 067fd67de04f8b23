import type { ProvidedGroup } from '#domain/money/provided-payment.ts';
import type {
  EventState,
  InboxCounts,
  InboxEvent,
  NotedState,
  StatedFacts,
  StatedPayment,
} from '#domain/money/provider-event.ts';
import type { HistoryPage } from '#domain/money/walk.ts';
import type { Connection, NewConnection } from '#domain/site/connection.ts';

/** The connections on record. Removed ones keep their events and payments. */
export interface ConnectionStore {
  addConnection(connection: NewConnection): Promise<Connection>;
  /** Those of one site, oldest first. */
  listConnections(siteId: string): Promise<readonly Connection[]>;
  /** Changes a connection. Undefined if there is none. */
  setConnection(id: string, to: Partial<NewConnection>): Promise<Connection | undefined>;
  removeConnection(id: string): Promise<unknown>;
}

/** Counts and repeats what came of events. */
export interface Inbox {
  countInbox(connectionId: string): Promise<InboxCounts>;
  /** How many payments of the last seven days only the poll found. */
  countMissed(connectionId: string): Promise<number>;
  /** The state of an event and the reason for it. */
  findEvent(
    connectionId: string,
    eventId: string,
  ): Promise<{ readonly state: EventState; readonly error: string | undefined } | undefined>;
  /** The event that arrived last, tests aside. */
  findLastEvent(connectionId: string): Promise<InboxEvent | undefined>;
  /** Lets events be taken again. Returns their number. */
  replayEvents(connectionId: string, which: Replayed): Promise<number>;
}

/** Which events are taken again. Test events never are. */
export type Replayed = { readonly failed?: boolean; readonly since?: number | undefined };

/** A payment that another connection states. */
export type StatedElsewhere = StatedPayment & { readonly connectionId: string };

/** Events of a connection that wait, and what is known from earlier ones, in a transaction. */
export interface WaitingEvents {
  readonly connection: Pick<Connection, 'id' | 'siteId' | 'provider' | 'settings'>;
  readonly events: readonly InboxEvent[];
  /** When those of the visitors were erased that were. */
  findErasedVisitors(visitors: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** The ids that events stated before. */
  findIds(events: readonly { readonly eventId: string }[]): Promise<string[]>;
  /** Replaces what events state. */
  saveFacts(stated: readonly StatedFacts[]): Promise<void>;
  /** What is stated with these ids and, where they lead on, with the ids beside them: facts by event. */
  findTogether(
    ids: readonly string[],
    toLead: (id: string) => string | undefined,
  ): Promise<ReadonlyMap<string, string>>;
  /** The first ids of a series, which begin with its name and a space, in the order of the alphabet. */
  findFirst(series: string, limit: number): Promise<readonly string[]>;
  /** The first id of each series that has one. */
  findEachFirst(
    series: readonly string[],
  ): Promise<readonly (readonly [series: string, id: string])[]>;
  /** What was stated of payments with one of these ids, and by which connection, if it is still there. */
  findStated(ids: readonly string[]): Promise<StatedPayment[]>;
  /** What other connections of the site state, by those of these ids that they know. */
  findElsewhere(ids: readonly string[]): Promise<ReadonlyMap<string, StatedElsewhere>>;
  /** The other connections of the site with facts under one of these ids. */
  findOthersWith(
    ids: readonly string[],
  ): Promise<readonly { readonly connectionId: string; readonly id: string }[]>;
  /** Puts entries into the inbox of another connection. */
  tell(connectionId: string, entries: HistoryPage['entries']): Promise<void>;
  /** The payments by their other names among these ids. */
  findOwnIds(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Replaces what was stated: payments that are no longer stated leave. `ids`: everything the same money is called. */
  saveStated(
    gone: readonly string[],
    stated: readonly StatedPayment[],
    ids: readonly string[],
  ): Promise<void>;
  /** Begins to record payments that name these ids. */
  beginProvided(ids: readonly string[]): Promise<ProvidePayments>;
  /** Notes what became of events, and the last failure at the connection. */
  noteStates(noted: readonly NotedState[]): Promise<void>;
}

/** Records what a provider states of payments. */
interface ProvidePayments {
  /** Replaces what was stated before. Returns what could not be recorded, in sentences. */
  provide(group: ProvidedGroup): Promise<readonly string[]>;
  /** Writes what has changed. */
  flush(): Promise<void>;
}

/**
 * Runs `work` on the oldest events that wait, in one transaction, one process at a time. Returns the number of events;
 * 0 when none waits.
 */
export type TakeWaiting = (
  limit: number,
  work: (waiting: WaitingEvents) => Promise<void>,
) => Promise<number>;
