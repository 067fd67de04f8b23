import type { WalkStore } from './ports.ts';

/** Begins to read a connection's history. Without a time, it goes on where it failed, or reads all again. */
export async function beginHistory(
  ledger: Pick<WalkStore, 'listWalks' | 'restartHistory' | 'resumeWalks'>,
  connectionId: string,
  since: number | undefined,
): Promise<void> {
  const walk = (await ledger.listWalks(connectionId)).find(({ kind }) => kind === 'history');
  const isOver = walk === undefined || (walk.endedAt !== undefined && walk.error === undefined);
  if (since !== undefined || isOver) await ledger.restartHistory(connectionId, since ?? 0);
  else await ledger.resumeWalks(connectionId);
}
