import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { ROOT } from '../../architecture/source-files.ts';
import { LEDGER_SERVER } from '../../ledger/database-of-tests.ts';
import { findPostgres, type PostgresOfTests, startPostgres } from '../../run/start-postgres.ts';

/** What is tested of the ledger on SQLite, on PostgreSQL, too. Damaged files are not among it. */
const FILES = [
  'conversions',
  'costs',
  'expiries',
  'imports',
  'kept-provider-events',
  'keys',
  'open-projection',
  'payments/changed-payments',
  'payments/erased-payers',
  'payments/looked-at-together',
  'payments/matched-refunds',
  'payments/payments-by-state',
  'payments/provided-payments',
  'payments/shop-and-gateway',
  'payments/stripe-events',
  'persons',
  'provider-history',
  'sites',
];

/** What one statement at a time takes minutes for, and proves nothing more of the database. */
const AT_LENGTH = 'thousands|any number|10,000';

const toName = (file: string) => `test/ledger/${file}.test.ts`;

if (findPostgres() === undefined && process.env.TEST_DATABASE_URL === undefined) {
  console.log('PostgreSQL is not installed, so the ledger is not tested on it.');
} else {
  describe('on PostgreSQL', () => {
    let server: PostgresOfTests | undefined;
    let reports: string[];
    before(async () => {
      server = await startPostgres({ keepsNothing: true });
      const output = await runTests(server?.url ?? '');
      reports = output.split(/^# Subtest: /m);
    });
    after(() => server?.stop());
    for (const name of FILES.map(toName)) {
      it(`the tests of ${name} pass`, () => {
        const report = reports.find((each) => each.startsWith(name)) ?? reports.join('');
        assert.match(report, /^ +ok /m, report);
        assert.match(report, new RegExp(`^ok \\d+ - ${name}$`, 'm'), report);
      });
    }
  });
}

/** Runs all files in one process, whose start takes as long as the tests of a file. */
function runTests(serverUrl: string): Promise<string> {
  const { NODE_TEST_CONTEXT: _, TEST_COSTS: __, ...env } = process.env;
  const paths = JSON.stringify(FILES.map((file) => join(ROOT, toName(file))));
  const script = `import { runGroup } from './test/run/run-group.ts'; runGroup('test/ledger', ${paths});`;
  const options = ['--test-reporter=tap', `--test-skip-pattern=${AT_LENGTH}`, '-e', script];
  const own = { TEST_WORLDS: '5', ...env, [LEDGER_SERVER]: serverUrl };
  return new Promise((resolve) => {
    const started = { env: own, cwd: ROOT, maxBuffer: 2 ** 26 };
    execFile(process.execPath, options, started, (_error, stdout) => resolve(stdout));
  });
}
