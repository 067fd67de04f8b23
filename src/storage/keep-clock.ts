import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { uptime } from 'node:os';
import {
  type ClockNote,
  type ClockReading,
  EVEN_FOR_MS,
  earliestNow,
  judgeClock,
} from '#domain/time/judge-clock.ts';
import { keepRunning } from '#jobs/keep-running.ts';

/** The time that retention uses; undefined while the clock is not trusted. */
export type TrustedNow = () => number | undefined;

type KeepClockOptions = {
  /** The file with its saved state. */
  readonly path: string;
  /** Whether nothing was recorded yet. The clock is then trusted without a saved state. */
  readonly isFresh: boolean;
  readonly read?: () => ClockReading;
  /** Called once per leap, with an explanation for the operator. */
  onLeap(sentence: string): void;
};

const CHECK_EVERY_MS = 1_000;
const SAVE_EVERY_MS = 60_000;

/** The machine's uptime in milliseconds, including sleep. It is the same for every process. */
export const readUptimeMs = () => uptime() * 1_000;

const readClock = (): ClockReading => ({ at: Date.now(), uptimeMs: readUptimeMs() });

/**
 * Watches the clock and saves its state next to the data, so that {@link readTrustedNow} works in any thread and after
 * a restart. Only one process runs it.
 */
export function keepClock({ path, isFresh, read = readClock, onLeap }: KeepClockOptions): {
  check(): void;
  stop(): Promise<void>;
} {
  let note = readNote(path) ?? (isFresh ? { trusted: read() } : {});
  let savedUptimeMs = Number.NEGATIVE_INFINITY;
  let leapAt: number | undefined;

  function check(): void {
    const reading = read();
    const { note: next, isTrusted, aheadMs } = judgeClock(note, reading);
    if (!isTrusted && next.doubted?.at !== leapAt) {
      leapAt = next.doubted?.at;
      onLeap(describeLeap(next, reading, aheadMs));
    }
    if (isTrusted) leapAt = undefined;
    const hasTurned = next.doubted?.at !== note.doubted?.at;
    note = next;
    if (hasTurned || reading.uptimeMs - savedUptimeMs >= SAVE_EVERY_MS) write(reading);
  }

  /** A failed write is retried at the next check. */
  function write({ uptimeMs }: ClockReading): void {
    try {
      writeFileSync(`${path}.new`, JSON.stringify(note), { mode: 0o600 });
      renameSync(`${path}.new`, path);
      savedUptimeMs = uptimeMs;
    } catch {
      savedUptimeMs = Number.NEGATIVE_INFINITY;
    }
  }

  check();
  const { stop } = keepRunning({ name: 'clock', everyMs: CHECK_EVERY_MS, run: check });
  return { check, stop };
}

/** The current time, if the saved state at `path` says that the clock can be trusted. */
export function readTrustedNow(path: string, read = readClock): number | undefined {
  return readEarliestNow(path, 0, read);
}

/** The earliest time that it can be for what is at least `agoMs` old ({@link earliestNow}); undefined as above. */
export function readEarliestNow(path: string, agoMs: number, read = readClock): number | undefined {
  const reading = read();
  const { isTrusted, note } = judgeClock(readNote(path) ?? {}, reading);
  return isTrusted ? earliestNow(note, reading.at, agoMs) : undefined;
}

/** Undefined if the saved state is missing or damaged. */
function readNote(path: string): ClockNote | undefined {
  try {
    const { trusted, doubted, leapt }: ClockNote = JSON.parse(readFileSync(path, 'utf8'));
    return { ...(trusted && { trusted }), ...(doubted && { doubted }), ...(leapt && { leapt }) };
  } catch {
    return undefined;
  }
}

function describeLeap({ trusted, doubted }: ClockNote, { at }: ClockReading, aheadMs: number) {
  const expected =
    trusted === undefined ? 'the expected time is unknown' : `not ${toText(at - aheadMs)}`;
  const until = toText((doubted?.at ?? at) + EVEN_FOR_MS);
  return `The clock says ${toText(at)}, ${expected}. Retention deletes nothing until the clock is back or has run evenly until ${until}. If it is wrong, set it now (timedatectl set-ntp true), because events get its time. If it is right, for example after the machine was off for hours, do nothing.`;
}

function toText(at: number): string {
  return new Date(at).toISOString().replace(/:\d\d\.\d+Z$/, 'Z');
}
