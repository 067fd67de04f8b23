type DownloadCertificate = (url: string) => Promise<string>;

/** Certificates that deliveries are signed with. */
export interface Certificates {
  /**
   * The certificate at an address; undefined if it cannot be had now. Then the delivery is neither forged nor proved, and
   * has to be sent again.
   */
  find(url: string): Promise<string | undefined>;
}

/** A provider changes its certificate once a year or so, and has one for tests. */
const KEPT_MAX = 20;
/** How many downloads forged deliveries can cause in a while. */
const DOWNLOADS_MAX = 10;
const WHILE_MS = 60_000;

/**
 * Keeps certificates by their address. An address that cannot be read is not asked again for a while.
 *
 * - Units: milliseconds since 1970.
 */
export function createCertificates(download: DownloadCertificate, now: () => number): Certificates {
  const kept = new Map<string, { readonly text: Promise<string | undefined>; failedAt?: number }>();
  let started: readonly number[] = [];

  const start = (url: string) => {
    started = [...started.filter((at) => at > now() - WHILE_MS), now()];
    const entry: { text: Promise<string | undefined>; failedAt?: number } = {
      text: download(url).catch(() => {
        entry.failedAt = now();
        return undefined;
      }),
    };
    kept.set(url, entry);
    const [oldest] = kept.keys();
    if (kept.size > KEPT_MAX && oldest !== undefined) kept.delete(oldest);
    return entry.text;
  };

  return {
    find: async (url) => {
      const entry = kept.get(url);
      const isUsable = entry !== undefined && (entry.failedAt ?? now()) > now() - WHILE_MS;
      if (isUsable) {
        // What is used is kept longest.
        kept.delete(url);
        kept.set(url, entry);
        return await entry.text;
      }
      const isFlooded = started.filter((at) => at > now() - WHILE_MS).length >= DOWNLOADS_MAX;
      return isFlooded ? undefined : await start(url);
    },
  };
}
