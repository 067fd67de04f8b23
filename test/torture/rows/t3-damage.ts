import { setTimeout as sleep } from 'node:timers/promises';
import { createChance } from '#cli/demo/chance.ts';
import { type ArchiveDamage, damageArchives } from '../faults/damage-archive.ts';
import { damageJournals, type JournalDamage } from '../faults/damage-journal.ts';
import { damageWarehouses, type WarehouseDamage } from '../faults/damage-warehouse.ts';
import { startLoad } from '../load.ts';
import { createOracle } from '../oracle.ts';
import { untilShipped } from '../recount.ts';
import { createChecks, type Row } from '../row.ts';
import { startTortureServer } from '../torture-server.ts';

/** One in this many points is in the warehouse, and one in the archive: each takes seconds. */
const WAREHOUSE_EVERY = 10;
const ARCHIVE_EVERY = 25;
const LOADS_MS = [2_000, 1_000];

/** T3: torn and flipped bytes in journals and archive, truncated and missing files of the warehouse. */
export const damage: Row = {
  id: 'T3',
  title: 'flipped bits, lost sectors, torn and missing files of journal, warehouse and archive',
  unit: 'points',
  quick: 50,
  full: 10_000,
  async run({ seed, amount, log }) {
    const inWarehouse = Math.ceil(amount / WAREHOUSE_EVERY);
    const inArchive = Math.ceil(amount / ARCHIVE_EVERY);
    const inJournal = Math.max(0, amount - inWarehouse - inArchive);
    const journal = damageJournals(createChance(seed, 0), inJournal, log);
    const server = await startTortureServer();
    try {
      const oracle = createOracle();
      await fill(server, oracle, seed);
      const damaged = { server, oracle, log };
      const warehouse = await damageWarehouses({
        ...damaged,
        ...{ chance: createChance(seed, 99), points: inWarehouse },
      });
      const archive = await damageArchives({
        ...damaged,
        ...{ chance: createChance(seed, 98), points: inArchive },
      });
      return {
        numbers: toNumbers(journal, warehouse, archive),
        checks: [...check(journal, warehouse), ...checkArchive(archive)],
      };
    } finally {
      await server.stop();
      server.cleanUp();
    }
  },
};

/** Leaves a stopped server whose archive has two files, each with several shipments. */
async function fill(
  server: Awaited<ReturnType<typeof startTortureServer>>,
  oracle: ReturnType<typeof createOracle>,
  seed: number,
): Promise<void> {
  for (const [run, loadMs] of LOADS_MS.entries()) {
    if (run > 0) await server.startAgain();
    const load = startLoad({
      ...{ server, oracle, seed, stream: 1 + run * 100 },
      ...{ senders: 4, batch: 20, goals: 20, payments: 20, pauseMs: 10 },
    });
    await sleep(loadMs);
    await load.end();
    await untilShipped(server);
    await server.stop();
  }
}

function toNumbers(journal: JournalDamage, warehouse: WarehouseDamage, archive: ArchiveDamage) {
  return {
    'journals damaged': journal.points,
    'batches acknowledged': journal.acknowledged,
    'journal damage reported': journal.reported,
    'journals complete all the same': journal.harmless,
    'batches lost and reported': journal.lostAndReported,
    'batches lost in silence': journal.lostInSilence,
    'warehouses damaged': warehouse.points,
    'warehouse damage reported': warehouse.reported,
    'warehouses rebuilt': warehouse.rebuilt,
    'warehouses right all the same': warehouse.harmless,
    'archives damaged': archive.points,
    'archive damage reported': archive.reported,
    'archives complete all the same': archive.harmless,
    'events in damaged shipments': archive.touched,
    'of these lost and reported': archive.lost,
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
  checks.equal('what is reported is rebuilt', warehouse.rebuilt, warehouse.reported);
  return checks.all;
}

function checkArchive({ faults, lostBesides }: ArchiveDamage) {
  const checks = createChecks();
  const text = faults.slice(0, 3).join(' | ');
  checks.equal(
    'whatever is damaged in the archive is reported, and replaces no warehouse',
    text,
    '',
  );
  checks.equal('a rebuild brings back every event outside the damage', lostBesides, 0);
  return checks.all;
}
