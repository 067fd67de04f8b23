import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { type BrowserCalls, signInAsOwner } from '../../server/browser-calls.ts';
import { type Api, readApi } from '../../server/read-api.ts';
import { metricsHeaders } from '../../server/read-metrics.ts';
import { shareServer } from '../../server/share-server.ts';
import type { TestServer } from '../../server/start-server.ts';

const DOMAIN = 'caches.example';
/** Answers that the description does not list. */
const HIDDEN = ['/api/auth/get-session', '/api/auth/list-sessions', '/api/auth/callback/oidc'];
const JSON_TYPE = { 'content-type': 'application/json' };

describe('caches', () => {
  let server: TestServer;
  let anna: BrowserCalls;
  let signedIn: Record<string, string>;

  before(async () => {
    server = await shareServer({ RATE_LIMIT_READS: '0' });
    anna = await signInAsOwner(server);
    await anna.call('POST', '/api/v1/sites', { domain: DOMAIN });
    signedIn = { cookie: anna.cookie(), 'sec-fetch-site': 'same-origin', 'x-site-id': DOMAIN };
  });

  async function ask(method: string, path: string, more: RequestInit = {}) {
    const answer = await fetch(`${server.url}${path}`, { method, ...more });
    await answer.body?.cancel();
    return { status: answer.status, kept: answer.headers.get('cache-control') };
  }

  it('keep no private answer and no refusal, of any route', async () => {
    const { paths } = await readApi(server.url);
    const described = requestsTo(paths);
    // What is written stays as it was: only strangers try it.
    const reads = described.filter(({ method, path }) => method === 'GET' || /query/.test(path));
    const ours = [...reads, ...HIDDEN.map((path) => ({ method: 'GET', path }))];
    const asked = [
      ...described,
      ...ours.map((each) => ({ ...each, headers: { ...JSON_TYPE, ...signedIn } })),
      { method: 'GET', path: '/metrics', headers: await metricsHeaders(server.dataDir) },
    ];
    const kept: string[] = [];
    const statuses: number[] = [];
    for (const { method, path, ...more } of asked) {
      const answer = await ask(method, path, { headers: JSON_TYPE, ...more });
      statuses.push(answer.status);
      if (answer.kept !== 'no-store') kept.push(`${method} ${path}: ${Object.values(answer)}`);
    }
    assert.deepEqual(kept, []);
    assert.ok(statuses.filter((status) => status === 200).length > 30, statuses.join());
  });

  it('keep what is public, for as long as it is true', async () => {
    const page = await (
      await fetch(`${server.url}/sign-in`, { headers: { accept: 'text/html' } })
    ).text();
    const asset = /\/assets\/[\w.-]+\.js\b/.exec(page)?.[0] ?? '';
    const year = { status: 200, kept: 'public, max-age=31536000, immutable' };
    assert.deepEqual(await ask('GET', asset), year);
    assert.deepEqual(await ask('GET', '/js/script.js'), {
      ...{ status: 200, kept: 'public, max-age=3600' },
    });
    // A browser with the page of before an upgrade asks for files that are no longer there.
    const gone = { status: 404, kept: 'no-store' };
    assert.deepEqual(await ask('GET', '/assets/gone-1a2b3c4d.js'), gone);
    assert.deepEqual(await ask('GET', '/nothing'), gone);
  });
});

/** A request to each operation, with the example of its body. */
function requestsTo(paths: Api['paths']) {
  return Object.entries(paths).flatMap(([pattern, methods]) =>
    Object.entries(methods).map(([method, { requestBody }]) => {
      const path = pattern.replace('{id}', DOMAIN).replace(/\{\w+\}/, 'nothing');
      const [media] = Object.values(requestBody?.content ?? {});
      const body = media ? JSON.stringify({ ...media.example, site_id: DOMAIN }) : null;
      return { method: method.toUpperCase(), path, body };
    }),
  );
}
