import { randomBytes } from 'node:crypto';
import type { SiteChannel } from '#domain/acquisition/channels/site-channel.ts';
import { findCurrency } from '#domain/money/currencies.ts';
import { ok, type Result, refuse } from '#domain/result.ts';
import type { NewSite, Site, SiteFault } from '#domain/site/site.ts';
import { changeSettings } from '#domain/site/site-settings.ts';
import type { Sql, SqlRow } from '#storage/sql/sql.ts';
import type { SiteProjection } from '../payments/site-money.ts';
import { mintId } from '../schema/mint-id.ts';

/** Creates the store on a ledger connection. Its writes run in the caller's transaction. */
export function createSiteStore(sql: Sql, now: () => number) {
  async function find(idOrDomain: string): Promise<Site | undefined> {
    const row = await sql.get(
      'SELECT * FROM sites WHERE (id = ? OR domain = ?) AND removed_at IS NULL',
      ...[idOrDomain, idOrDomain.toLowerCase()],
    );
    return row && toSite(row);
  }

  async function change(
    idOrDomain: string,
    alter: (site: Site) => Result<Site, SiteFault> | Promise<Result<Site, SiteFault>>,
  ): Promise<Result<Site, SiteFault>> {
    const site = await find(idOrDomain);
    if (site === undefined) return refuse({ message: `There is no site ${idOrDomain}.` });
    const altered = await alter(site);
    if (!altered.ok) return altered;
    const { id, settings, identitySecret = null } = altered.value;
    await sql.run(
      `UPDATE sites SET domain = ?, name = ?, timezone = ?, currency = ?, allowed_hosts = ?,
         settings = ?, identity_secret = ? WHERE id = ?`,
      ...[...valuesOf(altered.value), JSON.stringify(settings), identitySecret, id],
    );
    return altered;
  }

  /** Parses the site. Refuses the domain of another site. */
  async function parse(
    wanted: NewSite,
    domain?: string,
  ): Promise<Result<Required<NewSite>, SiteFault>> {
    const parsed = parseSite(wanted);
    if (!parsed.ok || parsed.value.domain === domain) return parsed;
    const name = parsed.value.domain;
    const isTaken = (await find(name)) !== undefined;
    return isTaken ? fault('domain', `The site ${name} already exists.`) : parsed;
  }

  return {
    async addSite(wanted: NewSite): Promise<Result<Site, SiteFault>> {
      const parsed = await parse(wanted);
      if (!parsed.ok) return parsed;
      const { currency, timezone } = parsed.value;
      const shown = { currency, place: 0 } as const;
      const unset = { settings: {}, identitySecret: undefined, shown, converting: undefined };
      const site = { ...parsed.value, id: mintId('site_'), ...unset, createdAt: now() };
      await sql.run(
        `INSERT INTO sites (id, created_at, projection, domain, name, timezone, currency, allowed_hosts)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
        ...[site.id, site.createdAt, JSON.stringify({ currency, timezone }), ...valuesOf(site)],
      );
      return ok(site);
    },
    async listSites(): Promise<readonly Site[]> {
      const rows = await sql.all('SELECT * FROM sites WHERE removed_at IS NULL ORDER BY domain');
      return rows.map(toSite);
    },
    async hasCosts(siteId: string) {
      const cost = 'SELECT 1 AS found FROM costs WHERE site_id = ? AND removed_at IS NULL LIMIT 1';
      return (await sql.get(cost, siteId)) !== undefined;
    },
    async hasPayments(siteId: string) {
      const payment =
        'SELECT 1 AS found FROM payments WHERE site_id = ? AND voided_at IS NULL LIMIT 1';
      return (await sql.get(payment, siteId)) !== undefined;
    },
    /** Removed sites, whose data still exists. */
    async listRemovedSites(): Promise<readonly Site[]> {
      const removed = 'SELECT * FROM sites WHERE removed_at IS NOT NULL ORDER BY removed_at';
      return (await sql.all(removed)).map(toSite);
    },
    setSite: (
      idOrDomain: string,
      changes: Readonly<Record<string, string>>,
      wanted: Partial<NewSite> = {},
    ) =>
      change(idOrDomain, async (site) => {
        const settings = changeSettings(site.settings, changes);
        if (!settings.ok) return refuse({ message: settings.error });
        const parsed = await parse({ ...site, ...wanted }, site.domain);
        if (!parsed.ok) return parsed;
        const isLacking = settings.value.identify === 'signed' && !site.identitySecret;
        const identitySecret = isLacking ? mintIdentitySecret() : site.identitySecret;
        return ok({ ...site, ...parsed.value, settings: settings.value, identitySecret });
      }),
    setChannels: (idOrDomain: string, channels: readonly SiteChannel[]) =>
      change(idOrDomain, (site) => ok({ ...site, settings: { ...site.settings, channels } })),
    async rotateIdentitySecret(idOrDomain: string): Promise<Result<string, SiteFault>> {
      const identitySecret = mintIdentitySecret();
      const changed = await change(idOrDomain, (site) => ok({ ...site, identitySecret }));
      return changed.ok ? ok(identitySecret) : changed;
    },
    async removeSite(idOrDomain: string) {
      const site = await find(idOrDomain);
      if (site === undefined) return undefined;
      await sql.run('UPDATE sites SET removed_at = ? WHERE id = ?', now(), site.id);
      await sql.run('DELETE FROM keys WHERE site_id = ?', site.id);
      return site;
    },
  };
}

function fault(field: keyof NewSite, message: string) {
  return refuse({ field, message });
}

function parseSite(wanted: NewSite): Result<Required<NewSite>, SiteFault> {
  const domain = toHostname(wanted.domain)?.replace(/^www\.(?=[^.]+\.)/, '');
  if (domain === undefined) {
    return fault('domain', `"${wanted.domain}" is not a domain such as example.com.`);
  }
  const timezone = toTimezone(wanted.timezone);
  if (timezone === undefined) {
    return fault('timezone', `"${wanted.timezone}" is not a time zone such as Europe/Berlin.`);
  }
  const currency = findCurrency(wanted.currency.toUpperCase())?.code;
  if (currency === undefined) {
    return fault('currency', `"${wanted.currency}" is not an ISO 4217 currency code such as EUR.`);
  }
  // A port, as messages name it, says nothing of a site.
  const toHost = (host: string) => toHostname(host.replace(/:\d+$/, ''));
  const hosts = new Map(wanted.allowedHosts?.map((host) => [toHost(host), host]));
  if (hosts.has(undefined)) {
    return fault('allowedHosts', `"${hosts.get(undefined)}" is not a host such as example.com.`);
  }
  const spelled = /\P{ASCII}/u.test(wanted.domain) ? wanted.domain : ''; // Shown instead of Punycode.
  const name = (wanted.name || spelled).trim();
  if (!/^[^\p{C}]{0,100}$/u.test(name)) {
    return fault('name', 'A name has at most 100 characters and no control characters.');
  }
  return ok({ domain, name, timezone, currency, allowedHosts: [...hosts.keys()] as string[] });
}

function valuesOf({ domain, name, timezone, currency, allowedHosts }: Required<NewSite>): string[] {
  return [domain, name, timezone, currency, JSON.stringify(allowedHosts)];
}

const LABEL = '[a-z0-9](?:[a-z0-9-]*[a-z0-9])?';
/** A host without a dot is a typo, and as a domain would have the address of a page of the dashboard. */
const HOST = new RegExp(`^(?:localhost|(?:${LABEL}\\.)+${LABEL})$`);

/** Normalizes a host as browsers do: lower case, Punycode. */
function toHostname(text: string): string | undefined {
  if (!/^[^\s/?#@:\\%]{1,253}$/.test(text)) return undefined;
  const hostname = URL.parse(`http://${text}`)?.hostname.replace(/\.$/, '') ?? '';
  return HOST.test(hostname) ? hostname : undefined;
}

/** Normalizes an IANA time zone. A bare offset is not accepted. */
function toTimezone(text: string): string | undefined {
  if (!/^[A-Za-z]/.test(text)) return undefined;
  try {
    return new Temporal.ZonedDateTime(0n, text).timeZoneId;
  } catch {
    return undefined;
  }
}

function toSite(row: SqlRow): Site {
  const projection: SiteProjection = JSON.parse(String(row.projection ?? '{}'));
  const { currency: shown, place = 0 } = projection;
  return {
    id: String(row.id),
    domain: String(row.domain),
    name: String(row.name),
    timezone: String(row.timezone),
    currency: String(row.currency),
    allowedHosts: JSON.parse(String(row.allowed_hosts)),
    settings: JSON.parse(String(row.settings)),
    identitySecret: row.identity_secret === null ? undefined : String(row.identity_secret),
    createdAt: Number(row.created_at),
    shown: shown === undefined ? undefined : { currency: shown, place },
    converting: toConverting(projection),
  };
}

function toConverting({ currency, walk }: SiteProjection): Site['converting'] {
  if (walk === undefined) return currency === undefined ? { converted: 0, payments: 0 } : undefined;
  const { converted, payments } = walk;
  return { converted, payments: Math.max(payments, converted) }; // More may have come meanwhile.
}

function mintIdentitySecret(): string {
  return `idsec_${randomBytes(32).toString('base64url')}`;
}
