import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { openLedger } from '#ledger/open-ledger.ts';
import { takeEvents } from '#providers/inbox/take-events.ts';
import { keepClock } from '#storage/keep-clock.ts';
import { LEDGER_THREAD } from '../../ledger/database-of-tests.ts';
import {
  findPostgres,
  makeSchema,
  type PostgresOfTests,
  startPostgres,
} from '../../run/start-postgres.ts';
import type { CasesOf, LedgerOfContract } from './cases.ts';
import { ofCostCounts, ofCounts, ofPaymentCounts, ofProcesses, ofTables } from './of-commands.ts';
import { ofCosts } from './of-costs.ts';
import { ofErase } from './of-erase.ts';
import { ofImports, ofTrials } from './of-imports.ts';
import { ofIngest } from './of-ingest.ts';
import { ofJournal, ofProjection } from './of-journal.ts';
import { ofManage } from './of-manage.ts';
import { ofProvidePayments, ofProviders, ofWaitingEvents } from './of-providers.ts';
import { ofReport } from './of-report.ts';

/** The members of an opened ledger that rooms need. One that is missing here does not compile. */
const OF_LEDGER: CasesOf<LedgerOfContract['ledger']> = {
  ...{ ...ofIngest, ...ofErase, ...ofReport, ...ofManage, ...ofProviders },
  ...{ ...ofCosts, ...ofImports, ...ofJournal, ...ofProcesses },
};

/** Each room's rules, proved on a ledger of their own. */
const ROOMS = {
  ingest: [ofIngest],
  'ingest/erase': [ofErase],
  report: [ofReport],
  manage: [ofManage],
  providers: [ofProviders, ofWaitingEvents, ofProvidePayments],
  costs: [ofCosts],
  imports: [ofImports, ofTrials],
  journal: [ofJournal, ofProjection],
  commands: [ofProcesses, ofCounts, ofPaymentCounts, ofCostCounts, ofTables],
} as const;

/** Imports are commands, which own the ledger in their only thread. */
const NEVER_IN_A_THREAD: readonly string[] = ['imports'];
/** What is sent between threads is the same on both databases, so the writes of requests are enough on the slower one. */
const IN_A_THREAD_ON_POSTGRES: readonly string[] = ['ingest'];

const folder = mkdtempSync(join(tmpdir(), 'tributary-contract-'));
after(() => rmSync(folder, { recursive: true }));
const makeFolder = () => mkdtempSync(join(folder, 'ledger-'));

describeDatabase('SQLite', async () => join(makeFolder(), 'ledger.db'));

if (findPostgres() === undefined && process.env.TEST_DATABASE_URL === undefined) {
  console.log('PostgreSQL is not installed, so the ledger is not tested on it.');
} else {
  describe('with a server of PostgreSQL', () => {
    let server: PostgresOfTests | undefined;
    before(async () => {
      server = await startPostgres({ keepsNothing: true });
    });
    after(() => server?.stop());
    describeDatabase('PostgreSQL', async () => makeSchema(server?.url ?? ''));
  });
}

describe('the rules of the ledger’s ports', () => {
  it('are some for each member of an opened ledger, and for nothing else', async () => {
    const ledger = await openLedger({ location: join(folder, 'members.db') });
    await ledger.close();
    const ports = Object.values(ROOMS).flat();
    const members = ports.flatMap((port) => Object.entries(port));
    const named = new Set<string>(members.map(([member]) => member));
    assert.deepEqual(Object.keys(OF_LEDGER).toSorted(), Object.keys(ledger).toSorted());
    assert.deepEqual(
      Object.keys(OF_LEDGER).filter((member) => !named.has(member)),
      [],
      'no room proves them',
    );
    assert.deepEqual(
      members.filter(([, rules]) => Object.keys(rules).length === 0),
      [],
    );
  });
});

function describeDatabase(name: string, makeLocation: () => Promise<string>): void {
  for (const [room, ports] of Object.entries(ROOMS)) {
    for (const hasThread of [false, true]) {
      if (hasThread && !isInThread(name, room)) continue;
      describe(`a ledger of ${name}${hasThread ? ', owned by a thread,' : ''} for ${room}`, () => {
        let own: LedgerOfContract & { close(): Promise<void> };
        before(async () => {
          own = await open(await makeLocation(), hasThread);
        });
        after(() => own.close());
        for (const [member, rules] of ports.flatMap((port) => Object.entries(port))) {
          for (const [rule, prove] of Object.entries(rules)) {
            it(`${member}: ${rule}`, async () => prove(own, await own.addSite()));
          }
        }
      });
    }
  }
}

function isInThread(database: string, room: string): boolean {
  if (database === 'PostgreSQL') return IN_A_THREAD_ON_POSTGRES.includes(room);
  return !NEVER_IN_A_THREAD.includes(room);
}

/** Opens a ledger as commands do, or as a server does. */
async function open(location: string, hasThread: boolean) {
  const clockPath = join(makeFolder(), 'clock.json');
  await keepClock({ path: clockPath, isFresh: true, onLeap() {} }).stop();
  const thread = { module: LEDGER_THREAD.module, clockPath };
  const openOnce = () => openLedger({ location, ...(hasThread ? { thread } : { takeEvents }) });
  let sites = 0;
  const own = {
    ledger: await openOnce(),
    ...{ location, hasThread },
    async addSite() {
      sites += 1;
      const domain = `shop-${sites}.example`;
      const added = await own.ledger.addSite({ domain, timezone: 'UTC', currency: 'EUR' });
      assert.ok(added.ok);
      return added.value.id;
    },
    async reopen() {
      await own.ledger.close();
      own.ledger = await openOnce();
    },
    close: () => own.ledger.close(),
  };
  return own;
}
