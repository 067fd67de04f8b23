import Type, { type Static } from 'typebox';
import { CHANNEL_FIELDS, CHANNEL_OPS } from '#domain/acquisition/channels/site-channel.ts';
import type { Site } from '#ledger/sites/sites.ts';

/** A rule of a custom channel. All its conditions must be true. */
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

/** A site's settings; null stands for the default. */
export const SiteChoices = Type.Object({
  retention: Type.Union([Type.String(), Type.Null()], {
    description: 'How long events and visits are kept, such as `90d` or `25mo`; null is forever.',
  }),
  data_centres: Type.Union([Type.String(), Type.Null()], {
    description: '`bots` if visitors from data centres count as bots; null if as people.',
  }),
  cookieless: Type.Union([Type.String(), Type.Null()], {
    description:
      '`always`, or `gpc` for browsers that send Global Privacy Control: no cookie is set.',
  }),
  identify: Type.Union([Type.String(), Type.Null()], {
    description: '`signed` if `identify` events from browsers need a signature.',
  }),
  mask_paths: Type.Union([Type.Array(Type.String(), { maxItems: 20 }), Type.Null()], {
    description:
      'Patterns of paths to record masked, such as `/orders/*`; with `!`, those to keep.',
  }),
});

/** A site, as returned by the API. */
export const SiteAnswer = Type.Object(
  {
    id: Type.String(),
    domain: Type.String(),
    name: Type.String({ description: 'The display name; empty if it has none.' }),
    timezone: Type.String(),
    currency: Type.String(),
    allowed_hosts: Type.Array(Type.String()),
    settings: SiteChoices,
    channels: Type.Array(Channel),
    has_identity_secret: Type.Boolean(),
    created_at: Type.String(),
    identity_secret: Type.Optional(
      Type.String({ description: 'A newly created secret. It is not shown again.' }),
    ),
  },
  { title: 'Site', description: 'The site.' },
);
type SiteAnswer = Static<typeof SiteAnswer>;

/** Formats a site, with its identity secret if that was just created. */
export function toSiteAnswer(site: Site, identitySecret?: string): SiteAnswer {
  const { id, domain, name, timezone, currency, settings } = site;
  const { retention = null, dataCentres = null, cookieless = null, identify = null } = settings;
  const { maskPaths = null, channels = [] } = settings;
  return {
    ...{ id, domain, name, timezone, currency, allowed_hosts: [...site.allowedHosts] },
    settings: {
      ...{ retention, data_centres: dataCentres, cookieless, identify },
      mask_paths: maskPaths && [...maskPaths],
    },
    channels: channels.map(({ name, where }) => ({ name, where: [...where] })),
    has_identity_secret: identitySecret !== undefined || site.identitySecret !== undefined,
    created_at: new Date(site.createdAt).toISOString(),
    ...(identitySecret !== undefined && { identity_secret: identitySecret }),
  };
}
