import { keepNothing } from './kept-from.ts';
import type { ArchiveOptions } from './open-archive.ts';

/** The archive that `ARCHIVE_DAYS` asks for; none for 0, which the archive's folder then says too. */
export async function chooseArchive(
  folder: string,
  keepDays: number | undefined,
): Promise<Pick<ArchiveOptions, 'folder' | 'keepDays'> | undefined> {
  if (keepDays !== 0) return { folder, keepDays };
  await keepNothing(folder).catch(() => {}); // Whoever asks the setting knows it without.
  return undefined;
}
