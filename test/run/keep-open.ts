import { after } from 'node:test';

/** Something to close once nobody needs it. */
export interface Closable {
  close(): Promise<void>;
}

const openByName = new Map<string, Promise<Closable>>();

/**
 * Opens something for all test files of this process, such as a server, or returns it if already open. Closes it
 * after the tests of all files.
 *
 * - Why: half of the CPU time of a system test goes into startup.
 * - After a failure to open, the next file tries again.
 */
export function keepOpen<T extends Closable>(name: string, open: () => Promise<T>): Promise<T> {
  const found = openByName.get(name) as Promise<T> | undefined;
  if (found !== undefined) return found;
  const opened = open();
  openByName.set(name, opened);
  opened.catch(() => openByName.delete(name));
  return opened;
}

// In no suite: this is loaded before the files, or by a file that runs alone.
after(async () => {
  const opened = [...openByName.values()].reverse();
  for (const each of opened) await (await each).close();
});
