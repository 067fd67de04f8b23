import { existsSync } from 'node:fs';
import { journalNameOf, webIndexOf } from '#journal/journal-names.ts';
import type { Ledger } from './open-ledger.ts';

/** Journals of web processes that ran once and are too many now. */
export function findAbandoned(
  ledger: Pick<Ledger, 'listJournals'>,
  options: {
    readonly webConcurrency: number;
    pathOf(number: number): string;
    /** Whether the web process of an index beyond today's has ended, and cannot start meanwhile. */
    isWebGone(index: number): boolean;
  },
): { readonly number: number; readonly path: string }[] {
  const running = new Set(
    Array.from({ length: options.webConcurrency }, (_, index) => journalNameOf(index)),
  );
  return ledger
    .listJournals()
    .filter(({ name }) => !running.has(name))
    .map(({ number, name }) => ({ number, name, path: options.pathOf(number) }))
    .filter(({ name, path }) => existsSync(path) && options.isWebGone(webIndexOf(name)));
}
