import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { before, describe, it } from 'node:test';
import type { InstallAnswer } from '#contract/sites/install.ts';
import { addSite, createKey, withLedgerOf } from '../../server/add-site.ts';
import { type Caller, callerOf } from '../../server/caller.ts';
import { MAIN } from '../../server/program.ts';
import { shareServer } from '../../server/share-server.ts';
import type { TestServer } from '../../server/start-server.ts';
import { connectOverHttp } from '../../server/tool-caller.ts';
import { waitUntil } from '../../server/wait-until.ts';

const SITE = 'install.example';

describe('what is installed', () => {
  let tributary: TestServer;
  let reader: string;
  let caller: Caller;

  before(async () => {
    tributary = await shareServer();
    await addSite(tributary.dataDir, SITE, { currency: 'EUR' });
    reader = await createKey(tributary.dataDir, SITE, ['stats:read']);
  });

  async function ask(): Promise<InstallAnswer> {
    const headers = { authorization: `Bearer ${reader}` };
    const answer = await fetch(`${tributary.url}/api/v1/install?site_id=${SITE}`, { headers });
    const body = (await answer.json()) as InstallAnswer;
    assert.equal(answer.status, 200, JSON.stringify(body));
    return body;
  }
  const command = (...args: readonly string[]) =>
    new Promise<{ code: number; stdout: string }>((resolve) => {
      const env = { ...process.env, DATA_DIR: tributary.dataDir };
      const child = execFile(
        process.execPath,
        [MAIN, 'verify-install', SITE, ...args],
        { env },
        (_, stdout) => resolve({ code: child.exitCode ?? -1, stdout }),
      );
    });
  const until = (isDone: (found: InstallAnswer) => boolean) => waitUntil(ask, isDone);

  it('is nothing at first: each finding has the line to add', async () => {
    const { installed, checks } = await ask();
    assert.equal(installed, false);
    assert.deepEqual(
      checks.map(({ name, ok }) => [name, ok]),
      [
        ['script', false],
        ['goals', false],
        ['payments', false],
      ],
    );
    const [script = '', goals = '', payments = ''] = checks.map(({ add = '' }) => add);
    assert.match(
      script,
      new RegExp(
        `^<script async data-site="${SITE}" src="${tributary.url}/\\w+/app.js"></script>$`,
      ),
    );
    assert.ok(goals.startsWith(`curl ${tributary.url}/api/v1/goals `), goals);
    assert.match(payments, /"currency": "EUR"/);
    assert.match(
      checks[1]?.message ?? '',
      /No key has the scope goals:write: run npm run tributary -- key create/,
    );
    const { code, stdout } = await command();
    assert.equal(code, 1);
    assert.match(stdout, /^MISSING script: No pageview in the last 30 days/);
    assert.match(stdout, /^ {2}<script async/m);
  });

  it('says which host was refused', async () => {
    caller = callerOf(tributary.url, SITE, await makeKey('prod'));
    await caller.post('/api/v1/events', {
      ...{ site: SITE, type: 'pageview', url: 'https://staging.elsewhere.example/' },
      service_visitor_id: 'ann',
    });
    const { checks } = await until(({ checks: [script] }) => /refused/.test(script?.message ?? ''));
    assert.match(checks[0]?.message ?? '', /Events from \*\.elsewhere\.example were refused/);
  });

  it('counts the script once a page was seen, and names it', async () => {
    await waitUntil(
      () => caller.pageview('ann', '/pricing?utm_source=newsletter'),
      ({ status }) => status === 200,
    );
    const { checks } = await until(({ checks: [script] }) => script?.ok === true);
    assert.match(checks[0]?.message ?? '', /^Last pageview \d+ s ago from \/pricing\./);
    assert.equal(checks[0]?.add, undefined);
  });

  it('names the last goal, and the key that it came by', async () => {
    await waitUntil(
      () => caller.goal('ann', 'signup'),
      ({ status }) => status === 200,
    );
    const { checks } = await until(({ checks: [, goals] }) =>
      /by the key/.test(goals?.message ?? ''),
    );
    assert.match(
      checks[1]?.message ?? '',
      /^Last goal signup \d+ (s|min) ago, from a backend, by the key prod\.$/,
    );
  });

  it('says why a payment is not attributed, and what one is attributed to', async () => {
    await caller.payment({ transaction_id: 'lost-1', amount: 1, currency: 'EUR' });
    const lost = await until(({ checks: [, , payments] }) =>
      /lost-1/.test(payments?.message ?? ''),
    );
    assert.match(lost.checks[2]?.message ?? '', /not attributed: Nothing leads to a visitor/);
    assert.deepEqual([lost.installed, lost.checks[2]?.ok], [false, false]);
    await caller.payment({
      ...{ transaction_id: 'tx-1', amount: 9, currency: 'EUR', service_visitor_id: 'ann' },
    });
    const { installed, checks } = await until(({ checks: [, , payments] }) =>
      /newsletter/.test(payments?.message ?? ''),
    );
    assert.match(
      checks[2]?.message ?? '',
      /^Last payment tx-1 \(9\.00 EUR\) \d+ s ago, attributed to newsletter\.$/,
    );
    assert.equal(installed, true);
  });

  it('is the same for the command and for an assistant', async () => {
    const still = ({ checks }: InstallAnswer) =>
      checks.map(({ name, ok, message }) => [
        name,
        ok,
        message.replaceAll(/\d+ (s|min)/g, 'some time'),
      ]);
    const expected = still(await ask());
    const { code, stdout } = await command('--json');
    assert.equal(code, 0);
    assert.deepEqual(still(JSON.parse(stdout)), expected);
    const assistant = await connectOverHttp(tributary.url, reader);
    assert.deepEqual(still(await assistant.call('verify_install')), expected);
    await assistant.close();
  });

  it('is explained to whoever asks for /llms.txt, with the address of this server', async () => {
    const answer = await fetch(`${tributary.url}/llms.txt`);
    assert.match(answer.headers.get('content-type') ?? '', /^text\/plain; charset=utf-8$/);
    const text = await answer.text();
    assert.match(text, /^# Tributary\n\n> /);
    for (const path of [
      'js/script.js',
      'api/v1/goals',
      'api/v1/payments',
      'openapi.json',
      'docs',
    ]) {
      assert.ok(text.includes(`${tributary.url}/${path}`), path);
    }
    assert.doesNotMatch(text, /undefined/);
  });

  function makeKey(name: string): Promise<string> {
    return withLedgerOf(tributary.dataDir, async (ledger) => {
      const siteId = ledger.findSite(SITE)?.id ?? '';
      const scopes = ['goals:write', 'payments:write', 'events:write'] as const;
      return (await ledger.createKey({ siteId, name, scopes, expiresAt: undefined })).key;
    });
  }
});
