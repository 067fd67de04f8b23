import { setTimeout as sleep } from 'node:timers/promises';
import { createChance } from '#cli/demo/chance.ts';
import { damageJournals, type JournalDamage } from './damage-journal.ts';
import { damageWarehouses, type WarehouseDamage } from './damage-warehouse.ts';
import { startLoad } from './load.ts';
import { createOracle } from './oracle.ts';
import { untilShipped } from './recount.ts';
import { createChecks, type Row } from './row.ts';
import { startTortureServer } from './torture-server.ts';

/** Of so many points one is in the warehouse: each takes seconds. */
const WAREHOUSE_EVERY = 10;
const LOAD_MS = 2_000;

/** T3: torn and flipped bytes in journals, truncated and missing files of the warehouse. */
export const damage: Row = {
  id: 'T3',
  title: 'flipped bits, lost sectors, torn and missing files of journal and warehouse',
  unit: 'points',
  small: 6,
  quick: 50,
  full: 10_000,
  async run({ seed, amount, log }) {
    const inWarehouse = Math.ceil(amount / WAREHOUSE_EVERY);
    const journal = damageJournals(createChance(seed, 0), amount - inWarehouse, log);
    const server = await startTortureServer();
    try {
      const oracle = createOracle();
      const load = startLoad({
        server,
        oracle,
        seed,
        senders: 4,
        batch: 20,
        goals: 20,
        payments: 20,
        pauseMs: 10,
      });
      await sleep(LOAD_MS);
      await load.end();
      await untilShipped(server);
      await server.stop();
      const chance = createChance(seed, 99);
      const warehouse = await damageWarehouses({
        server,
        oracle,
        chance,
        points: inWarehouse,
        log,
      });
      return { numbers: toNumbers(journal, warehouse), checks: check(journal, warehouse) };
    } finally {
      await server.stop();
      server.cleanUp();
    }
  },
};

function toNumbers(journal: JournalDamage, warehouse: WarehouseDamage) {
  return {
    'journals damaged': journal.points,
    'batches acknowledged': journal.acknowledged,
    'journals told of': journal.told,
    'journals complete all the same': journal.harmless,
    'batches lost and told': journal.lostAndTold,
    'batches lost in silence': journal.lostInSilence,
    'warehouses damaged': warehouse.points,
    'warehouses told of': warehouse.told,
    'warehouses rebuilt': warehouse.rebuilt,
    'warehouses right all the same': warehouse.harmless,
  };
}

function check(journal: JournalDamage, warehouse: WarehouseDamage) {
  const checks = createChecks();
  const faults = journal.faults.slice(0, 3).join(' | ');
  checks.that('no batch is lost in silence', journal.lostInSilence === 0, faults);
  checks.that('no line is shipped that was not accepted', journal.foreign === 0, faults);
  checks.that('nothing goes twice unless the warehouse is asked', journal.sentAgain === 0, faults);
  checks.that('every journal opens', journal.dead === 0, faults);
  checks.equal('every warehouse is whole again', warehouse.faults.slice(0, 2).join(' | '), '');
  checks.equal('what is told is rebuilt', warehouse.rebuilt, warehouse.told);
  return checks.all;
}
