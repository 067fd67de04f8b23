import { randomBytes } from 'node:crypto';
import { ok, type Result, refuse } from '#domain/result.ts';
import type { Connection } from '#domain/site/connection.ts';
import { canAsk, findApiUrl } from '../history/ask-provider.ts';
import type { WalkStore } from '../history/ports.ts';
import { findProvider, PROVIDERS } from '../known/providers.ts';
import type { ConnectionStore } from '../ports.ts';
import type { Backfill, ConnectionSecrets, Provider } from '../provider.ts';
import { fieldsOf } from './fields-of.ts';
import { type SealedSecrets, seal, UNREADABLE, unseal } from './seal.ts';

/** How long a replaced signing secret is still accepted: as long as providers sign with both. */
const OVERLAP_MS = 24 * 60 * 60 * 1_000;

/** What people give to connect a provider: its fields by their names. */
export type GivenFields = Readonly<Record<string, string | undefined>>;

/** Why something is refused, and the field that is at fault. */
export type FieldFault = { readonly field: string; readonly message: string };

/** What connecting and changing connections needs. */
export type ConnectPorts = {
  readonly ledger: ConnectionStore & Pick<WalkStore, 'resumeWalks'>;
  /** Read when it is first needed. */
  readonly key: () => Buffer;
  readonly now: () => number;
};

/**
 * Connects a provider to a site. Refuses an unknown provider, and odd fields.
 *
 * - Why a signing secret may be missing: a provider makes it when it gets the address of the webhook.
 */
export async function connect(
  { ledger, key }: Pick<ConnectPorts, 'ledger' | 'key'>,
  asked: {
    readonly siteId: string;
    readonly provider: string;
    readonly name?: string | undefined;
    readonly fields: GivenFields;
    /** From when on its history is read. Default: all. */
    readonly since?: number | undefined;
  },
): Promise<Result<Connection, FieldFault>> {
  const provider = findProvider(asked.provider);
  if (provider === undefined) {
    const names = PROVIDERS.map(({ name }) => name).join(', ');
    return refuse({ field: 'provider', message: `must be one of ${names}` });
  }
  const fault = findFault(provider, asked.fields);
  if (fault !== undefined) return refuse(fault);
  const { siteId, fields } = asked;
  const secrets = toSecrets({ ...madeFor(provider), ...fields });
  const prefix = findPrefix(provider, await ledger.listConnections(siteId));
  const connection = await ledger.addConnection({
    ...{ siteId, provider: provider.name, name: asked.name || provider.title },
    sealed: seal(secrets, key(), siteId),
    settings: withoutEmpty({ ...prefix, ...toSettings(provider, fields) }),
  });
  if (canAsk(provider.backfill, toOpen(secrets, connection))) {
    await ledger.resumeWalks(connection.id, asked.since);
  }
  return ok(connection);
}

/** What changes of a connection. */
type AskedChange = {
  readonly name?: string | undefined;
  readonly fields: GivenFields;
  /** Whether it gets another token for its address, if its provider signs nothing. */
  readonly hasNewToken?: boolean | undefined;
};

/**
 * Replaces secrets and settings of a connection. The signing secret before is accepted for a while.
 *
 * - Refuses odd fields.
 */
export async function changeConnection(
  { ledger, key, now }: ConnectPorts,
  connection: Connection,
  { name, fields, hasNewToken = false }: AskedChange,
): Promise<Result<Connection, FieldFault>> {
  const provider = findProvider(connection.provider);
  const fault = (provider && findFault(provider, fields)) ?? findPrefixFault(connection, fields);
  if (fault !== undefined) return refuse(fault);
  const { siteId, settings, sealed } = connection;
  const before = unseal(sealed, key(), siteId);
  const made = provider && hasNewToken ? madeFor(provider) : {};
  const { signing_secret: secret, api_key: apiKey } = { ...made, ...fields };
  // The key that can read them may come back.
  const isLost = before === UNREADABLE && !secret && !apiKey;
  const secrets = replaceSecrets(before, { secret, apiKey }, now());
  const more = provider === undefined ? {} : toSettings(provider, fields);
  const { backfill } = provider ?? {};
  const after = { ...connection, settings: withoutEmpty({ ...settings, ...more }) };
  const opened = toOpen(secrets, after);
  const moved = findMoveFault(backfill, [toOpen(before, connection), opened], { secret, apiKey });
  if (moved !== undefined) return refuse(moved);
  const changed = await ledger.setConnection(connection.id, {
    ...(name !== undefined && { name }),
    ...{ sealed: isLost ? sealed : seal(secrets, key(), siteId), settings: after.settings },
  });
  if (changed === undefined) {
    return refuse({ field: '', message: `There is no connection ${connection.id}.` });
  }
  if (canAsk(backfill, opened)) await ledger.resumeWalks(connection.id);
  return ok(changed);
}

