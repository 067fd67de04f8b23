import { waitUntil } from '../../../server/wait-until.ts';
import { DEMO, type OpenDashboard } from '../open-dashboard.ts';

/**
 * Sends a query as the person who is signed in to the dashboard, and returns the rows of the answer. Retries until the
 * server answers 200, because a busy server may refuse queries for a moment.
 */
export async function askApi<Row>(
  { page, server }: Pick<OpenDashboard, 'page' | 'server'>,
  path: string,
  query: { readonly site_id?: string; readonly [name: string]: unknown },
): Promise<readonly Row[]> {
  const data = { site_id: DEMO, ...query };
  const headers = { 'x-site-id': data.site_id, origin: server.url };
  const [, answer] = await waitUntil(
    async () => {
      const response = await page.request.post(path, { headers, data });
      return [response.status(), (await response.json()) as { results: readonly Row[] }] as const;
    },
    ([status]) => status === 200,
  );
  return answer.results;
}
