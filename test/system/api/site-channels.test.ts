import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { addCaller, type Caller } from '../../server/caller.ts';
import { runCli, startServer, type TestServer } from '../../server/start-server.ts';
import { waitUntil } from '../../server/wait-until.ts';

const PARTNERS = {
  name: 'Partners',
  where: [{ field: 'source', op: 'is', value: 'kettle.example' }],
};

describe('a site’s own channels, by the command line', () => {
  let server: TestServer;
  let caller: Caller;
  before(async () => {
    server = await startServer();
    caller = await addCaller(server.url, server.dataDir, 'example.com');
    await caller.pageview('ada', '/?utm_source=kettle.example');
    await caller.pageview('ben', '/?utm_source=google&utm_medium=cpc');
    await caller.pageview('cleo', '/?utm_source=chatgpt.com');
  });
  after(async () => {
    await server.stop();
    server.cleanUp();
  });

  const channel = (...args: string[]) =>
    runCli<unknown>(['site', 'channel', ...args], server.dataDir);

  /** Waits, as a server hears of a change within a second. */
  async function showsUp(expected: readonly string[]): Promise<void> {
    const namesIn = (body: unknown) =>
      ((body as { results?: { dimensions: string[] }[] }).results ?? [])
        .map(({ dimensions }) => dimensions[0] ?? '')
        .toSorted();
    const { body } = await waitUntil(
      () => caller.query({ metrics: ['visits'], dimensions: ['visit:channel'] }),
      (answer) => namesIn(answer.body).join() === expected.join(),
    );
    assert.deepEqual(namesIn(body), expected);
  }

  it('hold for history as soon as they are added, and no longer when they are removed', async () => {
    await showsUp(['AI Assistants', 'Paid Search', 'Referral']);
    const where = ['--where', 'source is kettle.example'];
    assert.deepEqual(await channel('add', 'example.com', 'Partners', ...where), [PARTNERS]);
    await showsUp(['AI Assistants', 'Paid Search', 'Partners']);
    assert.deepEqual(await channel('list', 'example.com'), [PARTNERS]);
    assert.deepEqual(await channel('remove', 'example.com', 'Partners'), []);
    await showsUp(['AI Assistants', 'Paid Search', 'Referral']);
  });

  it('are refused with what is allowed, and change nothing', async () => {
    const add = channel('add', 'example.com', 'X', '--where', 'colour is red');
    await assert.rejects(add, /"colour is red" is not a test.*source, medium/s);
    await assert.rejects(channel('remove', 'example.com', 'X'), /There is no custom channel X/);
    await assert.rejects(channel('list', 'absent.example'), /There is no site absent\.example/);
    assert.deepEqual(await channel('list', 'example.com'), []);
  });
});
