import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import Stripe from 'stripe';
import { createStripeStub } from '../../../examples/stubs/stripe.ts';
import { ROOT, readDoc } from '../../architecture/source-files.ts';
import { type HistoryStub, startHistoryStub } from '../../providers/stub-of-history.ts';
import { addSite, createKey } from '../../server/add-site.ts';
import { type Caller, callerOf } from '../../server/caller.ts';
import { runCli, startServer, type TestServer } from '../../server/start-server.ts';
import { waitUntil } from '../../server/wait-until.ts';
import { isText } from './match-shown.ts';
import { type Block, readBlocks } from './read-examples.ts';

const SITE = 'example.com';
const SECRET = 'whsec_5f1c2a9e7b3d4f60a1b2c3d4';
const KEY = 'rk_live_5f1c2a9e7b3d4f60';
/** The page names the address of a server of its own. */
const ADDRESS = 'https://hi.example.com';

describe('Stripe in ten minutes, step by step', () => {
  const blocks = readBlocks(readDoc('docs/providers/stripe.md'));
  const stops: (() => unknown)[] = [];
  let server: TestServer;
  let caller: Caller;
  let history: HistoryStub;
  let stripeUrl: string;
  let id = '';

  before(async () => {
    history = await startHistoryStub('stripe');
    history.isAnyTime = true;
    server = await startServer({ env: { TRUSTED_PROVIDER_APIS: history.url } });
    stops.push(server.cleanUp, server.stop, history.stop);
    await addSite(server.dataDir, SITE, { currency: 'EUR' });
    caller = callerOf(server.url, SITE, await createKey(server.dataDir, SITE));
  });
  after(async () => {
    for (const stop of stops.reverse()) await stop();
  });

  it('connects, and shows the address and the line', async () => {
    const said = await follow('connect', '');
    id = /conn_\w+/.exec(said)?.[0] ?? '';
    const stub = createStripeStub({ url: `${server.url}/webhooks/${id}`, secret: SECRET });
    stripeUrl = await listen(stub);
  });

  it('takes the signing secret', async () => {
    await follow('rotate', SECRET);
  });

  it('carries the visitor id into a payment, by the code of the page', async () => {
    await caller.pageview('visitor-1', '/?utm_source=newsletter');
    const { protocol, hostname: host, port } = new URL(stripeUrl);
    assert.equal(protocol, 'http:');
    const stripe = new Stripe('sk_live_of_nobody', { protocol: 'http', host, port });
    const code = blocks.find(({ language }) => language === 'js')?.text ?? '';
    const run = `return (async () => {\n${code}\nreturn session;\n})()`;
    const session = await new Function('stripe', 'cookies', run)(stripe, {
      service_visitor_id: 'visitor-1',
    });
    await fetch(session.url, { method: 'POST', redirect: 'manual' });
    const query = { metrics: ['revenue'], dimensions: ['visit:source'] };
    await waitUntil(
      () => caller.query(query),
      ({ body }) => JSON.stringify(body).includes('["newsletter"],"metrics":[{"value":"29.99"'),
    );
  });

  it('passes the test', async () => {
    await follow('test', '');
  });

  it('says that the payment found its visitor', async () => {
    await follow('show', '');
  });

  it('reads the history with a key', async () => {
    const set = ['--set', `base_url=${history.url}`, '--api-key', KEY];
    await runCli(['provider', 'rotate', id, ...set], server.dataDir);
    await follow('rotate', KEY);
    await follow('backfill', '');
    const { payments } = await runCli<{ payments: { all: number } }>(
      ['provider', 'show', id],
      server.dataDir,
    );
    assert.equal(payments.all, 1 + history.adds.length);
  });

  it('has no other command', () =>
    assert.deepEqual(
      blocks.filter(({ language }) => language === 'sh'),
      [],
    ));

  /** Runs the page's next command as it is, types what it asks for, and compares what it says with the page. */
  async function follow(name: string, typed: string): Promise<string> {
    const at = blocks.findIndex(({ language }) => language === 'sh');
    const [command, shown] = blocks.splice(0, at + 2).slice(at) as [Block, Block | undefined];
    if (shown?.language !== 'text' && shown !== undefined) blocks.unshift(shown);
    assert.match(command.text, new RegExp(`provider ${name} `));
    const said = await run(command.text.replaceAll('conn_…', id), typed);
    if (shown?.language !== 'text') return said;
    const expected = shown.text.replaceAll(ADDRESS, server.url);
    assert.ok(isText(expected.trim(), said.trim()), `shown:\n${expected}\n\nsaid:\n${said}`);
    return said;
  }

  function run(command: string, typed: string): Promise<string> {
    const { dataDir, url } = server;
    const env = { ...process.env, DATA_DIR: dataDir, BASE_URL: url, LOG_LEVEL: 'warn' };
    const trusted = { NODE_TEST_CONTEXT: undefined, TRUSTED_PROVIDER_APIS: history.url };
    return new Promise((resolve, reject) => {
      const options = { cwd: ROOT, env: { ...env, ...trusted } };
      const child = execFile('sh', ['-c', command], options, (error, stdout, stderr) => {
        if (error) reject(new Error(`${command}\n${stderr}${stdout}`));
        else resolve(stdout);
      });
      child.stdin?.end(typed === '' ? '' : `${typed}\n`);
    });
  }

  async function listen(stub: Server): Promise<string> {
    stub.listen(0, '127.0.0.1');
    await once(stub, 'listening');
    stops.push(() => {
      stub.closeAllConnections();
      stub.close();
    });
    return `http://127.0.0.1:${(stub.address() as AddressInfo).port}`;
  }
});
