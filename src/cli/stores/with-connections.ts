import { randomUUID } from 'node:crypto';
import { PROGRAM } from '#contract/program.ts';
import type { Connection } from '#domain/site/connection.ts';
import { askGuarded } from '#enrich/guarded-request.ts';
import { type Ledger, openLedger } from '#ledger/open-ledger.ts';
import { dataPathsOf } from '#processes/paths.ts';
import { createOpenSecrets, type OpenSecrets } from '#providers/connections/open-secrets.ts';
import { readSecretKey } from '#providers/connections/secret-key.ts';
import { createSend } from '#providers/history/send.ts';
import type { HistoryPorts } from '#providers/history/walk-connection.ts';
import { takeEvents } from '#providers/inbox/take-events.ts';
import { readSettings } from '#settings.ts';
import { withLedger } from './with-ledger.ts';

/** The ledger with the secrets of its connections. */
export type Connections = {
  readonly ledger: Ledger;
  readonly key: () => Buffer;
  readonly openSecrets: OpenSecrets;
};

/** Runs `work` with the connections of `DATA_DIR`, whether or not its server runs. */
export function withConnections<T>(work: (connections: Connections) => Promise<T>): Promise<T> {
  const { dataDir, databaseUrl, secretKey } = readSettings();
  const { secretKey: path } = dataPathsOf(dataDir, databaseUrl);
  const key = () => readSecretKey(secretKey, path);
  return withLedger((ledger) => work({ ledger, key, openSecrets: createOpenSecrets(key) }));
}

/** Finds a connection by its id. Throws a message for the caller if there is none. */
export function findConnectionOrThrow(ledger: Ledger, id: string): Connection {
  const connection = ledger.findConnection(id);
  if (connection !== undefined) return connection;
  const listed = `"${PROGRAM} provider list" lists the connections`;
  throw new Error(`There is no connection ${id}; ${listed}.`);
}

/** What walking a connection's history needs, in a process of its own. */
export function toHistoryPorts({ ledger, openSecrets }: Connections): HistoryPorts {
  return {
    ...{ ledger, openSecrets, now: Date.now, holder: randomUUID(), onEntries: takeWaiting },
    findConnection: ledger.findConnection,
    send: createSend(askGuarded, readSettings().trustedApis),
  };
}

/** Takes all events that wait. A running server does the same; the two do not disturb each other. */
export async function takeWaiting(): Promise<void> {
  const { dataDir, databaseUrl } = readSettings();
  const { ledger } = dataPathsOf(dataDir, databaseUrl);
  const { takeEvents: take, close } = await openLedger({ location: ledger, takeEvents });
  try {
    while ((await take()) > 0);
  } finally {
    await close();
  }
}
