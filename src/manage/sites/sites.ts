import { REMOVED } from '#contract/done.ts';
import type { Fault } from '#contract/fault.ts';
import { toScriptTag } from '#contract/sites/script-tag.ts';
import {
  type ChannelRule,
  IdentitySecretAnswer,
  NewSiteRequest,
  RemovedSiteAnswer,
  ScriptAnswer,
  SiteAnswer,
  SiteChange,
  SitesAnswer,
} from '#contract/sites/site.ts';
import { parseSiteChannel, type SiteChannel } from '#domain/acquisition/channels/site-channel.ts';
import type { Result } from '#domain/result.ts';
import { ok } from '#domain/result.ts';
import type { NewSite, Site, SiteFault } from '#domain/site/site.ts';
import { SITE_SETTINGS, type SiteSettingName } from '#domain/site/site-settings.ts';
import { refuseFaults } from '#server/errors/errors.ts';
import { toServerUrl } from '#server/requests/server-url.ts';
import type { Server } from '#server/server-type.ts';
import { addUserRoute, siteRoutes } from '../access/routes.ts';
import { requireOwner, requireUser, type SiteAccess } from '../access/users.ts';
import { describeChanges } from './describe-changes.ts';
import { type RemovalDeps, removeSite } from './remove-site.ts';
import { toSiteAnswer } from './site-answer.ts';

/** The sites in the ledger. What refuses says why, and changes nothing. */
interface SiteStore {
  listSites(): Promise<readonly Site[]>;
  addSite(site: NewSite): Promise<Accepted<Site>>;
  /** Changes settings, given as texts by name, and what else is wanted. */
  setSite(id: string, texts: Texts, wanted: Partial<NewSite>): Promise<Accepted<Site>>;
  setChannels(id: string, channels: readonly SiteChannel[]): Promise<Accepted<Site>>;
  /** Replaces the secret, and returns the new one. */
  rotateIdentitySecret(id: string): Promise<Accepted<string>>;
}
type Accepted<T> = Result<T, SiteFault>;
type Texts = Readonly<Record<string, string>>;

type SiteDeps = SiteAccess<'saved' | 'notices'> & {
  readonly siteStore: SiteStore & RemovalDeps['siteStore'];
  readonly baseUrl: string | undefined;
};

/** `/api/v1/sites`: lists, adds, changes and removes sites. */
export function addSiteRoutes(server: Server, deps: SiteDeps): void {
  addList(server, deps);
  addOne(server, deps);
}

function addList(server: Server, deps: SiteDeps): void {
  const { accounts, siteStore } = deps;
  addUserRoute(server, 'GET /api/v1/sites', requireUser(accounts), {
    operation: ['listSites', 'List the sites you have access to'],
    answer: SitesAnswer,
    async handle({ user }) {
      const sites = [];
      for (const site of await siteStore.listSites()) {
        if (await accounts.findRole(user, site.id)) sites.push(toSiteAnswer(site));
      }
      return { sites };
    },
  });
  addUserRoute(server, 'POST /api/v1/sites', requireOwner(deps.accounts), {
    operation: ['addSite', 'Add a site (owner of the server only)'],
    body: NewSiteRequest,
    answer: SiteAnswer,
    async handle({ user, body }) {
      const { timezone = 'UTC', currency = 'USD', ...given } = body;
      const wanted = { ...toWanted(given), timezone, currency, domain: given.domain };
      const site = accepted(await siteStore.addSite(wanted));
      const noted = { siteId: site.id, what: 'site added', about: site.domain };
      await accounts.audit.note(user, noted);
      return toSiteAnswer(site);
    },
  });
}

