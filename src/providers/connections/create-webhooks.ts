import type { Connection } from '#domain/site/connection.ts';
import { MINUTE_MS } from '#domain/time/durations.ts';
import { type HistoryPorts, openApi } from '../history/walk-connection.ts';
import { textAt } from '../json.ts';
import { findProvider } from '../known/providers.ts';
import type { ConnectionSecrets } from '../provider.ts';
import { type ConnectPorts, changeConnection } from './connect.ts';
import { toWebhookUrl } from './describe.ts';

/** After a provider did not answer. */
const PAUSE_MS = MINUTE_MS;

/** What creating webhooks needs. */
type WebhookPorts = HistoryPorts &
  ConnectPorts & {
    /** Where providers reach this server; undefined if nobody has said so. */
    readonly publicUrl: string | undefined;
    listConnections(): Promise<readonly Connection[]>;
    /** Tells the people of a connection what is wrong. */
    noteConnectionError(connectionId: string, why: string): Promise<unknown>;
  };

/**
 * Creates the function that creates the webhooks of connections with an API key and without a signing secret, at providers
 * that let a key do so. A refused key is tried again when the connection was changed, or at the next start.
 */
export function createWebhooks(ports: WebhookPorts): (stopped: AbortSignal) => Promise<void> {
  const refused = new Map<string, string>();
  let pausedUntil = 0;

  async function create(connection: Connection, secrets: ConnectionSecrets, publicUrl: string) {
    const { id, sealed } = connection;
    const { eventTypes = [] } = findProvider(connection.provider) ?? {};
    const api = openApi(id, ports);
    if (api === undefined) return;
    const { createWebhook, secretOfWebhook = '' } = api.provider.backfill;
    const request = createWebhook?.(toWebhookUrl(publicUrl, id), eventTypes, secrets);
    if (request === undefined) return;
    const asked = await api.ask(() => request);
    if (asked.kind === 'later') {
      pausedUntil = ports.now() + PAUSE_MS;
      return;
    }
    const secret = asked.kind === 'answer' ? textAt(asked.answer, secretOfWebhook) : undefined;
    if (secret !== undefined) {
      await changeConnection(ports, connection, { fields: { signing_secret: secret } });
      return;
    }
    refused.set(id, sealed);
    const why = asked.kind === 'refused' ? asked.said : `${api.provider.title} named no secret.`;
    await ports.noteConnectionError(
      id,
      `The webhook was not created with the API key: create it by hand, or allow the key to. ${why}`,
    );
  }

  return async (stopped) => {
    const { publicUrl } = ports;
    if (publicUrl === undefined || pausedUntil > ports.now()) return;
    for (const connection of await ports.listConnections()) {
      const secrets = ports.openSecrets(connection, ports.now());
      const isTried = refused.get(connection.id) === connection.sealed;
      if (stopped.aborted || secrets.signingSecrets.length > 0 || isTried) continue;
      await create(connection, secrets, publicUrl);
    }
  };
}
