import { after } from 'node:test';

/** What can be closed when nobody needs it any more. */
export interface Closable {
  close(): Promise<void>;
}

const openByName = new Map<string, Promise<Closable>>();

/**
 * Opens something for all test files of this process, or finds what one of them has opened: a server,
 * say. It is closed when the tests of all are over.
 *
 * - Why: half of the processor time of a test of a whole system goes into starting it.
 * - What did not open is opened again for the next file.
 */
export function keepOpen<T extends Closable>(name: string, open: () => Promise<T>): Promise<T> {
  const found = openByName.get(name) as Promise<T> | undefined;
  if (found !== undefined) return found;
  const opened = open();
  openByName.set(name, opened);
  opened.catch(() => openByName.delete(name));
  return opened;
}

// Of no suite: this is loaded before the files are, or by a file that runs alone.
after(async () => {
  const opened = [...openByName.values()].reverse();
  for (const each of opened) await (await each).close();
});
