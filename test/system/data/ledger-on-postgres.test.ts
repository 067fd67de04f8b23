import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
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

if (findPostgres() === undefined && process.env.TEST_DATABASE_URL === undefined) {
  console.log('PostgreSQL is not installed, so the ledger is not tested on it.');
} else {
  describe('on PostgreSQL', () => {
    let server: PostgresOfTests | undefined;
    before(async () => {
      server = await startPostgres({ keepsNothing: true });
    });
    after(() => server?.stop());
    for (const file of FILES) {
      it(`the tests of ${file} pass`, async () => {
        const output = await runTests(file, server?.url ?? '');
        assert.match(output, /^# fail 0$/m, output);
        assert.match(output, /^# pass [1-9]/m, output);
      });
    }
  });
}

function runTests(file: string, serverUrl: string): Promise<string> {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const path = fileURLToPath(new URL(`../../ledger/${file}.test.ts`, import.meta.url));
  const options = ['--test', '--test-reporter=tap', `--test-skip-pattern=${AT_LENGTH}`, path];
  const own = { TEST_WORLDS: '5', ...env, [LEDGER_SERVER]: serverUrl };
  return new Promise((resolve) => {
    execFile(process.execPath, options, { env: own }, (_error, stdout) => resolve(stdout));
  });
}
