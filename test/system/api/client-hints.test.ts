import assert from 'node:assert/strict';
import { it } from 'node:test';
import { addCaller } from '../../server/caller.ts';
import { shareServer } from '../../server/share-server.ts';
import { waitUntil } from '../../server/wait-until.ts';

const SITE = 'hints.example';
const DESKTOP = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/150.0.0.0 Safari/537.36';

it('client hints win over the user agent, even where a proxy drops the brands', async () => {
  const server = await shareServer();
  const caller = await addCaller(server.url, server.dataDir, SITE);
  const hints: readonly Record<string, string>[] = [
    { 'sec-ch-ua-platform': '"Android"', 'sec-ch-ua-mobile': '?1' },
    { 'sec-ch-ua-mobile': '?1' },
    {},
  ];
  for (const [index, headers] of hints.entries()) {
    await fetch(`${server.url}/api/v1/events`, {
      method: 'POST',
      headers: { 'user-agent': DESKTOP, ...headers },
      body: JSON.stringify({
        ...{ site: SITE, type: 'pageview', url: `https://${SITE}/` },
        service_visitor_id: `visitor-${index}`,
      }),
    });
  }
  const dimensions = ['visit:device', 'visit:os'];
  const systems = await waitUntil(
    async () => {
      const { body } = await caller.query({ metrics: ['visitors'], dimensions });
      const { results = [] } = body as { results?: { dimensions: string[] }[] };
      return results.map((row) => row.dimensions.join(': ')).toSorted();
    },
    ({ length }) => length === hints.length,
  );
  assert.deepEqual(systems, ['desktop: Linux', 'mobile: Android', 'mobile: Linux']);
});
