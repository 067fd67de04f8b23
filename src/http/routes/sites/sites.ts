import Type, { type Static } from 'typebox';
import { describeChanges } from '#accounts/audit/describe-changes.ts';
import { bodyErrors, readErrors } from '#contract/error.ts';
import type { Fault } from '#contract/fault.ts';
import { Strict } from '#contract/query-fields.ts';
import { parseSiteChannel, type SiteChannel } from '#domain/acquisition/channels/site-channel.ts';
import type { Result } from '#domain/result.ts';
import { ok } from '#domain/result.ts';
import { SITE_SETTINGS, type SiteSettingName } from '#domain/site/site-settings.ts';
import { toScriptPath } from '#ledger/sites/script-path.ts';
import type { NewSite, Site } from '#ledger/sites/sites.ts';
import { refuseFaults } from '../../answers/errors.ts';
import { personOf, requirePerson, requireRole } from '../../requests/people.ts';
import type { ReadDeps } from '../../server/server-deps.ts';
import type { Server } from '../../server/server-type.ts';
import { removeSite } from './remove-site.ts';
import { Channel, SiteAnswer, SiteChoices, toSiteAnswer } from './site-answer.ts';
import {
  accepted,
  byPeople,
  requireOwner,
  SitePath,
  siteOfPath,
  takesJson,
} from './site-request.ts';

const NewSiteBody = Strict({
  domain: Type.String({ description: 'Such as `example.com`; includes its subdomains.' }),
  name: Type.Optional(Type.String()),
  timezone: Type.Optional(Type.String({ description: 'An IANA time zone; UTC by default.' })),
  currency: Type.Optional(Type.String({ description: 'An ISO 4217 code; USD by default.' })),
  allowed_hosts: Type.Optional(Type.Array(Type.String(), { maxItems: 100 })),
});

const ChangeBody = Type.Partial(
  Type.Object({
    ...NewSiteBody.properties,
    settings: Type.Partial(SiteChoices, { additionalProperties: false }),
    channels: Type.Array(Channel, {
      maxItems: 100,
      description: 'The complete list of custom channel rules, in order.',
    }),
  }),
  { additionalProperties: false },
);
type ChangeBody = Static<typeof ChangeBody>;

const List = Type.Object(
  { sites: Type.Array(SiteAnswer) },
  { description: 'The sites that the person has access to.' },
);
const Removed = Type.Object(
  { id: Type.String(), domain: Type.String(), removed: Type.Literal(true) },
  { description: 'The site is removed, with its keys and saved items. Recorded data stays.' },
);
const Script = Type.Object(
  { path: Type.String(), src: Type.String(), tag: Type.String() },
  { description: 'The tag for the site’s pages, and the script’s URL.' },
);
const Secret = Type.Object(
  { identity_secret: Type.String() },
  { description: 'The secret. It is not shown again.' },
);

/** `/api/v1/sites`: lists, adds, changes and removes sites. */
export function addSiteRoutes(server: Server, deps: ReadDeps): void {
  addList(server, deps);
  addOne(server, deps);
}

function addList(server: Server, deps: ReadDeps): void {
  const { accounts, siteStore } = deps;
  server.route({
    method: 'GET',
    url: '/api/v1/sites',
    onRequest: requirePerson(accounts),
    schema: byPeople('listSites', 'List the sites you have access to', {
      response: { 200: List, ...readErrors() },
    }),
    async handler(request) {
      const person = personOf(request);
      const sites = (await siteStore.listSites()).filter(({ id }) => accounts.findRole(person, id));
      return { sites: sites.map((site) => toSiteAnswer(site)) };
    },
  });
  server.route({
    method: 'POST',
    url: '/api/v1/sites',
    ...takesJson(requireOwner(deps)),
    schema: byPeople('addSite', 'Add a site (owner of the server only)', {
      body: NewSiteBody,
      response: { 200: SiteAnswer, ...bodyErrors() },
    }),
    async handler(request) {
      const { timezone = 'UTC', currency = 'USD', ...given } = request.body;
      const wanted = { ...toWanted(given), timezone, currency, domain: given.domain };
      const site = accepted(await siteStore.addSite(wanted));
      const noted = { siteId: site.id, what: 'site added', about: site.domain };
      await accounts.audit.note(personOf(request), noted);
      return toSiteAnswer(site);
    },
  });
}

