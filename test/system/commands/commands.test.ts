import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { dataPathsOf } from '#processes/paths.ts';
import { takeProcessLock } from '#warehouse/engine/process-lock.ts';
import { ROOT } from '../../architecture/source-files.ts';
import { MAIN } from '../../server/program.ts';
import { makeDataDir, runCli } from '../../server/start-server.ts';

let dataDir: string;

beforeEach(() => {
  dataDir = makeDataDir();
});

afterEach(() => rmSync(dataDir, { recursive: true }));

type Ran = { readonly code: number; readonly stdout: string; readonly stderr: string };

/** Servers that other tests run at the same time, on data of their own. */
const OF_OTHER_TESTS = /^tributary: DATA_DIR .* is new, but a server runs on .*\n/;

/** One command as a shell runs it. */
function run(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ran> {
  const options = { env: { ...process.env, DATA_DIR: dataDir, ...env } };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [MAIN, ...args], options, (_, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr: stderr.replace(OF_OTHER_TESTS, '') }),
    );
    child.stdin?.end();
  });
}

const cli = <T>(...args: string[]): Promise<T> => runCli<T>(args, dataDir);

type SiteAnswer = { id: string; domain: string; timezone: string; currency: string };
type KeyAnswer = { id: string; key: string; state: string; scopes: string[]; expires_at: string };

describe('the program', () => {
  it('prints its version', async () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    assert.equal((await run(['--version'])).stdout, `${version}\n`);
  });
});

describe('the command site', () => {
  it('adds, lists and removes sites', async () => {
    const added = await cli<SiteAnswer>('site', 'add', 'Example.com', '--currency', 'eur');
    assert.match(added.id, /^site_/);
    assert.equal(added.domain, 'example.com');
    assert.equal(added.currency, 'EUR');
    assert.deepEqual(await cli('site', 'list'), [added]);
    assert.deepEqual(await cli('site', 'remove', 'example.com', '--yes'), {
      id: added.id,
      domain: 'example.com',
      removed: true,
    });
    assert.deepEqual(await cli('site', 'list'), []);
  });

  it('asks before it removes, and says what happens to data', async () => {
    const { id } = await cli<SiteAnswer>('site', 'add', 'example.com');
    const { code, stderr } = await run(['site', 'remove', 'example.com']);
    assert.equal(code, 1);
    assert.match(stderr, new RegExp(`visitor delete ID --site ${id}[^]*Add --yes`));
    assert.equal((await cli<SiteAnswer[]>('site', 'list')).length, 1);
  });

  it('changes what a site is', async () => {
    await cli('site', 'add', 'example.com');
    const to = ['--domain', 'shop.example', '--name', 'Shop', '--timezone', 'Asia/Tokyo'];
    const set = await cli<SiteAnswer & { name: string }>('site', 'set', 'example.com', ...to);
    assert.deepEqual([set.domain, set.name, set.timezone], ['shop.example', 'Shop', 'Asia/Tokyo']);
    const { stdout } = await run(['site', 'set', 'shop.example', '--domain', 'new.example']);
    assert.match(stdout, /Replace the tag on its pages: {2}<script async data-site="new\.example"/);
  });

  it('says which command makes a key for the new site', async () => {
    const { stdout } = await run(['site', 'add', 'example.com']);
    assert.match(stdout, /npm run tributary -- key create --site example\.com$/m);
  });

  it('prints the tag of a site’s own script, with the address that is set', async () => {
    type Script = { domain: string; path: string; src: string; tag: string };
    const { script } = await cli<{ script: string }>('site', 'add', 'example.com');
    const { path, src, tag } = await cli<Script>('site', 'script', 'example.com');
    assert.match(path, /^\/[bcdfghjkmnpqrtvw]{12}\/app\.js$/);
    assert.ok(src.startsWith('http://127.0.0.1:') && src.endsWith(path));
    assert.equal(tag, `<script async data-site="example.com" src="${src}"></script>`);
    assert.equal(script, tag);
    await cli('site', 'add', 'other.example');
    assert.notEqual((await cli<Script>('site', 'script', 'other.example')).path, path);
    const env = { BASE_URL: 'https://hi.example.com/' };
    const { stdout } = await run(['site', 'script', 'example.com'], env);
    const shown = `<script async data-site="example.com" src="https://hi.example.com${path}"></script>`;
    assert.equal(stdout.trim(), shown);
  });

  it('takes the zone, the currency and further hosts', async () => {
    const added = await cli<SiteAnswer & { allowed_hosts: string[] }>(
      ...['site', 'add', 'example.com', '--timezone', 'Asia/Kathmandu'],
      ...['--currency', 'NPR', '--allow', 'a.example', 'b.example'],
    );
    assert.equal(added.timezone, 'Asia/Kathmandu');
    assert.deepEqual(added.allowed_hosts, ['a.example', 'b.example']);
  });

  it('sets what a site chooses, and refuses what is no choice', async () => {
    await cli('site', 'add', 'example.com');
    type Set = { settings: Record<string, string>; allowed_hosts: string[] };
    const set = await cli<Set>('site', 'set', 'example.com', '--retention', '25mo');
    assert.deepEqual(set.settings, { retention: '25mo' });
    const hosts = ['--allow', 'shop.example', 'BLOG.example'];
    const allowed = await cli<Set>('site', 'set', 'example.com', ...hosts);
    assert.deepEqual(allowed.allowed_hosts, ['shop.example', 'blog.example']);
    assert.deepEqual(allowed.settings, { retention: '25mo' });
    const noHost = ['site', 'set', 'example.com', '--retention', '1d', '--allow', 'a b'];
    assert.match((await run(noHost)).stderr, /"a b" is not a host such as example\.com\./);
    const taken = await cli<Set>('site', 'set', 'example.com', '--allow', 'default');
    assert.deepEqual([taken.allowed_hosts, taken.settings], [[], { retention: '25mo' }]);
    const refused = await run(['site', 'set', 'example.com', '--retention', 'soon']);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /--retention must be a time from 1d to 20y/);
    const masked = await run(['site', 'set', 'example.com', '--mask-paths', 'orders']);
    assert.match(masked.stderr, /--mask-paths must be at most 20 paths/);
  });
});

