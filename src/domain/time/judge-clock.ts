/** What the clock shows, and how long the machine has run: that grows evenly, whatever the clock does. */
export type ClockReading = {
  /** In milliseconds since 1970, UTC. */
  readonly at: number;
  readonly uptimeMs: number;
};

/** What is remembered of the clock, over restarts too. */
export type ClockNote = {
  /** The last reading that was trusted; none when nobody knows what the clock showed before. */
  readonly trusted?: ClockReading;
  /** The first reading since the clock left what was expected of it. */
  readonly doubted?: ClockReading;
};

/** A reading, judged by what was noted before. */
export type ClockVerdict = {
  /** Whether old data may be deleted by it. */
  readonly isTrusted: boolean;
  /** By how much it is ahead of what was expected; negative when it is behind. */
  readonly aheadMs: number;
  /** What to note for the next reading. */
  readonly note: ClockNote;
};

const HOUR_MS = 3_600_000;
/** What is deleted by age are whole days, so an hour too early is no harm, and a restart takes less. */
const TOLERANCE_MS = HOUR_MS;
/** For so long a clock that leapt must run evenly; then it is taken for set right. */
export const EVEN_FOR_MS = 6 * HOUR_MS;

/**
 * Whether the clock may be trusted to say what is old.
 *
 * - A clock is trusted while it shows what it showed when it was trusted last, plus the time that the
 *   machine has run since. One that leapt is trusted again as soon as it is back, or has run evenly for
 *   six hours: until then somebody may set it right, and nothing is lost by waiting.
 * - After the machine itself was restarted, only the time since its start is known to have passed.
 * - Source: docs/decisions/0019-a-clock-that-leapt-deletes-nothing.md.
 */
export function judgeClock({ trusted, doubted }: ClockNote, reading: ClockReading): ClockVerdict {
  const aheadMs = trusted === undefined ? reading.at : aheadOf(trusted, reading);
  if (Math.abs(aheadMs) <= TOLERANCE_MS) {
    return { isTrusted: true, aheadMs, note: { trusted: reading } };
  }
  const isEven = doubted !== undefined && Math.abs(aheadOf(doubted, reading)) <= TOLERANCE_MS;
  const since = isEven ? doubted : reading;
  if (reading.at - since.at >= EVEN_FOR_MS) {
    return { isTrusted: true, aheadMs, note: { trusted: reading } };
  }
  return {
    isTrusted: false,
    aheadMs,
    note: { ...(trusted && { trusted }), doubted: since },
  };
}

function aheadOf(before: ClockReading, { at, uptimeMs }: ClockReading): number {
  const isSameRun = uptimeMs >= before.uptimeMs;
  return at - before.at - (isSameRun ? uptimeMs - before.uptimeMs : uptimeMs);
}