function addOne(server: Server, deps: ReadDeps): void {
  const { accounts, siteStore, settings } = deps;
  const url = '/api/v1/sites/:id';
  server.route({
    method: 'GET',
    url,
    onRequest: requireRole(deps, 'viewer'),
    schema: byPeople('findSite', 'Get a site', {
      params: SitePath,
      response: { 200: SiteAnswer, ...readErrors() },
    }),
    handler: ({ params }) => toSiteAnswer(siteOfPath(deps, params)),
  });
  server.route({
    method: 'PATCH',
    url,
    ...takesJson(requireRole(deps, 'admin')),
    schema: byPeople('changeSite', 'Change a site’s settings', {
      params: SitePath,
      body: ChangeBody,
      response: { 200: SiteAnswer, ...bodyErrors() },
    }),
    async handler(request) {
      const site = siteOfPath(deps, request.params);
      const changed = await change(deps, site, request.body);
      const about = describeChanges(toFields(site), toFields(changed));
      const noted = { siteId: site.id, what: 'site changed', about };
      if (about !== '') await accounts.audit.note(personOf(request), noted);
      const isSame = changed.identitySecret === site.identitySecret;
      return toSiteAnswer(changed, isSame ? undefined : changed.identitySecret);
    },
  });
  server.route({
    method: 'DELETE',
    url,
    onRequest: requireRole(deps, 'owner'),
    schema: byPeople('removeSite', 'Remove a site and its keys; recorded data stays', {
      params: SitePath,
      response: { 200: Removed, ...readErrors() },
    }),
    handler(request) {
      return removeSite(deps, personOf(request), request.params.id);
    },
  });
  server.route({
    method: 'GET',
    url: `${url}/script`,
    onRequest: requireRole(deps, 'viewer'),
    schema: byPeople('findScript', 'Get the script tag for a site’s pages', {
      params: SitePath,
      response: { 200: Script, ...readErrors() },
    }),
    handler(request) {
      const { id, domain } = siteOfPath(deps, request.params);
      const path = toScriptPath(id);
      const src = `${settings.baseUrl ?? `${request.protocol}://${request.host}`}${path}`;
      return { path, src, tag: `<script async data-site="${domain}" src="${src}"></script>` };
    },
  });
  server.route({
    method: 'POST',
    url: `${url}/identity-secret`,
    onRequest: requireRole(deps, 'admin'),
    schema: byPeople('makeIdentitySecret', 'Replace the secret that signs claims', {
      params: SitePath,
      response: { 200: Secret, ...readErrors() },
    }),
    async handler(request) {
      const { id: siteId } = siteOfPath(deps, request.params);
      const secret = accepted(await siteStore.rotateIdentitySecret(siteId));
      await accounts.audit.note(personOf(request), {
        siteId,
        what: 'identity secret made',
        about: '',
      });
      return { identity_secret: secret };
    },
  });
}

/** Changes a site and returns it. Channels are validated first, so that an invalid one changes nothing. */
async function change({ siteStore }: ReadDeps, site: Site, body: ChangeBody): Promise<Site> {
  const channels = body.channels?.map(toChannel);
  const changed = accepted(
    await siteStore.setSite(site.id, toTexts(body.settings ?? {}), toWanted(body)),
  );
  return channels === undefined
    ? changed
    : accepted(await siteStore.setChannels(site.id, () => ok(channels)));
}

function toChannel({ name, where }: Static<typeof Channel>, index: number): SiteChannel {
  const tests = where.map(({ field, op, value }) => `${field} ${op} ${value}`);
  const channel: Result<SiteChannel, string> = parseSiteChannel(name, tests);
  if (channel.ok) return channel.value;
  throw refuseFaults([{ path: `/channels/${index}`, message: channel.error }]);
}

function toWanted({ domain, name, timezone, currency, allowed_hosts: hosts }: ChangeBody) {
  const given = { domain, name, timezone, currency, allowedHosts: hosts };
  const named = Object.entries(given).filter(([, value]) => value !== undefined);
  return Object.fromEntries(named) as Partial<NewSite>;
}

/** The settings in the ledger's form, in which `default` resets a setting. Refuses an invalid one at its path. */
function toTexts(settings: NonNullable<ChangeBody['settings']>): Record<string, string> {
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
