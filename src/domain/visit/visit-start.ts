/** Smaller clock skews are left alone; larger ones are corrected in whole steps. */
const SKEW_STEP_MS = 10 * 60 * 1000;

/** A start further than this from its event comes from a broken clock or a forged id. */
const VISIT_MAX_MS = 24 * 60 * 60 * 1000;

/** The clock readings of an event, in milliseconds since 1970. */
type VisitClock = {
  /** When the visit id was created, by the sender's clock. */
  readonly mintedAt: number;
  /** The sender's clock when it sent the event, if known. */
  readonly sentAt: number | undefined;
  readonly receivedAt: number;
  readonly occurredAt: number;
};

/**
 * When a visit began, by our clock; undefined if that is too far from its event.
 *
 * - Units: milliseconds since 1970 in UTC.
 * - Why whole steps: network delay differs between events, but all events of a visit must agree on
 *   its start.
 */
export function findVisitStart(clock: VisitClock): number | undefined {
  const startedAt = toOurClock(clock.mintedAt, clock);
  const isLikely = Math.abs(clock.occurredAt - startedAt) <= VISIT_MAX_MS;
  return isLikely ? startedAt : undefined;
}

/** Converts an instant from the sender's clock to ours. Unit: milliseconds since 1970 in UTC. */
export function toOurClock(
  instant: number,
  { sentAt, receivedAt }: Pick<VisitClock, 'sentAt' | 'receivedAt'>,
): number {
  const skewMs = sentAt === undefined ? 0 : sentAt - receivedAt;
  return instant - Math.trunc(skewMs / SKEW_STEP_MS) * SKEW_STEP_MS;
}
