import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { addCaller, type Caller } from '../../server/caller.ts';
import { findWeb, isReady, startServer, type TestServer } from '../../server/start-server.ts';
import { waitUntil } from '../../server/wait-until.ts';

let server: TestServer;
let caller: Caller;
before(async () => {
  server = await startServer();
  caller = await addCaller(server.url, server.dataDir, 'example.com');
});
after(async () => {
  await server.stop();
  server.cleanUp();
});

it('a web process that hangs is replaced, and what it acknowledged is there', async () => {
  const event = {
    ...{ site: 'example.com', type: 'pageview', url: 'https://example.com/' },
    ...{ service_visitor_id: 'ann', user_agent: 'Mozilla/5.0 (X11) Firefox/140.0' },
  };
  assert.equal((await caller.post('/api/v1/events', event)).status, 200);
  const hung = findWeb(server);
  assert.ok(hung !== undefined);
  process.kill(hung, 'SIGSTOP');
  const next = await waitUntil(
    async () => findWeb(server),
    (pid) => pid !== undefined && pid !== hung,
  );
  assert.notEqual(next, hung);
  await waitUntil(() => isReady(server.url), Boolean);
  await waitUntil(
    async () => JSON.stringify((await caller.query({ metrics: ['pageviews'] })).body),
    (body) => body.includes('"metrics":[1]'),
  );
  assert.match(server.said(), /The web process is not responding; it is killed and restarted\./);
});
