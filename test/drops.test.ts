import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { addCaller, type Caller } from './caller.ts';
import { startServer, type TestServer } from './start-server.ts';
import { waitUntil } from './wait-until.ts';

type Drops = {
  readonly results: readonly { readonly reason: string; readonly count: number }[];
  readonly samples: readonly Record<string, string>[];
};

describe('dropped events', () => {
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

  const sendFrom = (url: string, more = {}) =>
    caller.post('/api/v1/events', {
      ...{ site: 'example.com', type: 'pageview', url, service_visitor_id: 'secret-visitor' },
      ...more,
    });

  async function ask(query = ''): Promise<{ status: number; body: Drops }> {
    const answer = await fetch(`${server.url}/api/v1/drops${query}`, {
      headers: { authorization: `Bearer ${caller.key}` },
    });
    return { status: answer.status, body: JSON.parse(await answer.text()) as Drops };
  }

  it('are counted by hour and reason, with samples that name nobody, also after a restart', async () => {
    for (let index = 0; index < 25; index++) {
      await sendFrom(`https://thief.example/user/anna@shop.example/${index}/page?token=secret`);
    }
    await sendFrom('https://example.com/', { name: 7 });
    const sum = ({ body }: { body: Drops }) => body.results.reduce((n, each) => n + each.count, 0);
    await waitUntil(ask, (found) => sum(found) === 26);

    await server.stop();
    server = await startServer({ dataDir: server.dataDir });
    caller = caller.at(server.url);
    const { body } = await ask('?days=1');
    assert.equal(sum({ body }), 26);
    const ofThief = body.samples.filter(({ reason }) => reason === 'hostname_not_allowed');
    assert.equal(ofThief.length, 20);
    assert.deepEqual(
      { ...ofThief[0], hour: '' },
      {
        hour: '',
        reason: 'hostname_not_allowed',
        type: 'pageview',
        host: 'thief.example',
        path: '/user/*/*/page',
      },
    );
    assert.ok(!JSON.stringify(body).includes('secret'));
  });

  for (const days of ['0', '91', '-1', 'x', '1.5', '']) {
    it(`are not told of "${days}" days`, async () => {
      assert.equal((await ask(`?days=${days}`)).status, 400);
    });
  }
});
