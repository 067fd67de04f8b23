import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { QueryAnswer } from '#contract/query.ts';
import { addCaller, type Caller } from '../../server/caller.ts';
import { shareServer } from '../../server/share-server.ts';
import type { TestServer } from '../../server/start-server.ts';
import { PLAUSIBLE_EXAMPLES } from '../../worlds/plausible-queries.ts';

const MONEY = new Set(['total_revenue', 'average_revenue']);

describe("an example of Plausible's Stats API", () => {
  let server: TestServer;
  let caller: Caller;
  before(async () => {
    server = await shareServer();
    caller = await addCaller(server.url, server.dataDir, 'dummy.site');
    await caller.pageview('ada', '/docs');
  });

  for (const { about, query, refused } of PLAUSIBLE_EXAMPLES) {
    const what = refused === undefined ? 'has an answer of its shape' : 'is told what to write';
    it(`(${about}) ${what}`, async () => {
      const answer = await fetch(`${server.url}/api/v2/query`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${caller.key}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ site_id: 'dummy.site', ...query }),
      });
      const body = (await answer.json()) as QueryAnswer & { error: { message: string } };
      assert.equal(answer.status, refused === undefined ? 200 : 400, JSON.stringify(body));
      if (refused === undefined) assertShape(query, body);
      else assert.match(body.error.message, refused);
    });
  }
});

type Asked = (typeof PLAUSIBLE_EXAMPLES)[number]['query'];

/** Values in the query's order, and the query itself, with `meta` if it wants it. */
function assertShape({ metrics, dimensions = [], include }: Asked, body: QueryAnswer): void {
  assert.deepEqual(body.query.metrics, metrics);
  assert.deepEqual(body.query.dimensions, dimensions);
  if (dimensions.length === 0) assert.equal(body.results.length, 1);
  for (const row of body.results) {
    assert.ok(row.dimensions.every((value) => typeof value === 'string' && value !== ''));
    assert.equal(row.dimensions.length, dimensions.length);
    assert.equal(row.metrics.length, metrics.length);
    row.metrics.forEach((value, index) => {
      if (value === null) return;
      const isMoney = MONEY.has(metrics[index] ?? '');
      assert.equal(typeof value, isMoney ? 'object' : 'number');
    });
  }
  assert.equal(body.meta.imports_included, include?.imports ? false : undefined);
  assert.equal(typeof body.meta.total_rows, include?.total_rows ? 'number' : 'undefined');
  assert.equal(Array.isArray(body.meta.time_labels), include?.time_labels === true);
}
