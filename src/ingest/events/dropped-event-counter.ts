import { getDomain } from 'tldts';
import { EVENT_TYPES } from '#contract/event.ts';
import { HOUR_MS } from '#domain/time/durations.ts';
import type { DropCount, DropSample } from '#domain/visit/dropped-events.ts';
import { keepRunning } from '#jobs/keep-running.ts';
import type { DropCounter } from './accept-events.ts';

const SAVE_EVERY_MS = 3_000;
/** Samples kept per site and reason. */
const SAMPLES_MAX = 20;
/** Limits memory. Sites and reasons are few, so normal traffic stays far below. */
const ENTRIES_MAX = 10_000;

/**
 * Counts dropped events in memory, and saves the counts every few seconds and at its close.
 *
 * - Why buffered: a dropped event must not cost an fsync. A crash loses the counts of the last seconds.
 */
export function createDroppedEventCounter(
  now: () => number,
  saveDrops: (counts: readonly DropCount[], samples: readonly DropSample[]) => Promise<void>,
): DropCounter & { save(): Promise<void>; close(): Promise<void> } {
  let counts = new Map<string, DropCount>();
  let samples = new Map<string, DropSample[]>();

  function add(entry: DropCount): void {
    const key = `${entry.siteId} ${entry.reason} ${entry.hourAt}`;
    const before = counts.get(key);
    if (before === undefined && counts.size >= ENTRIES_MAX) return;
    counts.set(key, { ...entry, count: (before?.count ?? 0) + entry.count });
  }

  /** If saving fails, the counts are kept for the next time. */
  async function save(): Promise<void> {
    if (counts.size === 0) return;
    const [counted, sampled] = [[...counts.values()], [...samples.values()].flat()];
    counts = new Map();
    samples = new Map();
    try {
      await saveDrops(counted, sampled);
    } catch (error) {
      for (const entry of counted) add(entry);
      throw error;
    }
  }

  const job = keepRunning({ name: 'dropped_events', everyMs: SAVE_EVERY_MS, run: save });
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
      await job.stop();
      await save().catch(() => {}); // Losing the last seconds of counts is acceptable.
    },
  };
}

const TEXT_MAX = 120;
const STEPS_MAX = 20;

/**
 * Describes a dropped event without personal data: its type, host and path depth.
 *
 * - Shape: the host's registrable domain, with `*.` in place of subdomains; each path segment is `*`.
 *   Another host without a registrable domain (a public IP address, a machine name) is `*`. Private addresses are
 *   named: they are of a developer, who has to allow them. So are ports, which tell one such page from another.
 * - Why no path words or subdomains: `/users/john.doe` and `anna.shop.example` name people.
 */
function describeDrop(sent: unknown): Pick<DropSample, 'type' | 'host' | 'path'> {
  const { type, url } = (sent ?? {}) as { readonly type?: unknown; readonly url?: unknown };
  const address = typeof url === 'string' ? URL.parse(url) : null;
  const steps = (address?.pathname ?? '').slice(0, 2_000).split('/', STEPS_MAX);
  return {
    type: EVENT_TYPES.find((known) => known === type) ?? '',
    host: describeHost(address).slice(0, TEXT_MAX),
    path: steps.map((step) => (step === '' ? '' : '*')).join('/'),
  };
}

const PRIVATE = /^(127|10|192\.168|172\.(1[6-9]|2\d|3[01]))\.[\d.]+$|^\[::1\]$/;

function describeHost(address: URL | null): string {
  const { hostname = '', port = '' } = address ?? {};
  return `${describeHostname(hostname)}${port && `:${port}`}`;
}

function describeHostname(host: string): string {
  if (host === '' || host === 'localhost') return host;
  const domain = getDomain(host); // Without private suffixes: `anna.github.io` would name a person.
  if (domain === null) return PRIVATE.test(host) ? host : '*';
  return domain === host ? domain : `*.${domain}`;
}

/** A counter that forwards each drop to all given counters. */
export function toAll(...counters: readonly DropCounter[]): DropCounter {
  return {
    countDrop(siteId, reason, sent) {
      for (const counter of counters) counter.countDrop(siteId, reason, sent);
    },
  };
}
