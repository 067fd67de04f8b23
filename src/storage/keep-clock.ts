import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { uptime } from 'node:os';
import {
  type ClockNote,
  type ClockReading,
  EVEN_FOR_MS,
  judgeClock,
} from '#domain/time/judge-clock.ts';

/** The time, for deleting what is old by it; `undefined` while the clock is not trusted. */
export type TrustedNow = () => number | undefined;

/** Where the clock is noted, and who hears that it leapt. */
export type KeepClockOptions = {
  /** The file with what is remembered of it. */
  readonly path: string;
  /** Whether nothing was recorded yet, so that a clock without a note may be trusted. */
  readonly isFresh: boolean;
  readonly read?: () => ClockReading;
  /** Called once for each leap, with what it means and what to do. */
  onLeap(sentence: string): void;
};

const LOOK_EVERY_MS = 1_000;
const NOTE_EVERY_MS = 60_000;

/** How long the machine has run, in milliseconds, sleep included; every process of it reads the same. */
export const readUptimeMs = () => uptime() * 1_000;

const readClock = (): ClockReading => ({ at: Date.now(), uptimeMs: readUptimeMs() });

/**
 * Watches the clock, and notes beside the data what is known of it, for {@link readTrustedNow} in any
 * thread and after any restart. One process does so.
 */
export function keepClock({ path, isFresh, read = readClock, onLeap }: KeepClockOptions): {
  look(): void;
  stop(): void;
} {
  let note = readNote(path) ?? (isFresh ? { trusted: read() } : {});
  let notedUptimeMs = Number.NEGATIVE_INFINITY;
  let leapAt: number | undefined;

  function look(): void {
    const reading = read();
    const { note: next, isTrusted, aheadMs } = judgeClock(note, reading);
    if (!isTrusted && next.doubted?.at !== leapAt) {
      leapAt = next.doubted?.at;
      onLeap(describeLeap(next, reading, aheadMs));
    }
    if (isTrusted) leapAt = undefined;
    const hasTurned = next.doubted?.at !== note.doubted?.at;
    note = next;
    if (hasTurned || reading.uptimeMs - notedUptimeMs >= NOTE_EVERY_MS) write(reading);
  }

  /** A note that the disk does not take is tried again with the next look. */
  function write({ uptimeMs }: ClockReading): void {
    try {
      writeFileSync(`${path}.new`, JSON.stringify(note), { mode: 0o600 });
      renameSync(`${path}.new`, path);
      notedUptimeMs = uptimeMs;
    } catch {
      notedUptimeMs = Number.NEGATIVE_INFINITY;
    }
  }

  look();
  const timer = setInterval(look, LOOK_EVERY_MS).unref();
  return { look, stop: () => clearInterval(timer) };
}

/** The time by the clock, if the note at `path` speaks for it. */
export function readTrustedNow(path: string, read = readClock): number | undefined {
  const note = readNote(path);
  const reading = read();
  return note !== undefined && judgeClock(note, reading).isTrusted ? reading.at : undefined;
}

/** One that is missing or damaged says nothing. */
function readNote(path: string): ClockNote | undefined {
  try {
    const { trusted, doubted }: ClockNote = JSON.parse(readFileSync(path, 'utf8'));
    return { ...(trusted && { trusted }), ...(doubted && { doubted }) };
  } catch {
    return undefined;
  }
}

function describeLeap({ trusted, doubted }: ClockNote, { at }: ClockReading, aheadMs: number) {
  const expected =
    trusted === undefined ? 'nothing is known of before' : `not ${toText(at - aheadMs)}`;
  const until = toText((doubted?.at ?? at) + EVEN_FOR_MS);
  return `The clock says ${toText(at)}, ${expected}. Nothing is deleted for its age until the clock is back or has run evenly until ${until}. If it is wrong, set it now (timedatectl set-ntp true): events get its time. If it is right, as after the machine was off for hours, do nothing.`;
}

function toText(at: number): string {
  return new Date(at).toISOString().replace(/:\d\d\.\d+Z$/, 'Z');
}