/** What tells the ids of a second shop from those of the first. One that never sent anything is no shop yet. */
function findPrefix(
  { name, hasNumberedIds }: Provider,
  connections: readonly Connection[],
): Readonly<Record<string, string>> {
  const others = connections.filter((each) => each.provider === name && each.lastEventAt);
  if (!hasNumberedIds || others.length === 0) return {};
  const taken = new Set(others.map(({ settings }) => settings.id_prefix ?? ''));
  const numbers = Array.from({ length: others.length }, (_, index) => `${index + 2}:`);
  const free = ['', ...numbers].find((prefix) => !taken.has(prefix));
  return free ? { id_prefix: free } : {};
}

/** Payments that are known by other ids already would count twice. */
function findPrefixFault(
  { settings, lastEventAt }: Connection,
  { id_prefix: prefix }: GivenFields,
): FieldFault | undefined {
  const isSame = prefix === undefined || prefix === (settings.id_prefix ?? '');
  if (isSame || lastEventAt === undefined) return undefined;
  return { field: 'id_prefix', message: 'cannot change after the first event' };
}

type NewSecrets = Readonly<Record<'secret' | 'apiKey', string | undefined>>;

/** Who may change the address of an API need not know the key that would be sent there, or that may come back. */
function findMoveFault(
  backfill: Backfill | undefined,
  [from, to]: readonly [ConnectionSecrets, ConnectionSecrets],
  { secret, apiKey }: NewSecrets,
): FieldFault | undefined {
  if (backfill === undefined || findApiUrl(backfill, from) === findApiUrl(backfill, to)) {
    return undefined;
  }
  const hasKey = from.fault !== undefined || canAsk(backfill, from);
  const isOfSecret = from.apiKey === undefined;
  if (!hasKey || (isOfSecret ? secret : apiKey)) return undefined;
  const field = isOfSecret ? 'signing_secret' : 'api_key';
  return { field, message: 'must be given again, for it would be sent elsewhere' };
}

/** Secrets with those that are given. The signing secret before is still accepted for a while. */
function replaceSecrets(
  before: SealedSecrets,
  { secret, apiKey }: NewSecrets,
  at: number,
): SealedSecrets {
  const known = before.signingSecrets.filter((each) => each.secret !== secret);
  const still = known.map(({ secret: old, until = at + OVERLAP_MS }) => ({ secret: old, until }));
  return {
    ...before,
    ...(secret && { signingSecrets: [{ secret }, ...still.filter(({ until }) => until > at)] }),
    ...(apiKey && { apiKey }),
  };
}

function toOpen(
  sealed: SealedSecrets,
  { settings }: Pick<Connection, 'settings'>,
): ConnectionSecrets {
  const { signingSecrets, apiKey } = sealed;
  const fault = sealed === UNREADABLE ? { fault: 'unreadable' } : {};
  return { signingSecrets: signingSecrets.map(({ secret }) => secret), apiKey, settings, ...fault };
}

function findFault(provider: Provider, given: GivenFields): FieldFault | undefined {
  const { title, backfill } = provider;
  const fields = fieldsOf(provider);
  const { base_url: base } = given;
  if (backfill && base && !BASE_URL.test(base)) {
    return { field: 'base_url', message: 'must look like https://api.example.com' };
  }
  const hasBase = backfill !== undefined;
  const named = Object.keys(given).filter(
    (name) => given[name] !== undefined && !(hasBase && name === 'base_url'),
  );
  const unknown = named.find((name) => !fields.some((field) => field.name === name));
  if (unknown !== undefined) return { field: unknown, message: `is not a field of ${title}` };
  for (const { name, pattern, example } of fields) {
    const value = given[name];
    if (value && pattern !== undefined && !pattern.test(value)) {
      return { field: name, message: `must look like ${example ?? pattern.source}` };
    }
  }
  return undefined;
}

function toSecrets({ signing_secret: secret, api_key: apiKey }: GivenFields): SealedSecrets {
  return { signingSecrets: secret ? [{ secret }] : [], ...(apiKey && { apiKey }) };
}

/** What providers that sign nothing prove themselves by. */
function madeFor({ hasTokenInAddress }: Provider): GivenFields {
  return hasTokenInAddress ? { signing_secret: randomBytes(24).toString('base64url') } : {};
}

/** An empty text takes a setting away. */
function withoutEmpty(settings: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== ''));
}
/** Where the API is, if not where the provider has it: a sandbox, or a stub. Who asks decides which are trusted. */
const BASE_URL = /^https?:\/\/[\w.-]+(?::\d+)?(?:\/[\w./-]*)?$/;

/** What is no secret. */
function toSettings(provider: Provider, given: GivenFields): Record<string, string> {
  const base = { name: 'base_url', isSecret: false };
  const open = [...fieldsOf(provider), ...(provider.backfill ? [base] : [])].flatMap(
    ({ name, isSecret }): [string, string][] => {
      const value = given[name];
      return isSecret || value === undefined ? [] : [[name, value]];
    },
  );
  return Object.fromEntries(open);
}
