import { text } from 'node:stream/consumers';
import { sendGuarded } from '#enrich/guarded-request.ts';
import type { Ledger } from '#ledger/open-ledger.ts';
import { createCertificates } from '#providers/certificates.ts';
import { createManageConnections } from '#providers/connections/manage-connections.ts';
import { noteRefusals } from '#providers/connections/note-refusals.ts';
import { createOpenSecrets } from '#providers/connections/open-secrets.ts';
import { createReceiveEvent, type ReceiveEvent } from '#providers/connections/receive-event.ts';
import { readSecretKey } from '#providers/connections/secret-key.ts';
import { keepTaking } from '#providers/inbox/keep-taking.ts';
import type { Settings } from '#settings.ts';

/** The dependencies of connected providers. */
type Parts = {
  readonly ledger: Ledger;
  readonly settings: Pick<Settings, 'secretKey'>;
  readonly paths: Readonly<Record<'ledger' | 'secretKey', string>>;
  readonly log: { warn(facts: object, message: string): void };
};

interface ConnectedProviders {
  readonly receiveEvent: ReceiveEvent;
  /** What people of a site do with its connections. */
  readonly connections: ReturnType<typeof createManageConnections>;
  stop(): Promise<void>;
}

/** Wires connected providers to the ledger. */
export function connectProviders(parts: Parts): ConnectedProviders {
  const { ledger, settings, paths, log } = parts;
  let read: Buffer | undefined;
  const key = () => {
    read ??= readSecretKey(settings.secretKey, paths.secretKey);
    return read;
  };
  const taking = keepTaking({
    thread: new URL('./inbox-thread.ts', import.meta.url),
    ...{ location: paths.ledger, isNeeded: ledger.hasConnections },
    onFailure: (reason) => log.warn({ reason }, 'Events of providers wait; will retry.'),
  });
  const refusals = noteRefusals(ledger.noteConnectionError);
  const openSecrets = createOpenSecrets(key);
  const receiveEvent = createReceiveEvent({
    findConnection: ledger.findConnection,
    refresh: ledger.refresh,
    openSecrets,
    certificates: createCertificates(downloadCertificate, Date.now),
    onRefused: refusals.note,
    async accept(event) {
      const isNew = await ledger.acceptProviderEvent(event);
      if (isNew) taking.wake();
      return isNew;
    },
  });
  const { wake } = taking;
  const ports = { ledger, key, openSecrets, receiveEvent, wake, now: Date.now };
  return {
    receiveEvent,
    connections: createManageConnections(ports),
    stop: async () => void (await Promise.all([taking.stop(), refusals.stop()])),
  };
}

const DOWNLOAD_MAX_MS = 5_000;

/** Reads a certificate from a provider's own host. */
async function downloadCertificate(url: string): Promise<string> {
  const signal = AbortSignal.timeout(DOWNLOAD_MAX_MS);
  const answer = await sendGuarded(new URL(url), { body: '', isTrusted: false, signal });
  if (answer.statusCode !== 200) throw new Error(`${url} answered ${answer.statusCode}.`);
  return await text(answer);
}
