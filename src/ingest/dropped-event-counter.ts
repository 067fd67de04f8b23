import { getDomain } from 'tldts';
import { EVENT_TYPES } from '#contract/event.ts';
import type { DropCount, DropSample } from '#ledger/drop-store.ts';
import type { DropCounter } from './accept-events.ts';

/** Counts drops in memory and hands them on every few seconds. */
export interface DroppedEventCounter extends DropCounter {
  /** Hands on what is counted; what is not taken is counted on. */
  save(): Promise<void>;
  /** Hands on the rest, and ends. */
  close(): Promise<void>;
}

const HOUR_MS = 3_600_000;
const SAVE_EVERY_MS = 3_000;
/** How many samples of a reason are kept of a site. */
export const SAMPLES_MAX = 20;
/** Sites and reasons are few; hours pass. More than this at once is not looked for. */
const ENTRIES_MAX = 10_000;

/**
 * An empty book.
 *
 * - Why not on disk at once: a drop is no event, and many of them must not cost an fsync each. A
 *   crash loses what was counted within the last seconds.
 */
export function createDroppedEventCounter(
  now: () => number,
  hand: (counts: readonly DropCount[], samples: readonly DropSample[]) => Promise<void>,
): DroppedEventCounter {
  let counts = new Map<string, DropCount>();
  let samples = new Map<string, DropSample[]>();

  function add(entry: DropCount): void {
    const key = `${entry.siteId} ${entry.reason} ${entry.hourAt}`;
    const before = counts.get(key);
    if (before === undefined && counts.size >= ENTRIES_MAX) return;
    counts.set(key, { ...entry, count: (before?.count ?? 0) + entry.count });
  }

  const timer = setInterval(() => void save().catch(() => {}), SAVE_EVERY_MS).unref();

  async function save(): Promise<void> {
    if (counts.size === 0) return;
    const [counted, sampled] = [[...counts.values()], [...samples.values()].flat()];
    counts = new Map();
    samples = new Map();
    try {
      await hand(counted, sampled);
    } catch (error) {
      for (const entry of counted) add(entry);
      throw error;
    }
  }

  return {
    countDrop(siteId, reason, sent) {
      const hourAt = Math.floor(now() / HOUR_MS) * HOUR_MS;
      add({ siteId, reason, hourAt, count: 1 });
      const key = `${siteId} ${reason}`;
      const ofReason = samples.get(key) ?? [];
      if (ofReason.length >= SAMPLES_MAX || (samples.size >= ENTRIES_MAX && !samples.has(key)))
        return;
      samples.set(key, [...ofReason, { siteId, reason, hourAt, ...describeDrop(sent) }]);
    },
    save,
    async close() {
      clearInterval(timer);
      await save().catch(() => {}); // The last seconds of a count are nice to know, no more.
    },
  };
}

const TEXT_MAX = 120;
const STEPS_MAX = 20;

/**
 * The type of an event, the site it happened on and how deep in it: nothing that may be somebody's.
 *
 * - Shape: the host's registrable domain, with `*.` for whatever stood before it; every step of the
 *   path `*`. What is no name of a site (an address, a machine of a network) is `*` alone.
 * - Why no word of a path, and no subdomain: `/users/john.doe` and `anna.shop.example` are people.
 */
export function describeDrop(sent: unknown): Pick<DropSample, 'type' | 'host' | 'path'> {
  const { type, url } = (sent ?? {}) as { readonly type?: unknown; readonly url?: unknown };
  const address = typeof url === 'string' ? URL.parse(url) : null;
  const steps = (address?.pathname ?? '').slice(0, 2_000).split('/', STEPS_MAX);
  return {
    type: EVENT_TYPES.find((known) => known === type) ?? '',
    host: describeHost(address?.hostname ?? '').slice(0, TEXT_MAX),
    path: steps.map((step) => (step === '' ? '' : '*')).join('/'),
  };
}

function describeHost(host: string): string {
  if (host === '' || host === 'localhost') return host;
  const domain = getDomain(host); // Not a host's customers: `anna.github.io` is somebody.
  if (domain === null) return '*';
  return domain === host ? domain : `*.${domain}`;
}

/** A counter that passes drops on to several. */
export function toAll(...counters: readonly DropCounter[]): DropCounter {
  return {
    countDrop(siteId, reason, sent) {
      for (const counter of counters) counter.countDrop(siteId, reason, sent);
    },
  };
}
