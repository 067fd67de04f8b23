import type { Erasure } from '#domain/identity/erasure.ts';
import { waitUntil } from '#jobs/wait.ts';
import type { VisitorRequests } from '../ports.ts';

const LOOK_EVERY_MS = 100;

/** Waits until an erasure is done, at most `maxMs`, and returns it as it is then. */
export async function awaitErasure(
  { findErasure }: Pick<VisitorRequests, 'findErasure'>,
  siteId: string,
  asked: Erasure,
  maxMs: number,
): Promise<Erasure> {
  let erasure = asked;
  const isDone = async () => {
    erasure = (await findErasure(siteId, asked.id)) ?? erasure;
    return erasure.state === 'done';
  };
  await waitUntil(isDone, { everyMs: LOOK_EVERY_MS, maxMs });
  return erasure;
}
