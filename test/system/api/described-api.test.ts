import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { before, describe, it } from 'node:test';
import { ERROR_TYPES } from '#contract/error.ts';
import { type Api, operationsOf, readApi } from '../../server/read-api.ts';
import { readMetrics } from '../../server/read-metrics.ts';
import { shareServer } from '../../server/share-server.ts';
import type { TestServer } from '../../server/start-server.ts';
import { waitUntil } from '../../server/wait-until.ts';

describe('what the server says of itself', () => {
  let tributary: TestServer;
  let api: Api;
  const read = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${tributary.url}${path}`, { headers });

  before(async () => {
    tributary = await shareServer();
    api = await readApi(tributary.url);
  });

  const operations = () => operationsOf(api).map(({ operation }) => operation);

  it('is OpenAPI 3.1, with every endpoint of the interface', () => {
    assert.equal(api.openapi, '3.1.0');
    for (const path of ['goals', 'payments', 'events', 'query']) {
      assert.ok(api.paths[`/api/v1/${path}`]?.post, path);
    }
    const ids = operations().map(({ operationId }) => operationId);
    assert.equal(new Set(ids).size, ids.length);
  });

  it('is where the address leads that a start prints', async () => {
    assert.equal((await read('/')).url, `${tributary.url}/docs`);
  });

  it('names every type of error, and each where it can come', () => {
    for (const type of Object.keys(ERROR_TYPES)) {
      assert.match(api.info.description, new RegExp(`\`${type}\``));
    }
    const goals = api.paths['/api/v1/goals']?.post?.responses ?? {};
    assert.deepEqual(Object.keys(goals), [
      ...['200', '400', '401', '403', '404', '409', '413', '415', '429', '500', '503'],
    ]);
    assert.match(goals['400']?.description ?? '', /invalid_json.*invalid_request.*bot_visitor/);
  });

  it('has the closed list of all types of error as a schema', () => {
    const { description = '', properties } = api.components.schemas.Error ?? {};
    const { type } = properties?.error?.properties ?? {};
    assert.deepEqual(type?.enum, Object.keys(ERROR_TYPES));
    for (const [type, { code, when }] of Object.entries(ERROR_TYPES)) {
      assert.ok(description.includes(`| ${code} | \`${type}\` | ${when} |`), type);
    }
  });

  it('describes every answer', () => {
    for (const { operationId, summary, responses } of operations()) {
      assert.notEqual(summary, undefined, operationId);
      for (const { description } of Object.values(responses)) {
        assert.notEqual(description, 'Default Response', operationId);
      }
    }
  });

  it('can be read as a page that loads from nowhere else', async () => {
    const page = await read('/docs');
    assert.equal(page.status, 200);
    const policy = page.headers.get('content-security-policy') ?? '';
    assert.match(policy, /default-src 'none'/);
    assert.doesNotMatch(policy, /https:|script-src|unsafe/);
    const html = await page.text();
    assert.doesNotMatch(html, /<(script|link|img|svg)\b|\bsrc=|url\(|@import|swagger/i);
    for (const { operationId } of operations()) {
      assert.ok(html.includes(`<section id="${operationId}">`), operationId);
    }
  });

  it('reports its health', async () => {
    assert.equal((await read('/healthz')).status, 200);
    const deadline = Date.now() + 60_000;
    while ((await read('/readyz')).status !== 200) {
      assert.ok(Date.now() < deadline, 'it is never ready');
    }
  });

  it('reports its figures, and those of its jobs in each thread, to a key of their kind', async () => {
    const shipped = /^tributary_job_runs_total\{job="shipping"\} [1-9]/m;
    const read = () => readMetrics(tributary);
    const text = await waitUntil(read, (figures) => shipped.test(figures));
    assert.match(text, /tributary_answers_total\{route="\/healthz",code="200"\} [1-9]/);
    const succeeded =
      /^tributary_job_last_success_timestamp_seconds\{job="ledger_refresh"\} (.+)$/m;
    const at = Number(succeeded.exec(text)?.[1]);
    assert.ok(Math.abs(at - Date.now() / 1_000) < 60, `${at}`);
  });

  it('serves the tracker in each coding, and once only to who has it', async () => {
    const digests = new Set<string>();
    for (const coding of ['br', 'gzip', 'identity']) {
      const answer = await read('/js/script.js', { 'accept-encoding': coding });
      assert.equal(answer.headers.get('content-type'), 'text/javascript; charset=utf-8');
      assert.equal(answer.headers.get('cache-control'), 'public, max-age=3600');
      assert.equal(answer.headers.get('content-encoding') ?? 'identity', coding);
      digests.add(hash('sha256', await answer.text()));
      const etag = answer.headers.get('etag') ?? '';
      const again = await read('/js/script.js', {
        'accept-encoding': coding,
        'if-none-match': etag,
      });
      assert.equal(again.status, 304);
    }
    assert.equal(digests.size, 1);
  });
});
