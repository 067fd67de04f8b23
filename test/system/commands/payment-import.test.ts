import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { openLedger } from '#ledger/open-ledger.ts';
import { dataPathsOf } from '#processes/paths.ts';
import { MAIN } from '../../server/program.ts';
import { makeDataDir } from '../../server/start-server.ts';

const GOOD = `transaction_id,amount,currency,timestamp,email,refunded,original_transaction_id
p1,"1,234.50",EUR,2026-01-02T10:00:00Z,ann@example.com,,
p2,20,USD,2026-01-03T10:00:00Z,,,
r1,4.50,EUR,2026-01-04T10:00:00Z,,true,p1
`;
const BAD = `${GOOD}p3,1.234,EUR,2026-01-05,,maybe,
p1,1,EUR,2026-01-02T10:00:00Z,,,
`;

let dataDir: string;
let siteId: string;
beforeEach(async () => {
  dataDir = makeDataDir();
  const ledger = await openLedger({ location: dataPathsOf(dataDir).ledger });
  const site = { domain: 'tea.example', name: 'Tea', timezone: 'UTC', currency: 'EUR' };
  const added = await ledger.addSite({ ...site, allowedHosts: [] });
  assert.ok(added.ok);
  siteId = added.value.id;
  await ledger.close();
});
afterEach(() => rmSync(dataDir, { recursive: true }));

type Ran = { readonly code: number; readonly stdout: string; readonly stderr: string };

/** `tributary payment …` as a shell runs it. */
function payment(args: readonly string[], input?: string): Promise<Ran> {
  const env = { ...process.env, DATA_DIR: dataDir };
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [MAIN, 'payment', ...args],
      { env },
      (_, stdout, stderr) => resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    );
    child.stdin?.end(input);
  });
}

const importAs = (input: string, ...more: readonly string[]) =>
  payment(['import', '-', '--site', 'tea.example', '--json', ...more], input);

async function listPayments(): Promise<string[]> {
  const ledger = await openLedger({ location: dataPathsOf(dataDir).ledger });
  const listed = await ledger.listPayments(siteId, {}, { limit: 10 });
  await ledger.close();
  return listed.map(({ transactionId, record }) => `${transactionId} ${record.statedMinor}`);
}

const FAULTS = [
  { line: 5, column: 'refunded', message: 'must be true or false' },
  {
    ...{ line: 5, column: 'amount' },
    message: 'can be read in two ways: write 1234 or 1.23',
  },
  { line: 6, column: '', message: 'Transaction p1 is recorded with the amount 1234.50 EUR.' },
];

describe('the command payment import', () => {
  it('tries a file: it lists every fault and what would be recorded, and records nothing', async () => {
    const { code, stdout } = await importAs(BAD, '--dry-run');
    assert.equal(code, 1);
    const answer = JSON.parse(stdout);
    assert.deepEqual(answer.faults, FAULTS);
    assert.deepEqual(answer.sums, [
      { currency: 'EUR', payments: 1, amount: '1234.50', refunds: 1, refunded: '4.50' },
      { currency: 'USD', payments: 1, amount: '20.00', refunds: 0, refunded: '0.00' },
    ]);
    assert.deepEqual(
      [answer.lines, answer.payments, answer.refunds, answer.wrong_lines, answer.already_there],
      [5, 2, 1, 2, 0],
    );
    const span = [answer.first, answer.last];
    assert.deepEqual(span, ['2026-01-02T10:00:00.000Z', '2026-01-04T10:00:00.000Z']);
    assert.deepEqual(await listPayments(), []);
    assert.match((await payment(['imports'])).stdout, /Nothing has been imported/);
  });

  it('records nothing of a file with a wrong line, if it is strict', async () => {
    assert.equal((await importAs(BAD, '--strict')).code, 1);
    assert.deepEqual(await listPayments(), []);
    assert.equal((await importAs(GOOD, '--strict')).code, 0);
    assert.deepEqual(await listPayments(), ['p2 2000', 'p1 123450']);
  });

  it('records the good lines, changes nothing when repeated, and is undone', async () => {
    const first = await importAs(BAD);
    assert.equal(first.code, 1);
    const { id, ...answer } = JSON.parse(first.stdout);
    assert.deepEqual([answer.payments, answer.refunds, answer.faults], [2, 1, FAULTS]);
    const again = JSON.parse((await importAs(BAD)).stdout);
    assert.deepEqual([again.id, again.payments, again.refunds], [id, 0, 0]);
    assert.equal(again.already_there, 3);
    assert.deepEqual(await listPayments(), ['p2 2000', 'p1 123450']);
    const listed = JSON.parse((await payment(['imports', '--json'])).stdout);
    assert.deepEqual(
      listed.map((each: typeof listed) => [each.id, each.state, each.transactions, each.file]),
      [[id, 'done', 3, 'stdin']],
    );
    const undone = await payment(['undo-import', id, '--json']);
    const stay = { api: 0, provider: 0, import: 0, hand: 0 };
    assert.deepEqual(JSON.parse(undone.stdout), { id, withdrawn: 3, stay });
    assert.deepEqual(await listPayments(), []);
  });

  it('says in words what came of a file', async () => {
    const path = join(dataDir, 'history.csv');
    writeFileSync(path, GOOD.replace('email', 'e_mail'));
    const { code, stdout } = await payment(['import', path, '--site', 'tea.example']);
    assert.equal(code, 0);
    assert.match(stdout, /^Read 3 lines of our own columns. Recorded 2 payments and 1 refund, /);
    assert.match(stdout, /Columns that are not read: e_mail \(did you mean email\?\)/);
    assert.match(stdout, /To undo it: npm run tributary -- payment undo-import imp_[0-9a-f]{16}\n/);
  });

  for (const [what, input, message] of [
    ['no file of payments', 'a,b\n1,2\n', /No format has the columns a, b\./],
    ['an empty file', '', /The file is empty\./],
    ['a workbook', 'PK\x03\x04…', /This is a workbook or an archive/],
    ['a column twice', `amount,${GOOD}`, /The column amount is there twice\./],
  ] as const) {
    it(`refuses ${what}, and says why`, async () => {
      const { code, stderr } = await importAs(input);
      assert.equal(code, 1);
      assert.match(stderr, message);
    });
  }

  it('refuses a missing file, site or import', async () => {
    const missing = join(dataDir, 'none.csv');
    const { stderr } = await payment(['import', missing, '--site', 'tea.example']);
    assert.match(stderr, /There is no file .*none\.csv\./);
    const other = await payment(['import', '-', '--site', 'other.example'], GOOD);
    assert.match(other.stderr, /There is no site other\.example/);
    assert.match((await payment(['undo-import', 'imp_1'])).stderr, /There is no import imp_1/);
  });
});
