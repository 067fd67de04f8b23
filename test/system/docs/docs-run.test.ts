import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { SCOPES } from '#domain/site/scope.ts';
import { ROOT, readDoc } from '../../architecture/source-files.ts';
import { addSite, createKey } from '../../server/add-site.ts';
import { callerOf } from '../../server/caller.ts';
import { startServer, type TestServer } from '../../server/start-server.ts';
import { findDifferences, isText } from './match-shown.ts';
import { parseCurl } from './parse-curl.ts';
import { type Example, readExamples } from './read-examples.ts';
import { openTeaShop, TEA_SHOP } from './tea-shop.ts';

/** As in the README: writes appear in answers a second or two later. */
const SHIPPED_MAX_MS = 60_000;
const ADDRESS = 'http://127.0.0.1:8787';

describe('the docs run', () => {
  let server: TestServer;
  const variables: Record<string, string> = {};

  before(async () => {
    server = await startServer();
    variables.TRIBUTARY_URL = server.url;
    await openSite(TEA_SHOP, 'EUR');
    await openTeaShop(callerOf(server.url, TEA_SHOP, variables.TRIBUTARY_KEY ?? ''));
  });
  after(async () => {
    await server?.stop();
    server?.cleanUp();
  });

  for (const path of globSync('docs/*.md', { cwd: ROOT }).toSorted()) {
    runExamples(path);
  }

  // Last, because its key belongs to another site.
  it("README: the tour's site is added", () => openSite('example.com', 'USD'));
  runExamples('README.md');

  async function openSite(domain: string, currency: string) {
    await addSite(server.dataDir, domain, { currency });
    variables.TRIBUTARY_KEY = await createKey(server.dataDir, domain, SCOPES);
  }

  function runExamples(path: string): void {
    for (const example of readExamples(path, readDoc(path))) {
      it(`${path}:${example.line} answers what is shown`, () => runExample(example));
    }
  }

  async function runExample({ command, shown }: Example): Promise<void> {
    assert.ok(shown, 'an example shows its answer, in a block directly below');
    const curl = parseCurl(command, variables);
    const request = { ...curl, url: curl.url.replace(ADDRESS, server.url) };
    const isRead = request.method === 'GET' || request.url.includes('/query');
    const lines = shown.text.split('\n').length;
    for (const until = performance.now() + SHIPPED_MAX_MS; ; await sleep(200)) {
      const answered = await send(request, lines);
      const differences = compare(shown, answered);
      if (differences.length === 0) return;
      // A busy machine may refuse a write for now: nothing is recorded then.
      const mayChange = isRead || answered.includes('"type":"unavailable"');
      if (!mayChange || performance.now() >= until) {
        return assert.deepEqual(differences, [], answered);
      }
    }
  }
});

function compare(shown: NonNullable<Example['shown']>, answered: string): string[] {
  if (shown.language === 'json') {
    return findDifferences(JSON.parse(shown.text), JSON.parse(answered));
  }
  if (isText(shown.text.trimEnd(), answered.trimEnd().replaceAll('\r\n', '\n'))) return [];
  return [`shown ${shown.text}, answered ${answered}`];
}

/** The answer's body; for an endless stream, the first `lines` lines. */
async function send(request: ReturnType<typeof parseCurl>, lines: number): Promise<string> {
  const ending = new AbortController();
  const { url, method, headers, body } = request;
  const answer = await fetch(url, {
    ...{ method, headers, signal: ending.signal },
    ...(body !== undefined && { body }),
  });
  if (answer.status === 202) return untilErased(new URL(url).origin, headers, await answer.text());
  if (!answer.headers.get('content-type')?.startsWith('text/event-stream')) return answer.text();
  let text = '';
  for await (const chunk of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    if (text.split('\n').length > lines) break;
  }
  ending.abort();
  return text.split('\n').slice(0, lines).join('\n');
}

/** The receipt of an erasure that a busy machine did not finish before the first answer. */
async function untilErased(
  origin: string,
  headers: Readonly<Record<string, string>>,
  first: string,
): Promise<string> {
  const { erasure } = JSON.parse(first) as { erasure: { id: string } };
  for (;;) {
    const answer = await fetch(`${origin}/api/v1/erasures/${erasure.id}`, { headers });
    const receipt = await answer.text();
    if (answer.status !== 202 && !receipt.includes('"running"')) return receipt;
    await sleep(200);
  }
}
