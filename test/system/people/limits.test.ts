import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createKey } from '../../server/add-site.ts';
import { type BrowserCalls, openBrowserCalls, signInAsOwner } from '../../server/browser-calls.ts';
import { shareServer } from '../../server/share-server.ts';
import type { TestServer } from '../../server/start-server.ts';

const SITES = ['busy-1.example', 'busy-2.example'];

/** A member of his own: the limits of others stay as they are. */
const BEN = { name: 'Ben', email: 'ben@busy.example', password: 'a long passphrase' };

describe('what one person asks of a server', () => {
  let server: TestServer;
  let ben: BrowserCalls;
  /** With their responses: fetch cancels a stream whose response is garbage. */
  const open: { readonly stop: AbortController; readonly stream: Response }[] = [];

  before(async () => {
    server = await shareServer({ RATE_LIMIT_READS: '0' });
    const anna = await signInAsOwner(server);
    ben = openBrowserCalls(server.url);
    for (const domain of SITES) {
      await anna.call('POST', '/api/v1/sites', { domain });
      const invited = await anna.call('POST', `/api/v1/sites/${domain}/members`, {
        ...{ email: BEN.email, role: 'viewer' },
      });
      const token = invited.body.url.split('#')[1];
      const { name, password } = BEN;
      const joined = await ben.call('POST', '/api/invitations/accept', { token, name, password });
      assert.equal(joined.status, 200);
    }
  });
  after(() => {
    for (const { stop } of open) stop.abort();
  });

  async function listen(headers: Readonly<Record<string, string>>): Promise<number> {
    const stop = new AbortController();
    const stream = await fetch(`${server.url}/api/v1/live/stream`, {
      headers,
      signal: stop.signal,
    });
    open.push({ stop, stream });
    return stream.status;
  }

  it('is eight streams at once, in all sites and sessions together', async () => {
    const asBen = (site = '') => ({ cookie: ben.cookie(), 'x-site-id': site });
    const statuses: number[] = [];
    for (let count = 0; count < 9; count += 1) statuses.push(await listen(asBen(SITES[count % 2])));
    assert.deepEqual(statuses, [...new Array(8).fill(200), 429]);
    const key = await createKey(server.dataDir, SITES[0] ?? '');
    assert.equal(await listen({ authorization: `Bearer ${key}` }), 200);
  });

  it('is some hundred changes a minute, refused ones included, and as many looks as there are', async () => {
    const path = `/api/v1/sites/${SITES[0]}/segments`;
    const statuses: number[] = [];
    // A minute may end in between, and the next one begins to count anew. Many at once, because a busy machine may not
    // answer enough of them in a minute one by one.
    async function change(): Promise<void> {
      while (statuses.length < 1_000 && !statuses.includes(429)) {
        statuses.push((await ben.call('POST', path, { name: '' })).status);
      }
    }
    await Promise.all(Array.from({ length: 32 }, change));
    const passed = statuses.filter((status) => status !== 429);
    assert.ok(passed.length < statuses.length, 'none was refused');
    assert.ok(passed.length >= 300, `${passed.length}`);
    assert.equal((await ben.call('GET', path)).status, 200);
    const goal = await ben.call('POST', '/api/v1/goals', {}, { 'x-site-id': SITES[0] ?? '' });
    assert.equal(goal.status, 403, 'a viewer may not write');
  });
});
