import { isUtf8 } from 'node:buffer';
import type { InboxEvent } from '#domain/money/provider-event.ts';
import { ok, type Result, refuse } from '#domain/result.ts';
import type { Connection } from '#domain/site/connection.ts';
import { UnavailableError } from '#domain/unavailable.ts';
import type { Certificates } from '../certificates.ts';
import { findProvider } from '../known/providers.ts';
import type {
  ConnectionSecrets,
  Delivery,
  Provider,
  ProviderEvent,
  VerifyRefusal,
} from '../provider.ts';
import type { OpenSecrets } from './open-secrets.ts';

/** The ids of test events begin with this. They are left out, whatever their provider says. */
export const TEST_PREFIX = 'tributary_test_';

/** Why a delivery is refused, in the words of the one error table. */
type DeliveryRefusal = {
  readonly type: 'not_found' | 'unauthorized' | 'invalid_request';
  readonly message: string;
};

/** Takes a delivery for a connection. Resolves when its event is on disk, with whether it is new. */
export type ReceiveEvent = (
  connectionId: string,
  delivery: Delivery,
) => Promise<Result<{ readonly isNew: boolean }, DeliveryRefusal>>;

type ReceivePorts = {
  findConnection(id: string): Connection | undefined;
  /** Loads connections that another process has just added or changed. */
  refresh(): Promise<void>;
  readonly openSecrets: OpenSecrets;
  readonly certificates: Certificates;
  accept(event: InboxEvent): Promise<boolean>;
  /** Notes that a delivery was refused, without waiting. */
  onRefused(connectionId: string, why: string): void;
};

const WHY: Readonly<Record<VerifyRefusal, string>> = {
  forged: 'The signature does not match the signing secret of this connection.',
  unsigned: 'The delivery is not signed.',
  stale: 'The delivery was signed more than five minutes ago.',
  future: 'The delivery was signed more than five minutes ahead of our clock.',
};

/** How long nothing is loaded again for deliveries that are refused: anybody can send thousands. */
const LOOK_AGAIN_MS = 100;

/**
 * The door for providers' events. Nothing of a delivery is looked at before its signature holds.
 *
 * - Throws UnavailableError if the event could not be written, or the certificate of its signature not be read.
 */
export function createReceiveEvent(ports: ReceivePorts): ReceiveEvent {
  let looked = { at: -Infinity, done: Promise.resolve() };

  /** Loads connections again, unless that was just done. */
  function lookAgain(at: number): Promise<void> {
    if (Math.abs(at - looked.at) >= LOOK_AGAIN_MS) looked = { at, done: ports.refresh() };
    return looked.done;
  }

  async function judge(connectionId: string, delivery: Delivery) {
    const connection = ports.findConnection(connectionId);
    const provider = connection && findProvider(connection.provider);
    if (connection === undefined || provider === undefined) return undefined;
    const secrets = ports.openSecrets(connection, delivery.receivedAt);
    if (provider.isPing?.(delivery)) return { connection, provider, secrets, isPing: true };
    const certificate = await findCertificate(ports.certificates, provider, delivery);
    const refused = provider.verify(delivery, secrets, certificate);
    return { connection, provider, secrets, isPing: false, refused };
  }

  /** Judges by what was just given, where that may matter: a provider may sign with a new secret at once. */
  async function judgeFresh(connectionId: string, delivery: Delivery) {
    const judged = await judge(connectionId, delivery);
    if (judged !== undefined && judged.refused === undefined) return judged;
    await lookAgain(delivery.receivedAt);
    const isSame = ports.findConnection(connectionId) === judged?.connection;
    return isSame ? judged : judge(connectionId, delivery);
  }

  return async (connectionId, delivery) => {
    const judged = await judgeFresh(connectionId, delivery);
    if (judged === undefined) {
      return refuse({ type: 'not_found', message: 'There is no such connection.' });
    }
    const { provider, secrets, isPing, refused } = judged;
    if (isPing) return ok({ isNew: false });
    if (refused !== undefined) {
      const message = toWhy(refused, secrets);
      if (!isOwnTest(delivery)) ports.onRefused(connectionId, message);
      return refuse({ type: 'unauthorized', message });
    }
    const event = readEvent(provider, delivery, secrets);
    if (event === undefined) {
      const message = `The body is not an event of ${provider.title}.`;
      ports.onRefused(connectionId, message);
      return refuse({ type: 'invalid_request', message });
    }
    const isNew = await ports.accept(toInboxEvent(connectionId, event, delivery));
    return ok({ isNew });
  };
}

/** Whether a connection's own test sent it: one of its deliveries is forged, which is nobody's trouble. */
function isOwnTest({ body }: Delivery): boolean {
  return body.includes(TEST_PREFIX);
}

/** The certificate that a delivery is signed with, for providers that sign with one. */
async function findCertificate(
  certificates: Certificates,
  provider: Provider,
  delivery: Delivery,
): Promise<string | undefined> {
  const url = provider.findCertificateUrl?.(delivery);
  if (url === undefined) return undefined;
  const found = await certificates.find(url);
  if (found !== undefined) return found;
  throw new UnavailableError(`The certificate of ${provider.title} cannot be downloaded now.`);
}

function toWhy(refused: VerifyRefusal, { signingSecrets, fault }: ConnectionSecrets): string {
  // The reason is for the people of the connection, not for whoever sends something.
  if (fault !== undefined) return 'The secrets of this connection cannot be read.';
  if (signingSecrets.length === 0) return 'The connection has no signing secret yet.';
  return WHY[refused];
}

/** Reads a delivery. A signed body may still be something else, such as a form. */
function readEvent(
  provider: Provider,
  delivery: Delivery,
  secrets: ConnectionSecrets,
): ProviderEvent | undefined {
  const { body } = delivery;
  if (!isUtf8(body) || body.includes(0)) return undefined;
  try {
    return provider.readEvent(delivery, secrets);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const ID_MAX_LENGTH = 255;

function toInboxEvent(
  connectionId: string,
  { id, type, isTest }: ProviderEvent,
  { headers, body, receivedAt }: Delivery,
): InboxEvent {
  return {
    connectionId,
    eventId: id.slice(0, ID_MAX_LENGTH),
    type: type.slice(0, ID_MAX_LENGTH),
    isTest: isTest || id.startsWith(TEST_PREFIX),
    ...{ receivedAt, headers: withoutCommon(headers), body: body.toString() },
  };
}

/** Headers that say nothing of the event, or whom they came from. */
const COMMON =
  /^(accept|authorization|connection|content-length|cookie|expect|forwarded|host|te|trailer|transfer-encoding|upgrade|via|x-forwarded-.*|x-real-ip)(-.*)?$/;

function withoutCommon(headers: Delivery['headers']): Record<string, string> {
  const kept = Object.entries(headers).filter(([name]) => !COMMON.test(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, String(value)]));
}
