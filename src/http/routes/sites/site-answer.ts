import Type, { type Static } from 'typebox';
import { CHANNEL_FIELDS, CHANNEL_OPS } from '#domain/acquisition/channels/site-channel.ts';
import type { Site } from '#ledger/sites/sites.ts';

/** A rule of a site's own channels. All tests of a rule must hold. */
export const Channel = Type.Object({
  name: Type.String(),
  where: Type.Array(
    Type.Object({
      field: Type.Enum([...CHANNEL_FIELDS]),
      op: Type.Enum([...CHANNEL_OPS]),
      value: Type.String(),
    }),
  ),
});

/** What a site has chosen; null is the default. */
export const SiteChoices = Type.Object({
  retention: Type.Union([Type.String(), Type.Null()], {
    description: 'How long events and visits are kept, such as 90d or 25mo; null is for ever.',
  }),
  data_centres: Type.Union([Type.String(), Type.Null()], {
    description: 'What visitors from data centres are taken for: bots or people.',
  }),
  cookieless: Type.Union([Type.String(), Type.Null()], {
    description: 'Who is known for a day, without a cookie: always, or those who send gpc.',
  }),
  identify: Type.Union([Type.String(), Type.Null()], {
    description: 'signed: a browser is believed who its visitor is only with a signature.',
  }),
});

/** A site, as people see it. */
export const SiteAnswer = Type.Object(
  {
    id: Type.String(),
    domain: Type.String(),
    name: Type.String({ description: 'Empty where people call it by its domain.' }),
    timezone: Type.String(),
    currency: Type.String(),
    allowed_hosts: Type.Array(Type.String()),
    settings: SiteChoices,
    channels: Type.Array(Channel),
    has_identity_secret: Type.Boolean(),
    created_at: Type.String(),
    identity_secret: Type.Optional(
      Type.String({
        description: 'A secret that was just made. This is the only time it is shown.',
      }),
    ),
  },
  { description: 'The site.' },
);
type SiteAnswer = Static<typeof SiteAnswer>;

/** What a site is answered as, and a secret of it that was just made. */
export function toSiteAnswer(site: Site, identitySecret?: string): SiteAnswer {
  const {
    retention = null,
    dataCentres = null,
    cookieless = null,
    identify = null,
  } = site.settings;
  return {
    id: site.id,
    domain: site.domain,
    name: site.name,
    timezone: site.timezone,
    currency: site.currency,
    allowed_hosts: [...site.allowedHosts],
    settings: { retention, data_centres: dataCentres, cookieless, identify },
    channels: (site.settings.channels ?? []).map(({ name, where }) => ({
      name,
      where: [...where],
    })),
    has_identity_secret: identitySecret !== undefined || site.identitySecret !== undefined,
    created_at: new Date(site.createdAt).toISOString(),
    ...(identitySecret !== undefined && { identity_secret: identitySecret }),
  };
}
