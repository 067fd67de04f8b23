import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { MAIN } from '../../server/program.ts';
import { makeDataDir } from '../../server/start-server.ts';

const COSTS = 'date,source,medium,campaign,amount,currency\n2026-09-01,google,cpc,autumn,5,EUR\n';
const PAYMENTS = 'transaction_id,amount,currency,timestamp\np1,20,JPY,2026-10-01\n';

describe('a command', () => {
  let dataDir: string;
  before(() => {
    dataDir = makeDataDir();
    run(['site', 'add', 'tea.example', '--timezone', 'Asia/Tokyo', '--currency', 'JPY']);
  });
  after(() => rmSync(dataDir, { recursive: true }));

  /** `tributary …` as a person runs it, in the data directory. */
  function run(args: readonly string[], input = '', more: Readonly<Record<string, string>> = {}) {
    const env = { ...process.env, DATA_DIR: dataDir, ...more };
    return spawnSync(process.execPath, [MAIN, ...args], {
      ...{ cwd: dataDir, env, input, encoding: 'utf8' },
    });
  }
  const ofSite = (...args: string[]) => [...args, '--site', 'tea.example'];

  it('prints a line that takes an import of costs back as it is', () => {
    const { stdout } = run(ofSite('cost', 'import', '-'), COSTS);
    const next = /npm run tributary -- (cost remove \S+ --site \S+)$/m.exec(stdout)?.[1] ?? '';
    assert.match(run(next.split(' ')).stdout, /^Removed 1 cost\.$/m);
  });

  it('says which days of the site a file of payments covers', () => {
    const { stdout } = run(ofSite('payment', 'import', '-', '--dry-run'), PAYMENTS);
    assert.match(stdout, /from 2026-10-01 to 2026-10-01\.$/m);
  });

  it('copies a ledger to no folder that was meant to be a database', () => {
    const { status, stderr } = run(['ledger', 'copy', '--to', 'postgress://me:secret@host/db']);
    assert.deepEqual([status, existsSync(`${dataDir}/postgress:`)], [1, false]);
    assert.match(stderr, /a URL that begins with postgres:\/\/, or a folder\.$/m);
    assert.doesNotMatch(stderr, /secret/);
  });

  it('names the folder of an export that is missing', () => {
    const { status, stderr } = run(ofSite('export', 'visits', '--out', 'none/visits.csv'));
    assert.equal(status, 1);
    assert.match(stderr, /There is no folder none\./m);
  });

  it('says why a database cannot be used, and what to check', () => {
    const env = { DATABASE_URL: 'postgres://me:secret@127.0.0.1:1/tributary' };
    const why = /cannot be used right now\. connect ECONNREFUSED 127\.0\.0\.1:1/;
    const listed = run(['site', 'list'], '', env);
    assert.deepEqual([listed.status, why.test(listed.stderr)], [1, true], listed.stderr);
    const { stdout } = run(['doctor'], '', env);
    const faults = stdout.split('\n').filter((line) => line.startsWith('FAULT'));
    assert.deepEqual([faults.length, why.test(faults[0] ?? '')], [1, true], stdout);
    assert.match(stdout, /Check DATABASE_URL, that PostgreSQL is running/);
    assert.doesNotMatch(`${stdout}${listed.stderr}`, /secret/);
  });

  it('says that an erasure found nothing, as of an id that is no visitor’s', () => {
    const { status, stdout } = run(ofSite('visitor', 'delete', 'customer-7'));
    assert.equal(status, 0);
    assert.match(stdout, /^Nothing was stored about customer-7: .*service_visitor_id\.$/m);
  });

  it('separates one visitor, and takes no scope that it would leave out', () => {
    const { status, stderr } = run(ofSite('visitor', 'separate', 'anna', '--scope', 'person'));
    assert.equal(status, 2);
    assert.match(stderr, /unknown option '--scope'/);
  });

  it('says where the webhook is set that a test alert would need', () => {
    assert.match(run(ofSite('alert', 'test')).stderr, /Settings → Mail and alerts/);
  });
});
