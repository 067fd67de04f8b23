import { askGuarded } from '#enrich/guarded-request.ts';
import type { Ledger } from '#ledger/open-ledger.ts';
import { createSend } from '#providers/history/send.ts';
import { type HistoryPorts, walkConnection } from '#providers/history/walk-connection.ts';
import { takeEvents } from '#providers/inbox/take-events.ts';
import { openTaking } from '../ledger/ledger-of-test.ts';

/** When the walks of tests begin, as the sample pages have it. */
export const SINCE = Date.UTC(2026, 9, 31);

/** What walks connections to a stub. */
export function portsOf(
  ledger: Ledger,
  url: string,
  settings: Readonly<Record<string, string>>,
  more: Partial<HistoryPorts> = {},
): HistoryPorts {
  return {
    ...{ ledger, now: Date.now, holder: 'test', onEntries: () => {} },
    findConnection: ledger.findConnection,
    openSecrets: () => ({
      ...{ signingSecrets: ['secret'], apiKey: 'key', settings: { ...settings, base_url: url } },
    }),
    send: createSend(askGuarded, [url]),
    ...more,
  };
}

/** Walks until a walk is at its end, and takes what it found. `wait` is called with the next time when it is due. */
export async function walkToEnd(
  ports: HistoryPorts,
  location: string,
  { wait = () => {}, kind = 'history' as 'history' | 'poll' } = {},
): Promise<void> {
  const [connection] = await (ports.ledger as Ledger).listConnections();
  const connectionId = connection?.id ?? '';
  const stopped = new AbortController().signal;
  for (let turns = 0; turns < 200; turns += 1) {
    const walk = (await ports.ledger.listWalks(connectionId)).find((each) => each.kind === kind);
    const isOver = walk?.endedAt !== undefined && (kind === 'poll' || walk.dueAt === undefined);
    if (walk === undefined || (isOver && (walk.dueAt ?? Infinity) > ports.now())) break;
    (wait as (until: number) => void)(walk.dueAt ?? 0);
    const held = await ports.ledger.holdWalk(ports.holder, { connectionId, kind });
    if (held !== undefined) await walkConnection(held, ports, { stopped });
  }
  const { takeWaiting, close } = await openTaking(location, ports.now);
  while ((await takeEvents(takeWaiting)) > 0);
  await close();
}
