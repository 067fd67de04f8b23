import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { type RateSpan, toRateSpans } from '#domain/money/rates/exchange-rates.ts';
import { findLastDay, otherRatesOf, type RatesFile, ratesFilesOf, toTables } from './read-rates.ts';

/** The rates of the files, which may change at any time. */
interface Rates {
  /** Identifies what the files hold now. */
  digest(): string;
  /** The first day whose rates differ from those that had this digest; 0 if that is not known. */
  changedSince(digest: string): number;
  /** When which rate of a currency applies. */
  spansOf(code: string): readonly RateSpan[];
  /** The last day with rates of the ECB, since 1970. */
  lastDay(): number;
}

/** Asking for the age of files takes longer than finding a rate. */
const LOOK_EVERY_MS = 500;

/**
 * Reads the bundled rates and the files at `path` when they are needed, and again when they have changed. A malformed file
 * is reported to `onTrouble`; until it is replaced, the bundled rates apply.
 *
 * Why one currency at a time: most sites are paid in one or two, and all of them take 40 MB.
 */
export function openRates(path: string, onTrouble: (trouble: string) => void = () => {}): Rates {
  const nothing = { version: '', digest: '', lastDay: 0 };
  let known = { ...nothing, spansByCode: new Map<string, readonly RateSpan[]>() };
  let lookAgainAt = 0;

  /** Files that change in the meantime are read again next time. */
  function refresh(): typeof known {
    if (performance.now() < lookAgainAt) return known;
    lookAgainAt = performance.now() + LOOK_EVERY_MS;
    const version = [path, otherRatesOf(path)].map(versionOf).join();
    if (known.version !== version) {
      const files = ratesFilesOf(path);
      const lastDay = findLastDay(files);
      known = { version, digest: digestRates(files), lastDay, spansByCode: new Map() };
    }
    return known;
  }

  function readSpans(code: string): readonly RateSpan[] {
    const files = ratesFilesOf(path);
    try {
      return toRateSpans(toTables(files, code), code);
    } catch (error) {
      onTrouble((error as Error).message);
      return toRateSpans(toTables(files.slice(0, 1), code), code);
    }
  }

  return {
    digest: () => refresh().digest,
    changedSince(digest) {
      const changes = ratesFilesOf(path).map(({ bytes }) =>
        CHANGE.exec(bytes.toString('latin1', 0, CHANGE_MAX)),
      );
      const change = changes.find((found) => found?.[2] === digest);
      return Number(change?.[1] ?? 0);
    },
    spansOf(code) {
      return refresh().spansByCode.getOrInsertComputed(code, readSpans);
    },
    lastDay: () => refresh().lastDay,
  };
}

function versionOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? 'none' : `${stats.ino} ${stats.size} ${stats.mtimeMs}`;
}

/** What the files hold. */
export function digestRates(files: readonly RatesFile[]): string {
  const hash = createHash('sha256');
  for (const { bytes } of files) hash.update(bytes);
  return hash.digest('hex').slice(0, 32);
}

const CHANGE = /^# Differs from day (\d+) on from ([0-9a-f]{32})\./;
const CHANGE_MAX = 100;

/** The first line of a file: from which day on it makes rates differ from those of a digest. */
export function toChangeLine(change: { readonly from: string; readonly firstDay: number }): string {
  return `# Differs from day ${change.firstDay} on from ${change.from}.\n`;
}
