import { randomUUID } from 'node:crypto';
import { MINUTE_MS } from '#domain/time/durations.ts';
import { askGuarded } from '#enrich/guarded-request.ts';
import { keepRunning } from '#jobs/keep-running.ts';
import { spreadOut } from '#jobs/spread-out.ts';
import type { Ledger } from '#ledger/open-ledger.ts';
import { createCertificates } from '#providers/certificates.ts';
import { createWebhooks } from '#providers/connections/create-webhooks.ts';
import { findPaymentFault } from '#providers/connections/find-payment-fault.ts';
import { createManageConnections } from '#providers/connections/manage-connections.ts';
import { noteRefusals } from '#providers/connections/note-refusals.ts';
import { createOpenSecrets } from '#providers/connections/open-secrets.ts';
import { createReceiveEvent } from '#providers/connections/receive-event.ts';
import { readSecretKey } from '#providers/connections/secret-key.ts';
import { keepWalking } from '#providers/history/keep-walking.ts';
import { createSend } from '#providers/history/send.ts';
import type { Settings } from '#settings.ts';

/** The dependencies of connected providers. */
type Parts = {
  readonly ledger: Ledger;
  readonly settings: Pick<Settings, 'secretKey' | 'trustedApis' | 'baseUrl'>;
  readonly paths: Readonly<Record<'secretKey', string>>;
  readonly log: { warn(facts: object, message: string): void };
};

const LOOK = { everyMs: 1_000, retryMs: [1_000, 30_000] } as const;
/** Events that come in a burst are taken together. */
const GATHER_MS = 50;
/** Some 670 events a second: more would come at the cost of goals. A provider waits for seconds, a buyer does not. */
const TURNS = { calls: 2, everyMs: 3 } as const;
/** After events were taken, the ledger is left to others for this many times as long. */
const REST = 3;

/** Wires connected providers to the ledger. */
export function connectProviders(parts: Parts) {
  const { ledger, settings, paths, log } = parts;
  let read: Buffer | undefined;
  const key = () => {
    read ??= readSecretKey(settings.secretKey, paths.secretKey);
    return read;
  };
  const taking = keepRunning({
    ...{ name: 'provider_events', ...LOOK },
    async run() {
      const startedAt = performance.now();
      if (!ledger.hasConnections() || (await ledger.takeEvents()) === 0) return;
      taking.wake((performance.now() - startedAt) * REST);
    },
    onChange: (failure) =>
      failure &&
      log.warn({ reason: failure.message }, 'Events of providers are waiting; will retry.'),
  });
  const purging = keepRunning({
    ...{ name: 'old provider events', everyMs: MINUTE_MS },
    async run(stopped) {
      while (!stopped.aborted && (await ledger.purgeProviderEvents()));
    },
  });
  const wake = () => taking.wake(GATHER_MS);
  const takeTurn = spreadOut(TURNS);
  const refusals = noteRefusals(ledger.noteConnectionError);
  const openSecrets = createOpenSecrets(key);
  const asking = {
    ...{ ledger, key, openSecrets, now: Date.now, holder: randomUUID(), onEntries: wake },
    ...{ findConnection: ledger.findConnection, isNeeded: ledger.hasConnections },
    send: createSend(askGuarded, settings.trustedApis),
  };
  const walking = keepWalking({
    ...asking,
    onFailure: (reason) => log.warn({ reason }, 'The history of providers is waiting; will retry.'),
  });
  const { listConnections, noteConnectionError } = ledger;
  const create = createWebhooks({
    ...{ ...asking, publicUrl: settings.baseUrl, listConnections, noteConnectionError },
  });
  const creating = keepRunning({
    ...{ name: 'webhooks to create', ...LOOK },
    run: (stopped) => asking.isNeeded() && create(stopped),
  });
  const receiveEvent = createReceiveEvent({
    findConnection: ledger.findConnection,
    refresh: ledger.refresh,
    openSecrets,
    certificates: createCertificates(downloadCertificate, Date.now),
    onRefused: refusals.note,
    async accept(event) {
      await takeTurn();
      const isNew = await ledger.acceptProviderEvent(event);
      if (isNew) wake();
      return isNew;
    },
  });
  const ports = { ledger, key, openSecrets, receiveEvent, wake, now: Date.now };
  return {
    receiveEvent,
    connections: createManageConnections(ports),
    /** What is wrong with the providers of a site. */
    findFault: (siteId: string) => findPaymentFault(ledger, siteId),
    async stop() {
      await Promise.all([walking, creating, taking, purging, refusals].map((job) => job.stop()));
    },
  };
}

const CERTIFICATE = { durationMs: 5_000, bytesMax: 100_000 };

/** Reads a certificate from a provider's own host. */
async function downloadCertificate(url: string): Promise<string> {
  const request = { body: '', isTrusted: false };
  const { status, text } = await askGuarded(new URL(url), request, CERTIFICATE);
  if (status !== 200) throw new Error(`${url} answered ${status}.`);
  return text;
}
