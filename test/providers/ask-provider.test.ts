import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createAskProvider, type SendRequest } from '#providers/history/ask-provider.ts';
import { findProvider } from '#providers/known/providers.ts';
import type { BackfillRequest } from '#providers/provider.ts';
import { NOW } from './tellers.ts';

type Sent = { readonly url: string; readonly request: BackfillRequest };

/** Asks a provider whose answers are these, in order; the last one again and again. */
function open(
  name: string,
  settings: Readonly<Record<string, string>>,
  answers: readonly Partial<Awaited<ReturnType<SendRequest>>>[],
) {
  const provider = findProvider(name);
  assert.ok(provider?.backfill);
  const { backfill, title } = provider;
  const sent: Sent[] = [];
  const clock = { now: NOW };
  const send: SendRequest = async (url, request) => {
    sent.push({ url: url.href, request });
    const answer = answers[Math.min(sent.length, answers.length) - 1];
    return { status: 200, headers: {}, text: '{"list":[]}', ...answer };
  };
  const secrets = { signingSecrets: ['secret'], apiKey: 'key', settings };
  const ask = createAskProvider({ title, backfill }, secrets, { send, now: () => clock.now });
  const [list = ''] = backfill.lists;
  const page = { list, since: NOW, until: NOW };
  return { sent, clock, ask: () => ask((opened) => backfill.request(page, opened)), askRaw: ask };
}

describe('a provider’s API', () => {
  it('with short-lived tokens is asked for one, and for another when it runs out', async () => {
    const token = (text: string) => ({ text: `{"access_token":"${text}","expires_in":3600}` });
    const answers = [token('one'), {}, {}, token('two'), {}];
    const { sent, clock, ask } = open('paypal', { client_id: 'id' }, answers);
    const kinds = [await ask(), await ask()];
    clock.now += 3_600_000;
    kinds.push(await ask());
    assert.deepEqual(
      kinds.map(({ kind }) => kind),
      ['answer', 'answer', 'answer'],
    );
    const basic = `Basic ${Buffer.from('id:key').toString('base64')}`;
    assert.deepEqual(
      sent.map(({ request }) => request.headers.authorization),
      [basic, 'Bearer one', 'Bearer one', basic, 'Bearer two'],
    );
  });

  it('that refuses the credentials refuses the key, whatever its status', async () => {
    const { ask, sent } = open('paypal', { client_id: 'id' }, [{ status: 400, text: '{}' }]);
    const asked = await ask();
    assert.ok(asked.kind === 'refused' && asked.of === 'key');
    assert.equal(sent.length, 1);
  });

  it('is asked again when it says, in seconds or as a date, within an hour', async () => {
    const cases: readonly [string | undefined, number | undefined][] = [
      ['7', 7_000],
      [new Date(NOW + 90_000).toUTCString(), 90_000],
      ['999999', 3_600_000],
      ['soon', undefined],
      [undefined, undefined],
    ];
    for (const [header, waitMs] of cases) {
      const headers = { 'retry-after': header };
      const asked = await open('paddle', {}, [{ status: 429, headers }]).ask();
      assert.ok(asked.kind === 'later');
      assert.equal(asked.waitMs, waitMs, String(header));
    }
  });

  it('is quoted on one line, and not at length', async () => {
    const text = JSON.stringify({ error: { message: `No\n\nway. ${'x'.repeat(1_000)}` } });
    const asked = await open('paddle', {}, [{ status: 403, text }]).ask();
    assert.ok(asked.kind === 'refused');
    assert.match(asked.why, /^Paddle answered 403: No way\. x+\. Allow the API key to read it/);
    assert.ok(asked.why.length < 400);
  });

  it('is below its base address, whatever a path says', async () => {
    const settings = { base_url: 'https://proxy.example/paddle/' };
    const { askRaw, sent } = open('paddle', settings, [{}]);
    for (const path of ['/x', '//evil.example/x', '/../../x'])
      await askRaw(() => ({ path, headers: {} }));
    assert.deepEqual(
      sent.map(({ url }) => new URL(url).origin),
      sent.map(() => 'https://proxy.example'),
    );
    assert.equal(sent[0]?.url, 'https://proxy.example/paddle/x');
    for (const path of ['@evil.example/x', '.evil.example/x', ':80@evil.example']) {
      assert.equal((await askRaw(() => ({ path, headers: {} }))).kind, 'refused', path);
    }
  });
});
