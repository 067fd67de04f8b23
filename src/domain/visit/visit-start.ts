/** A clock less than this from ours is left alone; more comes out in whole steps. */
const SKEW_STEP_MS = 10 * 60 * 1000;

/** A visit that began longer ago than this, or that far ahead, is a broken clock's or a forger's. */
const VISIT_MAX_MS = 24 * 60 * 60 * 1000;

/** The clocks that meet in an event. In milliseconds since 1970. */
export type VisitClock = {
  /** When the visit's id was made, by the sender's clock. */
  readonly mintedAt: number;
  /** The sender's clock as it sent, if the event carries it. */
  readonly sentAt: number | undefined;
  readonly receivedAt: number;
  readonly occurredAt: number;
};

/**
 * When a visit began, by our clock; nothing when that is far from its event.
 *
 * - Units: milliseconds since 1970 in UTC.
 * - Why whole steps: the delay of the network differs from event to event, and yet all events of a
 *   visit must agree on its start.
 */
export function findVisitStart(clock: VisitClock): number | undefined {
  const startedAt = toOurClock(clock.mintedAt, clock);
  const isLikely = Math.abs(clock.occurredAt - startedAt) <= VISIT_MAX_MS;
  return isLikely ? startedAt : undefined;
}

/** An instant of the sender's clock by ours, both in milliseconds since 1970 in UTC. */
export function toOurClock(
  instant: number,
  { sentAt, receivedAt }: Pick<VisitClock, 'sentAt' | 'receivedAt'>,
): number {
  const skewMs = sentAt === undefined ? 0 : sentAt - receivedAt;
  return instant - Math.trunc(skewMs / SKEW_STEP_MS) * SKEW_STEP_MS;
}
