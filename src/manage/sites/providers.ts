import {
  ConnectionChange,
  ConnectionPath,
  ConnectionTest,
  HistoryRequest,
  NewConnectionRequest,
  PreviewAnswer,
  PreviewRequest,
  ProviderConnectionDetails,
  ProvidersAnswer,
  ReplayAnswer,
  ReplayRequest,
} from '#contract/sites/providers.ts';
import type { Result } from '#domain/result.ts';
import { RefusedRequest, refuseFaults } from '#server/errors/errors.ts';
import type { Server } from '#server/server-type.ts';
import { siteRoutes } from '../access/routes.ts';
import type { SiteAccess } from '../access/users.ts';

type Changed = Result<
  ProviderConnectionDetails,
  { readonly field: string; readonly message: string }
>;

type Labelled = Pick<ProviderConnectionDetails, 'id' | 'provider' | 'name'>;

/** The connections of sites. What is undefined is not there. */
export interface ManagesConnections {
  list(siteId: string, publicUrl: string): Promise<ProvidersAnswer>;
  connect(siteId: string, asked: NewConnectionRequest, publicUrl: string): Promise<Changed>;
  change(
    which: readonly [siteId: string, id: string],
    change: ConnectionChange,
    publicUrl: string,
  ): Promise<Changed | undefined>;
  remove(
    siteId: string,
    id: string,
    publicUrl: string,
  ): Promise<ProviderConnectionDetails | undefined>;
  replay(
    siteId: string,
    id: string,
    which: { readonly failed: boolean; readonly since: number | undefined },
  ): Promise<number | undefined>;
  readHistory(
    siteId: string,
    id: string,
    since: number | undefined,
    publicUrl: string,
  ): Promise<Changed | undefined>;
  find(siteId: string, id: string): Promise<Labelled | undefined>;
  test(siteId: string, id: string): Promise<ConnectionTest | undefined>;
  preview(
    siteId: string,
    id: string,
    fields: Readonly<Record<string, string>>,
  ): Promise<PreviewAnswer | undefined>;
}

/** `/api/v1/sites/{id}/providers`: the payment providers that are connected to a site. */
export function addProviderRoutes(
  server: Server,
  deps: SiteAccess & {
    readonly connections: ManagesConnections;
    readonly baseUrl: string | undefined;
  },
): void {
  const { connections, baseUrl } = deps;
  const add = siteRoutes(server, deps);
  const urlOf = ({ protocol, host }: { readonly protocol: string; readonly host: string }) =>
    baseUrl ?? `${protocol}://${host}`;

  add('GET /providers', 'owner', {
    operation: ['listProviders', 'List connected payment providers, and those to connect'],
    answer: ProvidersAnswer,
    isRead: true,
    handle: ({ site, request }) => connections.list(site.id, urlOf(request)),
  });

  add('POST /providers', 'owner', {
    operation: ['connectProvider', 'Connect a payment provider'],
    body: NewConnectionRequest,
    answer: ProviderConnectionDetails,
    async handle({ site, body, request, note }) {
      const made = accepted(await connections.connect(site.id, body, urlOf(request)));
      await note('provider connected', toLabel(made));
      return made;
    },
  });

  add('PATCH /providers/:connection', 'owner', {
    operation: ['changeProvider', 'Change the name, secrets and settings of a connection'],
    params: ConnectionPath,
    body: ConnectionChange,
    answer: ProviderConnectionDetails,
    async handle({ site, params, body, request, note }) {
      const which = [site.id, params.connection] as const;
      const changed = await connections.change(which, body, urlOf(request));
      const connection = accepted(existing(changed));
      await note('provider changed', toLabel(connection));
      return connection;
    },
  });

  add('DELETE /providers/:connection', 'owner', {
    operation: ['disconnectProvider', 'Remove a connection; its payments stay'],
    params: ConnectionPath,
    answer: ProviderConnectionDetails,
    async handle({ site, params, request, note }) {
      const removed = existing(
        await connections.remove(site.id, params.connection, urlOf(request)),
      );
      await note('provider disconnected', toLabel(removed));
      return removed;
    },
  });

  add('POST /providers/:connection/test', 'owner', {
    operation: ['testProvider', 'Send signed test events to a connection’s webhook'],
    params: ConnectionPath,
    answer: ConnectionTest,
    async handle({ site, params, note }) {
      const connection = existing(await connections.find(site.id, params.connection));
      const test = existing(await connections.test(site.id, connection.id));
      const isWorking = test.steps.every(({ ok }) => ok);
      await note('provider tested', `${toLabel(connection)}: ${isWorking ? 'works' : 'failed'}`);
      return test;
    },
  });

  add('POST /providers/:connection/preview', 'owner', {
    operation: ['previewProvider', 'Preview the last event with other settings'],
    params: ConnectionPath,
    body: PreviewRequest,
    answer: PreviewAnswer,
    isRead: true,
    handle: async ({ site, params, body: { fields } }) =>
      existing(await connections.preview(site.id, params.connection, fields)),
  });

  add('POST /providers/:connection/history', 'owner', {
    operation: ['readProviderHistory', 'Read the history of a connection; nothing counts twice'],
    params: ConnectionPath,
    body: HistoryRequest,
    answer: ProviderConnectionDetails,
    async handle({ site, params, body: { since }, request, note }) {
      const asked = [site.id, params.connection, toTime(since), urlOf(request)] as const;
      const connection = accepted(existing(await connections.readHistory(...asked)));
      await note('provider history read', toLabel(connection));
      return connection;
    },
  });

  add('POST /providers/:connection/replay', 'owner', {
    operation: ['replayProvider', 'Read events again; nothing is counted twice'],
    params: ConnectionPath,
    body: ReplayRequest,
    answer: ReplayAnswer,
    async handle({ site, params, body: { failed = false, since }, note }) {
      const [id, which] = [params.connection, { failed, since: toTime(since) }];
      const connection = existing(await connections.find(site.id, id));
      const events = existing(await connections.replay(site.id, id, which));
      await note('provider events replayed', `${toLabel(connection)}: ${events}`);
      return { events };
    },
  });
}

function toTime(since: string | undefined): number | undefined {
  const from = since === undefined ? undefined : Date.parse(since);
  if (Number.isNaN(from)) throw refuseFaults([{ path: '/since', message: 'must be ISO 8601' }]);
  return from;
}

function existing<T>(found: T | undefined): T {
  if (found !== undefined) return found;
  throw new RefusedRequest('not_found', 'The site has no such connection.');
}

function accepted(changed: Changed): ProviderConnectionDetails {
  if (changed.ok) return changed.value;
  const { field, message } = changed.error;
  throw refuseFaults([{ path: field === 'provider' ? '/provider' : `/fields/${field}`, message }]);
}

/** A connection as people know it. */
function toLabel({ name, provider, id }: Labelled): string {
  return `${name} (${provider}, ${id})`;
}
