import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { newUuid } from '#ingest/new-uuid.ts';
import { addCaller } from '../../server/caller.ts';
import { startServer, type TestServer } from '../../server/start-server.ts';
import { waitUntil } from '../../server/wait-until.ts';

const SITE = 'restarted.example';
const PERSON = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';
const BOT = 'curl/8.14.1';

/** Visitors and what sends the first and second pageview of their only visit. */
const VISITORS = [
  ['person', PERSON, BOT],
  ['bot', BOT, PERSON],
] as const;

describe('a restart in the middle of a visit', () => {
  let server: TestServer;
  after(async () => {
    await server.stop();
    server.cleanUp();
  });

  it('leaves it the class of its first event, for all later ones and who it is', async () => {
    server = await startServer();
    const { dataDir } = server;
    const caller = await addCaller(server.url, dataDir, SITE);
    const visits = VISITORS.map(() => newUuid(Date.now()));
    const send = (url: string, which: 1 | 2) =>
      Promise.all(
        VISITORS.map(async (visitor, index) => {
          const { status } = await caller.at(url).post('/api/v1/events', {
            ...{
              site: SITE,
              type: 'pageview',
              url: `https://${SITE}/${visitor[0]}`,
              visit_id: visits[index],
            },
            ...{ service_visitor_id: visitor[0], user_agent: visitor[which] },
          });
          assert.equal(status, 200);
        }),
      );
    const count = async (more: object) => {
      const asked = { metrics: ['pageviews'], dimensions: ['event:page'], ...more };
      const { body } = await caller.at(server.url).query(asked);
      const { results } = body as { results: { dimensions: string[]; metrics: number[] }[] };
      return results.map(({ dimensions: [page], metrics: [views] }) => `${views} of ${page}`);
    };
    await send(server.url, 1);
    await server.stop();
    const { cleanUp } = server;
    server = { ...(await startServer({ dataDir })), cleanUp };
    const identify = (visitor: string) =>
      caller
        .at(server.url)
        .post('/api/v1/identify', { service_visitor_id: visitor, user_id: 'one' });
    // A look-up has a quarter of a second, for which the first one on a busy machine may be too slow.
    await waitUntil(
      () => identify('bot'),
      ({ body }) => JSON.stringify(body).includes('Visitor is a bot: not joined'),
    );
    assert.match(JSON.stringify((await identify('person')).body), /Visitor identified/);
    await send(server.url, 2);
    const bots = { filters: [['is', 'visit:bot', ['curl']]] };
    const found = await waitUntil(
      async () => [await count({}), await count(bots)],
      (counted) => counted.flat().reduce((sum, text) => sum + Number.parseInt(text, 10), 0) === 4,
    );
    assert.deepEqual(found, [['2 of /person'], ['2 of /bot']]);
  });
});
