import { METRICS_SCOPE } from '#domain/site/scope.ts';
import { withLedgerOf } from './add-site.ts';
import type { TestServer } from './start-server.ts';

/** The headers of a new key for `/metrics`, like those of `tributary key create --metrics`. */
export async function metricsHeaders(dataDir: string): Promise<{ readonly authorization: string }> {
  const { key } = await withLedgerOf(dataDir, (ledger) =>
    ledger.createKey({ siteId: '', name: '', scopes: [METRICS_SCOPE], expiresAt: undefined }),
  );
  return { authorization: `Bearer ${key}` };
}

/** A server's figures for Prometheus. */
export async function readMetrics({ url, dataDir }: TestServer): Promise<string> {
  const headers = await metricsHeaders(dataDir);
  return (await fetch(`${url}/metrics`, { headers })).text();
}
