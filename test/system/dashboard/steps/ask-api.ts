import assert from 'node:assert/strict';
import { waitUntil } from '../../../server/wait-until.ts';
import { DEMO, type OpenDashboard } from '../open-dashboard.ts';

/**
 * Sends a query as the person who is signed in to the dashboard, and returns the rows of the answer. Retries where
 * the server asks for it, because a busy one may refuse queries for a moment; any other refusal fails the test.
 */
export async function askApi<Row>(
  { page, server }: Pick<OpenDashboard, 'page' | 'server'>,
  path: string,
  query: { readonly site_id?: string; readonly [name: string]: unknown },
): Promise<readonly Row[]> {
  const data = { site_id: DEMO, ...query };
  const headers = { 'x-site-id': data.site_id, origin: server.url };
  const answer = await waitUntil(
    () => page.request.post(path, { headers, data }),
    (response) => response.headers()['retry-after'] === undefined,
  );
  assert.equal(answer.status(), 200, await answer.text());
  return ((await answer.json()) as { readonly results: readonly Row[] }).results;
}
