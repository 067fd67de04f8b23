import type { Walk } from '#domain/money/walk.ts';
import type { Connection } from '#domain/site/connection.ts';
import { findProvider } from '../known/providers.ts';
import type { ConnectionSecrets } from '../provider.ts';
import { type AskProvider, canAsk, createAskProvider, type SendRequest } from './ask-provider.ts';
import type { WalkStore } from './ports.ts';
import { beginAgain, type WalkPorts, walkOn } from './walk-on.ts';

/** What walking the histories of connections needs. */
export type HistoryPorts = {
  readonly ledger: WalkStore;
  findConnection(id: string): Connection | undefined;
  /** Its secrets, decrypted. */
  openSecrets(connection: Connection, at: number): ConnectionSecrets;
  /** Sends a request for a connection. */
  readonly send: SendRequest;
  readonly now: () => number;
  /** Called when entries are in the inbox. */
  onEntries(): void | Promise<void>;
  /** The name of this process, as the one that holds a walk. */
  readonly holder: string;
};

/** Walks for this many pages at most, then lets others go on. */
const TURN_PAGES = 20;

/**
 * Walks on, page by page, until nothing is due for a while or its turn is over. Each page is saved with the place that
 * follows it: a process that is killed reads at most one page again, which changes nothing.
 *
 * @returns where the walk stands; undefined if another process holds it now.
 */
export async function walkConnection(
  held: Walk,
  ports: HistoryPorts,
  { stopped, onPage }: { readonly stopped: AbortSignal; onPage?(walk: Walk): void },
): Promise<Walk | undefined> {
  const { ledger, now, holder } = ports;
  const api = openApi(held.connectionId, ports);
  let walk = beginAgain(held, now());
  if (api === undefined) {
    const error = 'The connection has no API key, which history needs.';
    const ended = { ...walk, error, dueAt: undefined, endedAt: now() };
    return (await ledger.saveStep(holder, ended, { entries: [], fault: undefined }))
      ? ended
      : undefined;
  }
  for (let pages = 0; pages < TURN_PAGES && isDue(walk, now()) && !stopped.aborted; pages += 1) {
    const step = await walkOn(walk, { ...api, now });
    if (!(await ledger.saveStep(holder, step.walk, step.page))) return undefined;
    if (step.page.entries.length > 0) await ports.onEntries();
    walk = step.walk;
    onPage?.(walk);
  }
  await ledger.releaseWalk(holder, walk);
  return walk;
}

/** A provider's API as a connection may use it. Undefined if the connection is gone, or has no key. */
export function openApi(
  connectionId: string,
  { findConnection, openSecrets, send, now }: HistoryPorts,
): Pick<WalkPorts, 'provider' | 'ask' | 'prefix'> | undefined {
  const connection = findConnection(connectionId);
  const provider = connection && findProvider(connection.provider);
  if (connection === undefined || provider?.backfill === undefined) return undefined;
  const secrets = openSecrets(connection, now());
  if (!canAsk(provider.backfill, secrets)) return undefined;
  const known = { title: provider.title, backfill: provider.backfill };
  const ask: AskProvider = createAskProvider(known, secrets, { send, now });
  return { provider: known, ask, prefix: secrets.settings.id_prefix };
}

function isDue({ dueAt }: Walk, at: number): boolean {
  return dueAt !== undefined && dueAt <= at;
}
