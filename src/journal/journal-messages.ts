import type { JournalBacklog } from './journal-file.ts';
import type { NewBatch } from './recent-batches.ts';

/** What the web process asks of the journal's thread. */
export type ToThread =
  | ({ readonly kind: 'append' } & NewBatch)
  | { readonly kind: 'wake' }
  | { readonly kind: 'hurry' }
  | { readonly kind: 'backlog' }
  | { readonly kind: 'drain' }
  | { readonly kind: 'close' };

/** What the thread answers. */
export type FromThread =
  | { readonly kind: 'open'; readonly lastSeq: number }
  | { readonly kind: 'appended'; readonly backlogBytes: number }
  | { readonly kind: 'append_failed'; readonly message: string }
  | { readonly kind: 'backlog'; readonly backlog: JournalBacklog & { readonly damaged: number } }
  | { readonly kind: 'drained'; readonly failure: string | undefined }
  | {
      readonly kind: 'backlog_bytes';
      readonly backlogBytes: number;
      /** Batches that are set aside. */
      readonly setAside: number;
    }
  | { readonly kind: 'trouble'; readonly message: string }
  | { readonly kind: 'ship_failed'; readonly message: string }
  | { readonly kind: 'closed' };
