import { HOUR_MS } from './durations.ts';

/** A reading of the wall clock and of the machine's uptime, which is monotonic. */
export type ClockReading = {
  /** In milliseconds since 1970, UTC. */
  readonly at: number;
  readonly uptimeMs: number;
};

/** The saved state of the clock check. It survives restarts. */
export type ClockNote = {
  /** The last trusted reading, if any. */
  readonly trusted?: ClockReading;
  /** The first reading since the clock leapt. */
  readonly doubted?: ClockReading;
  /** The last leap that was trusted in the end: its time, and by how much all leaps went forward. */
  readonly leapt?: { readonly at: number; readonly aheadMs: number };
};

type ClockVerdict = {
  /** Whether retention may delete data by this clock. */
  readonly isTrusted: boolean;
  /** How far the clock is ahead of the expected time; negative if behind. */
  readonly aheadMs: number;
  /** The state to save for the next reading. */
  readonly note: ClockNote;
};

/** Retention deletes whole days, so an hour of error does no harm. A restart takes less. */
const TOLERANCE_MS = HOUR_MS;
/** A clock that leapt is trusted again after running evenly for this long. */
export const EVEN_FOR_MS = 6 * HOUR_MS;

/**
 * Judges whether the clock can be trusted to decide what is old.
 *
 * - A clock is trusted while it agrees with the last trusted reading plus the uptime since then. A
 *   clock that leapt is trusted again once it agrees again, or after it has run evenly for six hours.
 *   Until then somebody may correct it, and waiting loses nothing.
 * - After a reboot, only the time since boot is known to have passed.
 * - Source: docs/decisions/0019-a-clock-that-leapt-deletes-nothing.md.
 */
export function judgeClock(before: ClockNote, reading: ClockReading): ClockVerdict {
  const { trusted, doubted, leapt } = before;
  const aheadMs = trusted === undefined ? reading.at : aheadOf(trusted, reading);
  if (Math.abs(aheadMs) <= TOLERANCE_MS) {
    return { isTrusted: true, aheadMs, note: { trusted: reading, ...(leapt && { leapt }) } };
  }
  const isEven = doubted !== undefined && Math.abs(aheadOf(doubted, reading)) <= TOLERANCE_MS;
  const since = isEven ? doubted : reading;
  if (reading.at - since.at >= EVEN_FOR_MS) {
    const all = { at: since.at, aheadMs: Math.max(aheadMs, 0) + (leapt?.aheadMs ?? 0) };
    return { isTrusted: true, aheadMs, note: { trusted: reading, leapt: all } };
  }
  return { isTrusted: false, aheadMs, note: { ...before, doubted: since } };
}

/**
 * The earliest time that it can be, by a trusted clock: leaps that nobody corrected may have been wrong.
 *
 * - Units: what was recorded at least `agoMs` before this time is that old, whatever the clock did. A
 *   clock that has run evenly for so long proves it alone.
 */
export function earliestNow({ leapt }: ClockNote, at: number, agoMs: number): number {
  return leapt === undefined || at - leapt.at >= agoMs ? at : at - leapt.aheadMs;
}

function aheadOf(before: ClockReading, { at, uptimeMs }: ClockReading): number {
  const isSameRun = uptimeMs >= before.uptimeMs;
  return at - before.at - (isSameRun ? uptimeMs - before.uptimeMs : uptimeMs);
}
