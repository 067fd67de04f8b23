import type {
  ConnectionChange,
  ConnectionTest,
  NewConnectionRequest,
  PreviewAnswer,
  ProviderConnectionDetails,
  ProvidersAnswer,
} from '#contract/sites/providers.ts';
import { ok, type Result, refuse } from '#domain/result.ts';
import type { Connection } from '#domain/site/connection.ts';
import { canAsk } from '../history/ask-provider.ts';
import { beginHistory } from '../history/begin-history.ts';
import type { WalkStore } from '../history/ports.ts';
import { findProvider, PROVIDERS } from '../known/providers.ts';
import type { ConnectionStore, Inbox, Replayed } from '../ports.ts';
import { changeConnection, connect, type FieldFault } from './connect.ts';
import { toConnectionDetails, toProviderConnection } from './describe.ts';
import { fieldsOf } from './fields-of.ts';
import type { OpenSecrets } from './open-secrets.ts';
import { previewEvent } from './preview-event.ts';
import type { ReceiveEvent } from './receive-event.ts';
import { testConnection } from './test-connection.ts';

type ManagePorts = {
  readonly ledger: ConnectionStore &
    Inbox &
    Pick<WalkStore, 'listWalks' | 'resumeWalks' | 'restartHistory'>;
  readonly key: () => Buffer;
  readonly openSecrets: OpenSecrets;
  readonly receiveEvent: ReceiveEvent;
  /** Takes waiting events soon. */
  wake(): void;
  now(): number;
};

type Changed = Promise<Result<ProviderConnectionDetails, FieldFault>>;

/** Connects providers, changes and tests connections, for the people of a site. Those of other sites count as missing. */
export function createManageConnections(ports: ManagePorts) {
  const { ledger, openSecrets, receiveEvent, wake, now } = ports;

  async function describe(connection: Connection, publicUrl: string) {
    const answer = toProviderConnection(connection, openSecrets(connection, now()), publicUrl);
    const others = await ledger.listConnections(connection.siteId);
    return toConnectionDetails(answer, await ledger.countInbox(connection.id), others);
  }

  async function find(siteId: string, id: string): Promise<Connection | undefined> {
    return (await ledger.listConnections(siteId)).find((each) => each.id === id);
  }

  return {
    find,
    async list(siteId: string, publicUrl: string): Promise<ProvidersAnswer> {
      const all = await ledger.listConnections(siteId);
      const connections = await Promise.all(all.map((each) => describe(each, publicUrl)));
      return { connections, providers: PROVIDERS.map(toKnown) };
    },
    async connect(siteId: string, asked: NewConnectionRequest, publicUrl: string): Changed {
      const made = await connect(ports, { ...asked, siteId, fields: asked.fields ?? {} });
      return made.ok ? ok(await describe(made.value, publicUrl)) : made;
    },
    async change(
      [siteId, id]: readonly [string, string],
      { name, fields = {}, new_token: hasNewToken }: ConnectionChange,
      publicUrl: string,
    ): Promise<Awaited<Changed> | undefined> {
      const connection = await find(siteId, id);
      if (connection === undefined) return undefined;
      const changed = await changeConnection(ports, connection, { name, fields, hasNewToken });
      return changed.ok ? ok(await describe(changed.value, publicUrl)) : changed;
    },
    async remove(siteId: string, id: string, publicUrl: string) {
      const connection = await find(siteId, id);
      if (connection === undefined) return undefined;
      const described = await describe(connection, publicUrl);
      await ledger.removeConnection(id);
      return described;
    },
    async replay(siteId: string, id: string, which: Replayed): Promise<number | undefined> {
      if ((await find(siteId, id)) === undefined) return undefined;
      const events = await ledger.replayEvents(id, which);
      wake();
      return events;
    },
    /** Begins to read its history. */
    async readHistory(siteId: string, id: string, since: number | undefined, publicUrl: string) {
      const connection = await find(siteId, id);
      if (connection === undefined) return undefined;
      const backfill = findProvider(connection.provider)?.backfill;
      if (!canAsk(backfill, openSecrets(connection, now()))) {
        return refuse({ field: 'api_key', message: 'is needed to read history' });
      }
      await beginHistory(ledger, id, since);
      return ok(await describe(connection, publicUrl));
    },
    /** What would become of the last event, with other settings. */
    async preview(
      siteId: string,
      id: string,
      fields: Readonly<Record<string, string>>,
    ): Promise<PreviewAnswer | undefined> {
      const connection = await find(siteId, id);
      if (connection === undefined) return undefined;
      const { provider, settings } = connection;
      return previewEvent(provider, { ...settings, ...fields }, await ledger.findLastEvent(id));
    },
    async test(siteId: string, id: string): Promise<ConnectionTest | undefined> {
      const connection = await find(siteId, id);
      if (connection === undefined) return undefined;
      const steps = await testConnection({
        ...{
          connection,
          secrets: openSecrets(connection, now()),
          findEvent: ledger.findEvent,
          now,
        },
        async deliver(path, body, headers) {
          const addressToken = URL.parse(path, 'http://localhost')?.searchParams.get('token');
          const delivery = { headers, body: Buffer.from(body), receivedAt: now() };
          const token = addressToken ?? undefined;
          const received = await receiveEvent(id, { ...delivery, addressToken: token });
          if (received.ok) return 200;
          return received.error.type === 'unauthorized' ? 401 : 400;
        },
      });
      return { steps: steps.map((each) => ({ ...each })) };
    },
  };
}

function toKnown(provider: (typeof PROVIDERS)[number]): ProvidersAnswer['providers'][number] {
  const { name, title, steps, eventTypes, visitorLine, hasTokenInAddress } = provider;
  return {
    ...{ name, title, event_types: [...eventTypes], visitor_line: visitorLine },
    has_token: hasTokenInAddress === true,
    fields: fieldsOf(provider).map(({ isSecret, isRequired, example, pattern, ...field }) => ({
      ...{ name: field.name, label: field.label, hint: field.hint, example: example ?? null },
      ...{ is_secret: isSecret, is_required: isRequired, pattern: pattern?.source ?? null },
    })),
    steps: steps.map(({ way = [], form = {}, ...step }) => ({
      ...{ ...step, way: [...way], form: { ...form } },
    })),
  };
}
