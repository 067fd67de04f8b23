import assert from 'node:assert/strict';
import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { ROOT } from '../../architecture/source-files.ts';
import { isMissing } from '../../run/is-missing.ts';
import { addCaller } from '../../server/caller.ts';
import { MAIN } from '../../server/program.ts';
import { isReady, makeDataDir } from '../../server/start-server.ts';
import { waitUntil } from '../../server/wait-until.ts';

const UNIT = join(ROOT, 'deploy/tributary.service');
/** Of ten; below two, systemd calls a service safe. */
const EXPOSURE_MAX = 2;

describe('the unit of systemd', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-unit-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const unit = readFileSync(UNIT, 'utf8');
  const readUnit = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] ?? '';

  it('is one that systemd accepts, and calls safe', async (context) => {
    if (isMissing(context, '/usr/bin/systemd-analyze', 'systemd')) return;
    const copy = join(folder, 'tributary.service');
    // Where this test runs, the program is elsewhere.
    writeFileSync(copy, unit.replace('/usr/local/bin/tributary', process.execPath));
    const analyze = (...args: string[]) => promisify(execFile)('systemd-analyze', args);
    const { stderr } = await analyze('verify', '--man=no', copy);
    assert.doesNotMatch(stderr, /tributary\.service/);
    const { stdout } = await analyze('security', '--offline=true', '--no-pager', copy);
    const [, exposure] = /exposure level for \S+: ([\d.]+)/.exec(stdout) ?? [];
    assert.ok(Number(exposure) <= EXPOSURE_MAX, `exposure ${exposure}`);
  });

  it('allows every system call that the server makes, and every family of addresses', async (context) => {
    if (isMissing(context, '/usr/bin/strace', 'strace')) return;
    if (isMissing(context, '/usr/bin/systemd-analyze', 'systemd')) return;
    const allowed = expand(readUnit('SystemCallFilter'));
    const { calls, families } = await traceServer(
      folder,
      readUnit('ExecStart').split(' ').slice(1),
    );
    assert.ok(calls.size > 50, `${calls.size} calls`);
    assert.deepEqual(
      [...calls].filter((call) => !allowed.has(call)),
      [],
    );
    const open = readUnit('RestrictAddressFamilies').split(' ');
    assert.deepEqual(
      [...families].filter((family) => !open.includes(family)),
      [],
    );
  });
});

/** The system calls of a group, and of the groups in it. */
function expand(group: string): Set<string> {
  const lines = execFileSync('systemd-analyze', ['syscall-filter', '--no-pager', group], {
    encoding: 'utf8',
  }).split('\n');
  const names = lines
    .map((line) => line.trim())
    .filter((line) => /^@?[\w-]+$/.test(line) && line !== group);
  return new Set(names.flatMap((name) => (name.startsWith('@') ? [...expand(name)] : [name])));
}

/** Starts a server, reports and asks through it, stops it. Returns what it asked of the system. */
async function traceServer(folder: string, args: readonly string[]) {
  const dataDir = makeDataDir();
  const trace = join(folder, 'trace');
  const main = [process.execPath, MAIN, ...args, '--json'];
  const env = { ...process.env, NODE_TEST_CONTEXT: undefined, DATA_DIR: dataDir, PORT: '0' };
  const strace = ['-f', '-qq', '-e', 'signal=none', '-e', 'verbose=none', '-s', '0', '-o', trace];
  const child = spawn('strace', [...strace, ...main], { env, stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = once(child, 'exit');
  const [line] = await once(child.stdout, 'data');
  const { url, pid } = JSON.parse(String(line)) as { url: string; pid: number };
  await waitUntil(
    () => isReady(url),
    (ready) => ready,
  );
  const caller = await addCaller(url, dataDir, 'shop.example');
  await caller.pageview('ada');
  await caller.payment({
    transaction_id: 'tx-1',
    amount: 1,
    currency: 'USD',
    service_visitor_id: 'ada',
  });
  const ask = async () => (await caller.query({ metrics: ['visits'] })).body;
  await waitUntil(ask, (body) => JSON.stringify(body).includes('[1]'));
  process.kill(pid, 'SIGTERM');
  await ended;
  rmSync(dataDir, { recursive: true });
  const traced = readFileSync(trace, 'latin1');
  return {
    calls: new Set([...traced.matchAll(/^\d+ +(\w+)\(/gm)].map(([, name = '']) => name)),
    families: new Set([...traced.matchAll(/ socket\((AF_\w+)/g)].map(([, name = '']) => name)),
  };
}
