import { PROGRAM } from '#contract/program.ts';
import type { ProviderWalk } from '#contract/sites/providers.ts';
import { countNoun } from '#domain/count-noun.ts';
import type { Connection } from '#domain/site/connection.ts';
import { MINUTE_MS } from '#domain/time/durations.ts';
import { waitUntil } from '#jobs/wait.ts';
import { toWalk } from '#providers/connections/describe.ts';
import { beginHistory } from '#providers/history/begin-history.ts';
import { openApi, walkConnection } from '#providers/history/walk-connection.ts';
import { type Connections, takeWaiting, toHistoryPorts } from '../stores/with-connections.ts';
import { readDay } from './option-values.ts';

/** How often to look how far another process is. */
const LOOK = { everyMs: 500, maxMs: MINUTE_MS };

/**
 * Walks the history of a connection to its end, with progress. A running server may have begun to: then this shows how
 * far it is, and takes over if it stops.
 */
export async function backfill(
  connections: Connections,
  { id, provider }: Connection,
  since: number | undefined,
): Promise<{ readonly answer: unknown; readonly text: string }> {
  const { ledger } = connections;
  const ports = toHistoryPorts(connections);
  if (openApi(id, ports) === undefined) {
    throw new Error(`History needs an API key: "${PROGRAM} provider rotate ${id} --api-key -".`);
  }
  const find = async () => (await ledger.listWalks(id)).find(({ kind }) => kind === 'history');
  await beginHistory(ledger, id, since);
  const stopped = new AbortController().signal;
  let walk = await find();
  for (let shown = ''; walk?.dueAt !== undefined; walk = await find()) {
    const line = toWalkText(toWalk(walk) as ProviderWalk);
    if (line !== shown) process.stderr.write(`${line}\n`);
    shown = line;
    await waitUntil(async () => {
      const held = await ledger.holdWalk(ports.holder, { connectionId: id, kind: 'history' });
      if (held !== undefined) await walkConnection(held, ports, { stopped });
      return held !== undefined || (await find())?.pages !== walk?.pages;
    }, LOOK);
  }
  await takeWaiting();
  const { payments, walks } = await ledger.countInbox(id);
  const ended = toWalk(walks.find(({ kind }) => kind === 'history')) as ProviderWalk;
  const count = payments.reduce((sum, each) => sum + each.count, 0);
  if (ended.state === 'failed') process.exitCode = 1;
  const text = `${provider}: ${toWalkText(ended)}\nThis connection has ${countNoun(count, 'payment')}.`;
  return { answer: { id, ...ended, payments: count }, text };
}

/** A walk on one line. */
export function toWalkText({ state, pages, list, reached, error }: ProviderWalk): string {
  const place = state === 'done' || list === null ? '' : `, at ${list}`;
  const day = reached === null ? '' : `, to ${reached.slice(0, 10)}`;
  return `${state}, ${pages} pages${place}${day}${error === null ? '' : `. ${error}`}`;
}

/** Reads an option's day, as the instant when it begins. */
export const parseDate = (text: string) => readDay(text).toZonedDateTime('UTC').epochMilliseconds;
