import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { addCaller, type Caller } from '../../server/caller.ts';
import { shareServer } from '../../server/share-server.ts';
import type { TestServer } from '../../server/start-server.ts';
import { waitUntil } from '../../server/wait-until.ts';

describe('the formats of an answer', () => {
  let server: TestServer;
  let caller: Caller;
  before(async () => {
    server = await shareServer();
    caller = await addCaller(server.url, server.dataDir, 'formats.example');
    await caller.pageview('ada', '/=cmd');
  });

  function ask(headers: Record<string, string>, query: Record<string, unknown> = {}) {
    return fetch(`${server.url}/api/v1/query`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${caller.key}`,
        'content-type': 'application/json',
        ...headers,
      },
      body: JSON.stringify({
        ...{ site_id: 'formats.example', metrics: ['pageviews'], date_range: '7d' },
        ...{ dimensions: ['event:page'], ...query },
      }),
    });
  }

  it('are told by Accept', async () => {
    await waitUntil(
      async () => (await ask({ accept: 'text/csv' })).text(),
      (text) => text === 'event:page,pageviews\r\n/=cmd,1\r\n',
    );
    const types = {
      'application/json': '{"results"',
      'text/csv': 'event:page,',
      'application/x-ndjson': '{"event:page"',
      'application/vnd.apache.parquet': 'PAR1',
      'application/vnd.apache.arrow.file': 'ARROW1',
    };
    for (const [type, begin] of Object.entries(types)) {
      const answer = await ask({ accept: type });
      assert.equal(answer.status, 200);
      assert.equal(answer.headers.get('content-type')?.split(';')[0], type);
      assert.equal((await answer.text()).slice(0, begin.length), begin);
    }
  });
  it('leave refusals as they are', async () => {
    const answer = await ask({ accept: 'text/csv' }, { metrics: ['hits'] });
    assert.equal(answer.status, 400);
    assert.equal(((await answer.json()) as { status: string }).status, 'error');
    const compared = { include: { compare: 'previous_period' } };
    const file = await ask({ accept: 'application/vnd.apache.parquet' }, compared);
    assert.equal(file.status, 400);
    assert.match(await file.text(), /Parquet and Arrow have no columns for a comparison/);
  });
  it('carry a tag that lasts until an answer changes', async () => {
    const first = await ask({});
    const tag = first.headers.get('etag') ?? '';
    assert.equal(first.headers.get('cache-control'), 'no-store');
    const second = await ask({ 'if-none-match': tag });
    assert.equal(second.status, 304);
    assert.equal(await second.text(), '');
    await caller.pageview('ada', '/next');
    await waitUntil(
      () => ask({ 'if-none-match': tag }),
      ({ status }) => status === 200,
    );
  });
});
