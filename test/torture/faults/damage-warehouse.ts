import { cpSync, globSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Chance } from '#cli/demo/chance.ts';
import type { Oracle } from '../oracle.ts';
import { recount } from '../recount.ts';
import { type Checks, createChecks } from '../row.ts';
import { runCommand } from '../run-command.ts';
import { reopenTortureServer, type TortureServer } from '../torture-server.ts';
import { damageFile } from './damage.ts';

/** The outcome for damaged warehouses, each counted once. */
export type WarehouseDamage = {
  points: number;
  reported: number;
  harmless: number;
  rebuilt: number;
  readonly faults: string[];
};

/**
 * Damages copies of a stopped server's warehouse, one file at a time. Either `verify` must report it and `rebuild`
 * repair it, or every count must still be right.
 */
export async function damageWarehouses(options: {
  readonly server: TortureServer;
  readonly oracle: Oracle;
  readonly chance: Chance;
  readonly points: number;
  log(line: string): void;
}): Promise<WarehouseDamage> {
  const { server, oracle, chance, points, log } = options;
  const found: WarehouseDamage = { points: 0, reported: 0, harmless: 0, rebuilt: 0, faults: [] };
  const work = `${server.dataDir}-damaged`;
  try {
    for (let point = 0; point < points; point++) {
      rmSync(work, { recursive: true, force: true });
      cpSync(server.dataDir, work, { recursive: true });
      const files = globSync('warehouse/**/*.*', { cwd: work })
        .filter((path) => statSync(join(work, path)).isFile()) // Projections are folders.
        .toSorted();
      const file = files[chance.whole(0, files.length - 1)] ?? '';
      const damage = `${file}: ${damageFile(join(work, file), chance, true)}`;
      log(`warehouse ${point + 1} of ${points}: ${damage}`);
      const checks = await endure(work, server, oracle, found);
      const faults = checks.all.filter((check) => check.failure !== undefined);
      found.points += 1;
      if (faults.length > 0) found.faults.push(`${damage}: ${JSON.stringify(faults)}`);
    }
    return found;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

async function endure(
  dataDir: string,
  { key }: TortureServer,
  oracle: Oracle,
  found: WarehouseDamage,
): Promise<Checks> {
  const checks = createChecks();
  const verified = await runCommand(['verify'], dataDir);
  if (verified.code !== 0) {
    found.reported += 1;
    const rebuilt = await runCommand(['rebuild'], dataDir);
    checks.that('the warehouse is rebuilt', rebuilt.code === 0, rebuilt.text);
    if (rebuilt.code === 0) found.rebuilt += 1;
  } else found.harmless += 1;
  const server = await reopenTortureServer(dataDir, key);
  try {
    await recount(server, oracle, checks);
  } finally {
    await server.stop();
  }
  return checks;
}