function addOne(server: Server, deps: SiteDeps): void {
  const { siteStore, baseUrl } = deps;
  const add = siteRoutes(server, deps);
  add('GET /', 'viewer', {
    operation: ['findSite', 'Get a site'],
    answer: SiteAnswer,
    handle: ({ site }) => toSiteAnswer(site),
  });
  add('PATCH /', 'admin', {
    operation: ['changeSite', 'Change a site’s settings'],
    body: SiteChange,
    answer: SiteAnswer,
    async handle({ site, body, note }) {
      const changed = await change(siteStore, site, body);
      const about = describeChanges(toFields(site), toFields(changed));
      if (about !== '') await note('site changed', about);
      const isSame = changed.identitySecret === site.identitySecret;
      return toSiteAnswer(changed, isSame ? undefined : changed.identitySecret);
    },
  });
  add('DELETE /', 'owner', {
    operation: ['removeSite', 'Remove a site and its keys; recorded data stays'],
    answer: RemovedSiteAnswer,
    async handle({ site: { id, domain }, note }) {
      await removeSite(deps, id);
      await note('site removed', domain);
      return { id, domain, ...REMOVED };
    },
  });
  add('GET /script', 'viewer', {
    operation: ['findScript', 'Get the script tag for a site’s pages'],
    answer: ScriptAnswer,
    handle: ({ site, request }) => toScriptTag(site, toServerUrl(request, baseUrl)),
  });
  add('POST /identity-secret', 'admin', {
    operation: ['makeIdentitySecret', 'Replace the secret that signs claims'],
    answer: IdentitySecretAnswer,
    async handle({ site, note }) {
      const secret = accepted(await siteStore.rotateIdentitySecret(site.id));
      await note('identity secret made', '');
      return { identity_secret: secret };
    },
  });
}

/** Changes a site and returns it. Channels are validated first, so that an invalid one changes nothing. */
async function change(siteStore: SiteStore, site: Site, body: SiteChange): Promise<Site> {
  const channels = body.channels?.map(toChannel);
  const changed = accepted(
    await siteStore.setSite(site.id, toTexts(body.settings ?? {}), toWanted(body)),
  );
  return channels === undefined
    ? changed
    : accepted(await siteStore.setChannels(site.id, channels));
}

function toChannel({ name, where }: ChannelRule, index: number): SiteChannel {
  const tests = where.map(({ field, op, value }) => `${field} ${op} ${value}`);
  const channel: Result<SiteChannel, string> = parseSiteChannel(name, tests);
  if (channel.ok) return channel.value;
  throw refuseFaults([{ path: `/channels/${index}`, message: channel.error }]);
}

function toWanted({ domain, name, timezone, currency, allowed_hosts: hosts }: SiteChange) {
  const given = { domain, name, timezone, currency, allowedHosts: hosts };
  const named = Object.entries(given).filter(([, value]) => value !== undefined);
  return Object.fromEntries(named) as Partial<NewSite>;
}

/** The settings in the ledger's form, in which `default` resets a setting. Refuses an invalid one at its path. */
function toTexts(settings: NonNullable<SiteChange['settings']>): Record<string, string> {
  const faults: Fault[] = [];
  const texts = Object.entries(settings).map(([name, value]) => {
    const own = name.replace(/_(\w)/, (_, letter) => letter.toUpperCase()) as SiteSettingName;
    const text = typeof value === 'string' ? value : value?.join(' ') || 'default';
    const parsed = text === 'default' ? ok(text) : SITE_SETTINGS[own].parse(text);
    if (!parsed.ok) faults.push({ path: `/settings/${name}`, message: parsed.error });
    return [own, text];
  });
  if (faults.length > 0) throw refuseFaults(faults);
  return Object.fromEntries(texts);
}

/** A site's settings by name, as the audit log has them. */
function toFields(site: Site): Record<string, unknown> {
  const { settings, ...others } = toSiteAnswer(site);
  return { ...others, ...settings };
}

/** Unwraps a store's result. Throws a refusal with the store's message, at the property that is at fault. */
function accepted<T>(outcome: Result<T, SiteFault>): T {
  if (outcome.ok) return outcome.value;
  const { field, message } = outcome.error;
  const name = field === 'allowedHosts' ? 'allowed_hosts' : field;
  throw refuseFaults([{ path: name === undefined ? '' : `/${name}`, message }]);
}
