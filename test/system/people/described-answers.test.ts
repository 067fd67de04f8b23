import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { SCOPES } from '#domain/site/scope.ts';
import { addSite, createKey } from '../../server/add-site.ts';
import { signInAsOwner } from '../../server/browser-calls.ts';
import { type Api, type Operation, operationsOf, readApi } from '../../server/read-api.ts';
import { shareServer } from '../../server/share-server.ts';
import type { TestServer } from '../../server/start-server.ts';

const SITE = 'described.example';
/** They would change what other tests rely on, or take long. */
const LEFT_ALONE = /^(removeSite|eraseVisitor|addDemo|examineServer|requestReset)$/;

describe('the answers of each endpoint', () => {
  let server: TestServer;
  let api: Api;
  let callers: readonly Readonly<Record<string, string>>[];

  before(async () => {
    server = await shareServer({ RATE_LIMIT_READS: '0' });
    api = await readApi(server.url);
    await addSite(server.dataDir, SITE);
    const key = await createKey(server.dataDir, SITE, SCOPES);
    const owner = await signInAsOwner(server);
    callers = [
      {},
      { authorization: 'Bearer trib_none' },
      { authorization: `Bearer ${key}` },
      { 'x-share-token': 'of-no-link' },
      { cookie: owner.cookie(), origin: server.url, 'x-site-id': SITE },
      { cookie: owner.cookie(), origin: 'https://elsewhere.example' },
    ];
  });

  it('have statuses that the description lists', async () => {
    const unlisted = new Set<string>();
    for (const { operation, method, path, body, headers } of requests()) {
      const { status } = await call(method, path, headers, body);
      const isListed = String(status) in operation.responses;
      if (!isListed) unlisted.add(`${operation.operationId} ${path} ${body}: ${status}`);
    }
    assert.deepEqual([...unlisted], []);
  });

  function* requests() {
    const asked = operationsOf(api).filter(
      ({ operation }) => !LEFT_ALONE.test(operation.operationId),
    );
    for (const { method, path: pattern, operation } of asked) {
      for (const path of pathsOf(pattern)) {
        for (const body of bodiesOf(operation)) {
          yield* callers.map((headers) => ({ operation, method, path, body, headers }));
        }
      }
    }
  }

  async function call(method: string, path: string, headers: object, body: string | undefined) {
    const answer = await fetch(`${server.url}${path}`, {
      method: method.toUpperCase(),
      redirect: 'manual',
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body }),
    });
    await answer.body?.cancel();
    return answer;
  }
});

/** Of something that is not there, and of the site. */
function pathsOf(path: string): string[] {
  const unknown = path.replace(/\{\w+\}/g, 'of-nothing');
  const ofSite = path.replace('/sites/{id}', `/sites/${SITE}`).replace(/\{\w+\}/g, 'of-nothing');
  return [...new Set([unknown, ofSite])];
}

function bodiesOf({ requestBody }: Operation): (string | undefined)[] {
  return requestBody === undefined ? [undefined] : [undefined, '{', '{}', ' '.repeat(70_000)];
}
