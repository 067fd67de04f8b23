import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { SCOPES } from '#domain/site/scope.ts';
import { addSite, createKey } from '../../server/add-site.ts';
import { type Answer, type Caller, callerOf } from '../../server/caller.ts';
import { shareServer } from '../../server/share-server.ts';
import type { TestServer } from '../../server/start-server.ts';
import { waitUntil } from '../../server/wait-until.ts';

const SITE = 'long-ids.example';
const VISITOR = `long.${'v'.repeat(122)}x`;
/** 255 characters, most of four bytes, and some with a meaning in addresses. */
const TRANSACTION = `/?#%&+ é${'𝕏'.repeat(247)}`;

describe('ids of any allowed length', () => {
  let server: TestServer;
  let caller: Caller;
  const call = async (method: string, path: string, body?: unknown) => {
    const answer = await fetch(`${server.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${caller.key}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };

  before(async () => {
    server = await shareServer();
    await addSite(server.dataDir, SITE);
    caller = callerOf(server.url, SITE, await createKey(server.dataDir, SITE, SCOPES));
    const isAccepted = ({ body }: Answer) => (body as { accepted?: number }).accepted === 1;
    await waitUntil(() => caller.pageview(VISITOR), isAccepted);
  });

  it('are as long as they may be', () => {
    assert.equal(VISITOR.length, 128);
    assert.equal([...TRANSACTION].length, 255);
  });

  it('name payments that are read, corrected and voided', async () => {
    const payment = { amount: 5, currency: 'USD', transaction_id: TRANSACTION };
    const paid = await caller.payment(payment);
    assert.equal(paid.status, 200, JSON.stringify(paid.body));
    const path = `/api/v1/payments/${encodeURIComponent(TRANSACTION)}`;
    const found = await call('GET', path);
    assert.equal(found.body.transaction_id, TRANSACTION);
    const corrected = await call('PATCH', path, { service_visitor_id: VISITOR });
    assert.equal(corrected.body.service_visitor_id, VISITOR, JSON.stringify(corrected.body));
    assert.equal((await call('DELETE', path)).status, 200);
  });

  it('name visitors that are read, told, separated and erased', async () => {
    const path = `/api/v1/visitors/${VISITOR}`;
    for (const read of [path, `${path}/story`, `/api/v1/persons/${VISITOR}`]) {
      await waitUntil(
        () => call('GET', read),
        ({ status }) => status === 200,
      );
    }
    assert.equal((await call('DELETE', `${path}/joins`)).status, 200);
    assert.match(String((await call('DELETE', path)).status), /^20[02]$/);
  });

  it('reach every route that takes something in its path', async () => {
    const { paths } = (await (await fetch(`${server.url}/openapi.json`)).json()) as {
      readonly paths: Readonly<Record<string, object>>;
    };
    const taking = Object.entries(paths).filter(([path]) => path.includes('{'));
    assert.ok(taking.length > 15);
    for (const [path, methods] of taking) {
      const filled = path.replace(/\{\w+\}/g, encodeURIComponent('𝕏'.repeat(255)));
      for (const method of Object.keys(methods)) {
        const { status, body } = await call(method.toUpperCase(), filled);
        const told = `${method} ${path}: ${status} ${JSON.stringify(body)}`;
        assert.doesNotMatch(told, /path is too long|nothing at this path/, path);
      }
    }
  });
});
