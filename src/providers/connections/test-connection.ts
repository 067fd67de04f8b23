import { randomUUID } from 'node:crypto';
import type { Connection } from '#domain/site/connection.ts';
import { findProvider } from '../known/providers.ts';
import type { Inbox } from '../ports.ts';
import type { ConnectionSecrets } from '../provider.ts';
import { toWebhookUrl } from './describe.ts';
import { TEST_PREFIX } from './receive-event.ts';

type TestStep = { readonly step: string; readonly ok: boolean; readonly found: string };

type TestPorts = {
  readonly connection: Connection;
  readonly secrets: ConnectionSecrets;
  readonly findEvent: Inbox['findEvent'];
  /** Sends a delivery through the door at an address. Returns the HTTP status. */
  deliver(path: string, body: string, headers: Record<string, string>): Promise<number>;
  now(): number;
};

/** Sends a signed test event through the door, and one with a wrong signature. Neither counts anywhere. */
export async function testConnection(ports: TestPorts): Promise<readonly TestStep[]> {
  const { connection, secrets, deliver, now } = ports;
  const provider = findProvider(connection.provider);
  const [secret] = secrets.signingSecrets;
  if (provider === undefined || secret === undefined) {
    return [{ step: 'secret', ok: false, found: 'The connection has no signing secret yet.' }];
  }
  const { signSample } = provider;
  if (signSample === undefined) {
    const found = `Only ${provider.title} itself can sign: send a test event from its own pages.`;
    return [{ step: 'signed', ok: false, found }];
  }
  const [id, { settings }] = [`${TEST_PREFIX}${randomUUID()}`, secrets];
  const body = provider.makeSample(id, now(), settings);
  const headersOf = (signedWith: string) => ({
    'content-type': 'application/json',
    ...signSample(body, signedWith, now(), id, settings),
  });
  const send = (signedWith: string) => {
    const token = provider.hasTokenInAddress ? signedWith : undefined;
    return deliver(toWebhookUrl('', connection.id, token), body, headersOf(signedWith));
  };
  const forged = await send(`${secret.slice(0, -4)}AAAA`);
  const signed = await send(secret);
  const again = await send(secret);
  const delivery = { headers: headersOf(secret), body: Buffer.from(body), receivedAt: now() };
  const eventId = provider.readEvent(delivery, secrets)?.id ?? id;
  const event = await ports.findEvent(connection.id, eventId);
  return [
    { step: 'forged', ok: forged === 401, found: `a wrong signature was answered with ${forged}` },
    { step: 'signed', ok: signed === 200, found: `a right signature was answered with ${signed}` },
    { step: 'again', ok: again === 200, found: `the same event again was answered with ${again}` },
    {
      step: 'inbox',
      ok: event?.state === 'test',
      found: event === undefined ? 'the event did not arrive' : 'the event is kept, and left out',
    },
  ];
}
