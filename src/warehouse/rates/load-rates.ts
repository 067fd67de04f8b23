import { createHash } from 'node:crypto';
import type { Warehouse } from '../client.ts';
import { joinFiles, ratesFilesOf } from './read-rates.ts';
import { saveRates } from './save-rates.ts';

/**
 * Puts the exchange rates into the warehouse that come with the program and that the file at `path`
 * adds, unless they are there. Resolves with whether they were new.
 *
 * - Units: `now` in milliseconds; the rows that were loaded last win.
 * - Throws when a file is no table of rates, or the warehouse does not answer.
 */
export async function loadRates(
  warehouse: Pick<Warehouse, 'select' | 'insertLines'>,
  path: string,
  now: number,
): Promise<boolean> {
  const hash = createHash('sha256');
  const files = ratesFilesOf(path);
  for (const { bytes } of files) hash.update(bytes);
  const digest = hash.digest('hex').slice(0, 32);
  const [known] = await warehouse.select<{ digest: string }>({
    sql: 'SELECT digest FROM rates ORDER BY loaded_at DESC, currency LIMIT 1',
  });
  if (known?.digest === digest) return false;
  await saveRates(warehouse, joinFiles(files), { digest, loadedAt: now });
  return true;
}
