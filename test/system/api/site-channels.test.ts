import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { addCaller, type Caller } from '../../server/caller.ts';
import { shareServer } from '../../server/share-server.ts';
import { runCli, type TestServer } from '../../server/start-server.ts';
import { waitUntil } from '../../server/wait-until.ts';

const PARTNERS = {
  name: 'Partners',
  where: [{ field: 'source', op: 'is', value: 'kettle.example' }],
};

describe('a site’s own channels, by the command line', () => {
  let server: TestServer;
  let caller: Caller;
  before(async () => {
    server = await shareServer();
    caller = await addCaller(server.url, server.dataDir, 'channels.example');
    await caller.pageview('ada', '/?utm_source=kettle.example');
    await caller.pageview('ben', '/?utm_source=google&utm_medium=cpc');
    await caller.pageview('cleo', '/?utm_source=chatgpt.com');
  });

  const channel = (...args: string[]) =>
    runCli<unknown>(['site', 'channel', ...args], server.dataDir);

  /** Waits, because a server learns of a change within a second. */
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
    assert.deepEqual(await channel('add', 'channels.example', 'Partners', ...where), [PARTNERS]);
    await showsUp(['AI Assistants', 'Paid Search', 'Partners']);
    assert.deepEqual(await channel('list', 'channels.example'), [PARTNERS]);
    assert.deepEqual(await channel('remove', 'channels.example', 'Partners'), []);
    await showsUp(['AI Assistants', 'Paid Search', 'Referral']);
  });

  it('are refused with what is allowed, and change nothing', async () => {
    const add = channel('add', 'channels.example', 'X', '--where', 'colour is red');
    await assert.rejects(add, /"colour is red" is not a test.*source, medium/s);
    await assert.rejects(
      channel('remove', 'channels.example', 'X'),
      /There is no custom channel X/,
    );
    await assert.rejects(channel('list', 'absent.example'), /There is no site absent\.example/);
    assert.deepEqual(await channel('list', 'channels.example'), []);
  });
});
