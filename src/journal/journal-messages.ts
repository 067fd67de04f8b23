import type { NewBatch } from './journal-file.ts';

/** What the web process asks of the journal's thread; it answers where there is an id. */
export type ToThread =
  | ({ readonly kind: 'append'; readonly id: number } & NewBatch)
  | { readonly kind: 'drain' | 'close'; readonly id: number }
  | { readonly kind: 'wake' | 'hurry' };

/** What the thread answers, and what it says by itself. */
export type FromThread =
  | { readonly kind: 'open'; readonly lastSeq: number }
  | { readonly kind: 'answer'; readonly id: number; readonly failure: string | undefined }
  | {
      readonly kind: 'backlog';
      readonly sizeBytes: number;
      /** Batches that are set aside. */
      readonly setAside: number;
    }
  | { readonly kind: 'trouble' | 'ship_failed'; readonly message: string };
