import type {
  ProviderConnection,
  ProviderConnectionDetails,
  ProviderWalk,
} from '#contract/sites/providers.ts';
import { countNoun } from '#domain/count-noun.ts';
import type { InboxCounts } from '#domain/money/provider-event.ts';
import type { Walk } from '#domain/money/walk.ts';
import type { Connection } from '#domain/site/connection.ts';
import { toIsoOrNull } from '#domain/time/to-iso-or-null.ts';
import { findProvider } from '../known/providers.ts';
import type { ConnectionSecrets } from '../provider.ts';

/** The address to which a provider sends the events of a connection. Some prove themselves by a token in it. */
export function toWebhookUrl(publicUrl: string, id: string, token?: string): string {
  const query = token === undefined ? '' : `?${new URLSearchParams({ token })}`;
  return `${publicUrl}/webhooks/${id}${query}`;
}

/** A connection for people: everything but its secrets. */
export function toProviderConnection(
  connection: Connection,
  secrets: ConnectionSecrets,
  publicUrl: string,
): ProviderConnection {
  const { id, siteId, provider, name, settings } = connection;
  const { fields = [], hasTokenInAddress } = findProvider(provider) ?? {};
  const [token] = hasTokenInAddress ? secrets.signingSecrets : [];
  const given = {
    ...settings,
    signing_secret: secrets.signingSecrets[0],
    api_key: secrets.apiKey,
  } as Readonly<Record<string, string | undefined>>;
  const missing = fields.filter((field) => field.isRequired && given[field.name] === undefined);
  return {
    ...{ id, site: siteId, provider, name },
    webhook_url: toWebhookUrl(publicUrl, id, token),
    missing: missing.map((field) => field.name),
    settings: { ...settings },
    created_at: toIsoOrNull(connection.createdAt),
    last_event_at: toIsoOrNull(connection.lastEventAt),
    last_error: secrets.fault ?? connection.lastError ?? null,
    last_error_at: toIsoOrNull(connection.lastErrorAt),
  };
}

/** What came of a connection's events. `others`: the connections of the same site. */
export function toConnectionDetails(
  answer: ProviderConnection,
  { events, payments, failed, walks, missed }: InboxCounts,
  others: readonly Pick<Connection, 'provider'>[],
): ProviderConnectionDetails {
  const by = new Map(payments.map(({ foundBy, count }) => [foundBy, count]));
  const all = payments.reduce((sum, { count }) => sum + count, 0);
  return {
    ...answer,
    events: events.map((each) => ({ ...each })),
    failed: failed.map(({ eventId: id, type, receivedAt, why }) => {
      return { id, type, received_at: toIsoOrNull(receivedAt), why };
    }),
    payments: {
      all,
      by_event: by.get('event') ?? 0,
      by_subscription: by.get('subscription') ?? 0,
      by_order: by.get('order') ?? 0,
      by_customer: by.get('customer') ?? 0,
      without_visitor: by.get('') ?? 0,
    },
    history: toWalk(walks.find(({ kind }) => kind === 'history')),
    poll: toWalk(walks.find(({ kind }) => kind === 'poll')),
    missed: describeMissed(answer, { events, missed }) ?? null,
    overlap: describeOverlap(answer, all, others) ?? null,
  };
}

/** Says which payments of a shop may count twice, as its gateways are connected too. Undefined if none are. */
function describeOverlap(
  { provider }: ProviderConnection,
  payments: number,
  others: readonly Pick<Connection, 'provider'>[],
): string | undefined {
  if (!findProvider(provider)?.isShop) return undefined;
  const known = others.map((other) => findProvider(other.provider)).filter((each) => each);
  const titles = known.flatMap((each) => (each === undefined || each.isShop ? [] : each.title));
  if (titles.length === 0) return undefined;
  const names = [...new Set(titles)].join(' or ');
  return `An order that names its payment at ${names} counts once, there. Of the others, ${payments} so far, those that came through ${names} count twice.`;
}

/** A walk for people. */
export function toWalk(walk: Walk | undefined): ProviderWalk | null {
  if (walk === undefined) return null;
  const { since, pages, list, reachedAt, error, leftOut, endedAt, dueAt, failures } = walk;
  const isOver = endedAt !== undefined && error === undefined;
  const isWaiting = failures > 0 || list === undefined;
  const going = dueAt === undefined ? 'failed' : isWaiting ? 'waiting' : 'running';
  const sentences = [error, leftOut].filter((each) => each !== undefined);
  return {
    ...{
      state: isOver ? 'done' : going,
      since: since === 0 ? null : toIsoOrNull(since),
      pages,
      list: list ?? null,
    },
    ...{ reached: toIsoOrNull(reachedAt), error: sentences.join(' ') || null },
    ...{ ended_at: toIsoOrNull(endedAt), next_at: toIsoOrNull(dueAt) },
  };
}

/** Says what no webhook told of, and what is likely wrong with it. Undefined if nothing is. */
export function describeMissed(
  { provider, last_event_at: last }: Pick<ProviderConnection, 'provider' | 'last_event_at'>,
  { events, missed }: Pick<InboxCounts, 'events' | 'missed'>,
): string | undefined {
  if (missed === 0) return undefined;
  const { eventTypes = [], title = provider } = findProvider(provider) ?? {};
  const seen = new Set(events.map(({ type }) => type));
  const unseen = eventTypes.filter((type) => !seen.has(type));
  const why =
    last === null
      ? 'No event has arrived yet: check that the webhook has this address'
      : `The last event arrived at ${last}: the webhook may be switched off`;
  const types = unseen.length > 0 ? `, or not subscribed to ${unseen.join(', ')}` : '';
  return `In the last seven days, ${countNoun(missed, 'payment')} of ${title} came only by the poll. ${why}${types}.`;
}
