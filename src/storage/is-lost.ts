import { readdirSync, statSync } from 'node:fs';

/** Whether a server's file is missing or empty although there are events beside it: it is not its first start. */
export function isLost(
  path: string,
  { journals, archive }: Readonly<Record<'journals' | 'archive', string>>,
): boolean {
  const isFilled = (folder: string) => sizeOf(folder) && readdirSync(folder).length > 0;
  return !sizeOf(path) && [journals, archive].some(isFilled);
}

/** A file's size in bytes; undefined if there is none. */
export function sizeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.size;
}
