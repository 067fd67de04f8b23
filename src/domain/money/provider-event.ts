import type { ProvidedPayment } from './provided-payment.ts';
import type { Walk, WantedObject } from './walk.ts';

/** An event as a provider sent it, after its signature was checked. */
export type InboxEvent = {
  readonly connectionId: string;
  /** The id by which repeated deliveries are one. */
  readonly eventId: string;
  readonly type: string;
  readonly isTest: boolean;
  readonly receivedAt: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** What became of an event. */
export type EventState = 'new' | 'done' | 'ignored' | 'unknown' | 'failed' | 'test' | 'erased';

/** What became of an event, and why. */
export type NotedState = {
  readonly eventId: string;
  readonly state: EventState;
  readonly error?: string | undefined;
  /** The object that it names, which has to be fetched. */
  readonly wanted?: Omit<WantedObject, 'eventId'> | undefined;
};

/** What came of a connection's events. */
export type InboxCounts = {
  /** Events by type and state. */
  readonly events: readonly {
    readonly type: string;
    readonly state: EventState;
    readonly count: number;
  }[];
  /** Payments by how their visitor was found; empty for those without. */
  readonly payments: readonly { readonly foundBy: string; readonly count: number }[];
  /** The latest events that failed, and why. */
  readonly failed: readonly FailedEvent[];
  readonly walks: readonly Walk[];
  /** Payments of the last seven days that only the poll told of. */
  readonly missed: number;
};

/** What an event states, as JSON, and the ids by which it belongs together with others. */
export type StatedFacts = {
  readonly eventId: string;
  readonly facts: string;
  readonly ids: readonly string[];
};

/** A payment as it was last stated, and how its visitor was found. */
export type StatedPayment = {
  readonly payment: ProvidedPayment;
  readonly foundBy: string | undefined;
  /** The connection that states it; undefined for the one whose events are taken. */
  readonly connectionId?: string;
  /** By which it is found. */
  readonly ids?: readonly string[];
};

type FailedEvent = Pick<InboxEvent, 'eventId' | 'type' | 'receivedAt'> & { readonly why: string };
