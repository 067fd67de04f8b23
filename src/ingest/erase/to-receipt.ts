import type { ErasureReceipt } from '#contract/visitor.ts';
import type { Erasure } from '#domain/identity/erasure.ts';

/** The receipt of an erasure in its current state. */
export function toReceipt({ id, state, requestedAt, doneAt, counts }: Erasure): ErasureReceipt {
  const none = {
    ...{ visitors: 0, events: 0, archived_events: 0, unread_archive_bytes: 0 },
    ...{ payments: 0, identities: 0 },
  };
  return {
    status: 'success',
    erasure: {
      id,
      state: state === 'done' ? 'done' : 'running',
      requested_at: new Date(requestedAt).toISOString(),
      done_at: doneAt === undefined ? null : new Date(doneAt).toISOString(),
      counts: { ...none, ...counts },
    },
  };
}