describe('the command key', () => {
  beforeEach(() => cli('site', 'add', 'example.com'));

  it('creates a key that may do all but delete visitors', async () => {
    const created = await cli<KeyAnswer>('key', 'create', '--site', 'example.com');
    assert.match(created.key, /^trib_[0-9A-Za-z]{49}$/);
    assert.equal(created.state, 'live');
    assert.deepEqual(created.scopes, [
      ...['goals:write', 'payments:write', 'events:write', 'stats:read', 'visitors:read'],
    ]);
  });

  it('lists keys without the keys themselves', async () => {
    const { id, key } = await cli<KeyAnswer>('key', 'create', '--site', 'example.com');
    const listed = await run(['key', 'list', '--site', 'example.com', '--json']);
    assert.equal(JSON.parse(listed.stdout)[0].id, id);
    assert.ok(!listed.stdout.includes(key.slice(9, -4)));
  });

  it('limits what a key may do and for how long', async () => {
    const options = ['--scopes', 'stats:read,goals:write', '--expires', '90d', '--name', 'CI'];
    const created = await cli<KeyAnswer>('key', 'create', '--site', 'example.com', ...options);
    assert.deepEqual(created.scopes, ['goals:write', 'stats:read']);
    const days = (Date.parse(created.expires_at) - Date.now()) / 86_400_000;
    assert.ok(days > 89.9 && days <= 90);
  });

  it('rotates and revokes', async () => {
    const old = await cli<KeyAnswer>('key', 'create', '--site', 'example.com');
    const fresh = await cli<KeyAnswer>('key', 'rotate', old.id, '--overlap', '1h');
    assert.notEqual(fresh.key, old.key);
    assert.equal((await cli<KeyAnswer>('key', 'revoke', old.id)).state, 'revoked');
    const states = (await cli<KeyAnswer[]>('key', 'list')).map(({ state }) => state);
    assert.deepEqual(states.toSorted(), ['live', 'revoked']);
  });
});

describe('the command provider', () => {
  it('says what to do next, and names no events where none can be chosen', async () => {
    await cli('site', 'add', 'example.com');
    const connect = (name: string) => run(['provider', 'connect', name, '--site', 'example.com']);
    const gumroad = await connect('gumroad');
    assert.doesNotMatch(gumroad.stdout, /Events:/);
    assert.match(gumroad.stdout, /\n\nThen: .* provider rotate conn_\w+ --set seller_id=…\n$/);
    const { stdout } = await connect('mollie');
    assert.match(stdout, /Events: payment\.paid, /);
    assert.match(stdout, /\n\nThen: .* provider rotate conn_\w+ --signing-secret -\n$/);
  });

  it('changes nothing for an empty secret, and asks for it by the name that the provider has', async () => {
    await cli('site', 'add', 'example.com');
    const connect = ['provider', 'connect', 'paypal', '--site', 'example.com'];
    const { id } = await cli<{ id: string }>(...connect);
    const { code, stderr } = await run(['provider', 'rotate', id]);
    assert.equal(code, 1);
    assert.match(stderr, /The Webhook ID is empty, so nothing was changed\./);
    const both = await run(['provider', 'rotate', id, '--signing-secret', '-', '--api-key', '-']);
    assert.match(both.stderr, /Only one secret is read from stdin/);
  });
});

