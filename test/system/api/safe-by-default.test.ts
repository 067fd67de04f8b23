import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmodSync, globSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { SCOPES } from '#domain/site/scope.ts';
import { addCaller } from '../../server/caller.ts';
import { MAIN } from '../../server/program.ts';
import { type Api, readApi } from '../../server/read-api.ts';
import { makeDataDir, runCli, startServer, type TestServer } from '../../server/start-server.ts';

type Refused = { readonly error: { readonly message: string } };

describe('safe by default', () => {
  const folder = makeDataDir();
  const dataDir = join(folder, 'data');
  let tributary: TestServer;
  let umask: number;

  before(async () => {
    umask = process.umask(0o022); // As on most machines.
    mkdirSync(dataDir);
    tributary = await startServer({ dataDir, env: { TRUST_PROXY: '127.0.0.1' } });
  });
  after(async () => {
    await tributary?.stop();
    process.umask(umask);
    rmSync(folder, { recursive: true });
  });

  it('every file of every process is for its owner alone', async () => {
    const caller = await addCaller(tributary.url, dataDir, 'files.example');
    await caller.pageview('a-person');
    await caller.payment({ amount: 1, currency: 'EUR', transaction_id: 'order-1' });
    const paths = [dataDir, ...globSync('**', { cwd: dataDir }).map((path) => join(dataDir, path))];
    const open = paths.filter((path) => ((statIfThere(path)?.mode ?? 0) & 0o077) !== 0);
    assert.deepEqual(open, []);
    assert.equal(statSync(dataDir).mode & 0o777, 0o700);
    assert.equal(statSync(join(dataDir, 'ledger.db')).mode & 0o777, 0o600);
    assert.ok(paths.some((path) => path.includes('/warehouse/store/')));
  });

  it('a folder that holds other things keeps the rights that it has, and the log says so', async () => {
    const shared = join(folder, 'shared');
    mkdirSync(join(shared, 'of-others'), { recursive: true });
    chmodSync(shared, 0o755);
    const server = await startServer({
      ...{ dataDir: shared, env: { BASE_URL: 'https://stats.example' } },
    });
    assert.match(await scriptOf('a.example', shared), / src="https:\/\/stats\.example\//);
    await server.stop();
    assert.equal(statSync(shared).mode & 0o777, 0o755);
    assert.match(server.said(), /Other users of this machine can read DATA_DIR/);
  });

  it('a command names the address of the server that runs', async () => {
    const script = await scriptOf('named.example', dataDir);
    assert.ok(script.includes(` src="${tributary.url}/`), script);
  });

  it('a name that looks like a setting’s is named at start', () => {
    assert.match(tributary.said(), /TRUST_PROXY is not a setting. Did you mean TRUSTED_PROXIES\?/);
    assert.equal(tributary.said().match(/is not a setting/g)?.length, 1);
  });

  it('a command that begins new data beside a running server says so', async () => {
    const run = (dir: string, domain: string) =>
      promisify(execFile)(process.execPath, [MAIN, 'site', 'add', domain, '--json'], {
        env: { ...process.env, DATA_DIR: dir, PORT: '0' },
      });
    const elsewhere = await run(join(folder, 'new'), 'a.example');
    assert.match(elsewhere.stderr, /DATA_DIR .*\/new is new, but a server runs on .*\/data/);
    assert.equal(JSON.parse(elsewhere.stdout).domain, 'a.example');
    assert.equal((await run(join(folder, 'new'), 'b.example')).stderr, '');
    assert.equal((await run(dataDir, 'c.example')).stderr, '');
  });

  it('the metrics take a key of their own kind, from this machine too, which opens nothing else', async () => {
    assert.equal(await askMetrics({}), 401);
    assert.equal(await askMetrics({ host: 'localhost' }), 401);
    const { key: ofSite } = await createKey('--site', await addSite('metrics.example'));
    assert.equal(await askMetrics({ authorization: `Bearer ${ofSite}` }), 403);
    const { key } = await createKey('--metrics');
    const authorization = `Bearer ${key}`;
    assert.equal(await askMetrics({ authorization }), 200);
    const drops = await fetch(`${tributary.url}/api/v1/drops`, { headers: { authorization } });
    assert.equal(drops.status, 403);
    const listed = await runCli<{ site: string | null; scopes: string[] }[]>(
      ['key', 'list'],
      dataDir,
    );
    const [found] = listed.filter(({ site }) => site === null);
    assert.deepEqual(found?.scopes, ['metrics:read']);
  });

  it('every route tells a key which scope it lacks', async () => {
    const { key } = await createKey(
      '--site',
      await addSite('kinds.example'),
      '--scopes',
      'goals:write',
    );
    const headers = { authorization: `Bearer ${key}` };
    const ask = async (path: string) => {
      const answer = await fetch(`${tributary.url}${path}`, { headers });
      return `${answer.status} ${((await answer.json()) as Refused).error.message}`;
    };
    assert.equal(
      await ask('/metrics'),
      '403 The key lacks the scope metrics:read. Make one with `tributary key create --metrics`.',
    );
    assert.equal(await ask('/api/v1/drops'), '403 The key lacks the scope stats:read.');
    const { paths } = await readApi(tributary.url);
    const ofPeople = Object.entries(paths).flatMap(([path, { get }]) =>
      get?.security?.length && get.security.every((each) => 'session' in each)
        ? [path.replace('{id}', 'kinds.example')]
        : [],
    );
    assert.ok(ofPeople.length > 8, ofPeople.join());
    for (const path of ofPeople) {
      assert.match(
        await ask(path),
        /^403 Keys cannot do this\. Only a signed-in user can\.$/,
        path,
      );
    }
  });

  it('senders of other tools are told what to use instead', async () => {
    const ask = async (path: string, method = 'POST') => {
      const answer = await fetch(`${tributary.url}${path}`, { method });
      return `${answer.status} ${((await answer.json()) as Refused).error.message}`;
    };
    for (const path of [
      ...['/api/event', '/api/send', '/matomo.php?idsite=1', '/piwik.php', '/g/collect?v=2'],
      ...['/collect', '/count', '/api/collect', '/hit'],
    ]) {
      assert.match(
        await ask(path),
        /^404 .* Use Tributary's script .* POST \/api\/v1\/events\.$/,
        path,
      );
    }
    assert.match(await ask('/matomo.php?idsite=1', 'GET'), /^404 .* Use Tributary's script/);
    assert.match(await ask('/api/v1/stats/aggregate', 'GET'), /^404 .*v1 is not supported\.$/);
    assert.match(await ask('/api/events'), /^404 .* See \/docs for the API\.$/);
  });

  it('a key that names another site is refused by every endpoint', async () => {
    const { key } = await createKey(
      ...['--site', await addSite('one.example'), '--scopes', SCOPES.join(',')],
    );
    await addSite('two.example');
    const { paths } = await readApi(tributary.url);
    const asked = ['two.example', 'nowhere.example'].flatMap((site) => requestsTo(paths, site));
    assert.ok(asked.length > 60, `${asked.length}`);
    for (const { method, path, body } of asked) {
      const answer = await fetch(`${tributary.url}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${key}`,
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body }),
      });
      assert.equal(answer.status, 403, `${method} ${path} ${body}: ${await answer.text()}`);
    }
  });

  async function scriptOf(domain: string, dir: string): Promise<string> {
    return (await runCli<{ script: string }>(['site', 'add', domain], dir)).script;
  }

  async function addSite(domain: string): Promise<string> {
    await runCli(['site', 'add', domain], dataDir);
    return domain;
  }

  function createKey(...args: string[]): Promise<{ key: string }> {
    return runCli(['key', 'create', ...args], dataDir);
  }

  /** Not `fetch`, which sets the Host header itself. */
  function askMetrics(headers: Record<string, string>): Promise<number | undefined> {
    return new Promise((resolve, reject) => {
      const asked = request(`${tributary.url}/metrics`, { headers }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      });
      asked.on('error', reject).end();
    });
  }
});

/** Each operation that takes a key, with the site in the address, and in the body if it has one. */
function requestsTo(paths: Api['paths'], site: string) {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const keyed = operations.filter(({ operation }) => {
    return operation.security?.some((each) => 'key' in each);
  });
  return keyed.flatMap(({ path, method, operation }) => {
    const filled = path.replace(/\{\w+\}/, 'a-person');
    const media = Object.values(operation.requestBody?.content ?? {})[0];
    const bodyWith = (more: object) => media && JSON.stringify({ ...media.example, ...more });
    const of = { method: method.toUpperCase() };
    return [
      { ...of, path: `${filled}?site_id=${site}`, body: bodyWith({}) },
      ...(media ? [{ ...of, path: filled, body: bodyWith({ site_id: site }) }] : []),
    ];
  });
}

function statIfThere(path: string) {
  return statSync(path, { throwIfNoEntry: false }); // The engine drops merged parts.
}