describe('the command verify-install', () => {
  it('says what is missing without a running server, with the lines to add', async () => {
    await cli('site', 'add', 'example.com');
    const { code, stdout } = await run(['verify-install', 'example.com'], {
      BASE_URL: 'https://hi.example.com',
    });
    assert.equal(code, 1);
    assert.deepEqual(stdout.match(/^(MISSING|ok) +\w+/gm), [
      ...['MISSING script', 'MISSING goals', 'MISSING payments'],
    ]);
    assert.match(
      stdout,
      /^ {2}<script async data-site="example\.com" src="https:\/\/hi\.example\.com\//m,
    );
    assert.match(stdout, /^ {2}curl https:\/\/hi\.example\.com\/api\/v1\/payments /m);
  });
});

describe('every command', () => {
  const wrongUsages = [
    ['nonsense'],
    ['site'],
    ['site', 'add'],
    ['site', 'add', 'a.example', 'b.example'],
    ['key', 'create'],
    ['key', 'create', '--site', 'example.com', '--scopes', 'all'],
    ['key', 'create', '--site', 'example.com', '--expires', 'soon'],
    ['serve', '--nonsense'],
    ['verify-install'],
    ['mcp'],
    ['mcp', '--url', 'ftp://hi.example.com'],
    ['mcp', '--url', 'http://127.0.0.1:9'],
  ];
  for (const args of wrongUsages) {
    it(`exits with 2 for the wrong usage "${args.join(' ')}", and says why`, async () => {
      const { code, stdout, stderr } = await run(args);
      assert.equal(code, 2);
      assert.equal(stdout, '');
      assert.notEqual(stderr, '');
    });
  }

  for (const [expires, why] of [
    ['0d', /at least 1s/],
    ['101y', /at most 100 years/],
    ['99999999999999999999d', /at most 100 years/],
  ] as const) {
    it(`says of a key that expires in ${expires} what it may be`, async () => {
      const { code, stderr } = await run(['key', 'create', '--site', 'a', '--expires', expires]);
      assert.equal(code, 2);
      assert.match(stderr, why);
    });
  }

  const errors = [
    [['site', 'add', 'not a domain'], /is not a domain/],
    [['site', 'add', 'example.com', '--currency', 'BTC'], /is not an ISO 4217 currency/],
    [
      ['site', 'remove', 'example.com', '--yes'],
      /There is no site example\.com; add it with "npm run tributary -- site add/,
    ],
    [['key', 'create', '--site', 'example.com'], /There is no site example\.com/],
    [['key', 'revoke', 'key_1'], /There is no key key_1; "npm run tributary -- key list" lists/],
    [['key', 'rotate', 'key_1'], /There is no key key_1/],
  ] as const;
  for (const [args, message] of errors) {
    it(`exits with 1 for the error of "${args.join(' ')}", in one line`, async () => {
      const { code, stdout, stderr } = await run([...args, '--json']);
      assert.equal(code, 1);
      assert.equal(stdout, '');
      assert.match(stderr, message);
      assert.equal(stderr.trimEnd().split('\n').length, 1);
    });
  }

  it('exits with 1 for an invalid setting, and names it', async () => {
    const { code, stderr } = await run(['site', 'list'], { CONNECTIONS_MAX: 'many' });
    assert.equal(code, 1);
    assert.match(
      stderr,
      /CONNECTIONS_MAX is many; allowed is a whole number of connections, at least 1/,
    );
  });

  for (const command of ['verify', 'rebuild']) {
    it(`exits with 1 for ${command} in a folder that cannot be written to, and names DATA_DIR`, async () => {
      const { code, stderr } = await run([command], { DATA_DIR: '/proc/nowhere' });
      assert.equal(code, 1);
      assert.match(
        stderr,
        /DATA_DIR is \/proc\/nowhere; allowed is the path of a folder that this/,
      );
    });
  }

  it('exits with 1 for serve where a server or a command is at work, and says so', async () => {
    const lock = takeProcessLock(dataPathsOf(dataDir).serveLock, 0);
    const { code, stderr } = await run(['serve'], { PORT: '0' });
    lock?.release();
    assert.equal(code, 1);
    assert.match(
      stderr,
      /already running on .*, or a command such as verify or rebuild is using it/,
    );
  });

  it('ends quietly when nobody reads on', async () => {
    const child = spawn(process.execPath, [MAIN, '--help'], {
      env: { ...process.env, DATA_DIR: dataDir },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.destroy();
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    assert.equal(stderr, '');
    assert.equal(code, 0);
  });

  for (const args of [[], ['site'], ['site', 'add'], ['key'], ['key', 'rotate'], ['serve']]) {
    it(`explains "${args.join(' ')} --help" on stdout`, async () => {
      const { code, stdout, stderr } = await run([...args, '--help']);
      assert.equal(code, 0);
      assert.equal(stderr, '');
      assert.match(stdout, /^Usage: tributary/);
    });
  }
});
