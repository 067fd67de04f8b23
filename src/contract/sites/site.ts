import Type, { type Static } from 'typebox';
import { CHANNEL_FIELDS, CHANNEL_OPS } from '#domain/acquisition/channels/site-channel.ts';
import { Nullable, Strict } from '../query-fields.ts';
import { OptionalText } from '../text.ts';

/** The path parameters of a site. */
export const SitePath = Type.Object({
  id: Type.String({ description: 'The site’s id or domain.' }),
});

/** What everybody who sees a site sees of it. */
export const SITE_FIELDS = {
  ...{ domain: Type.String(), timezone: Type.String(), currency: Type.String() },
  name: Type.String({ description: 'The display name; the domain if there is none.' }),
};

/** A rule of a custom channel. All its conditions must be true. */
export const ChannelRule = Type.Object({
  name: Type.String(),
  where: Type.Array(
    Type.Object({
      field: Type.Enum([...CHANNEL_FIELDS]),
      op: Type.Enum([...CHANNEL_OPS]),
      value: Type.String(),
    }),
  ),
});
export type ChannelRule = Static<typeof ChannelRule>;

const Choice = (description: string) => Nullable(Type.String(), description);
/** A site's settings; null stands for the default. */
const SiteChoices = Type.Object({
  retention: Choice(
    'How long events and visits are kept, such as `90d` or `25mo`; null is forever.',
  ),
  provider_events: Choice('How long raw events of payment providers are kept; null is `90d`.'),
  data_centres: Choice('`bots` if visitors from data centres count as bots; null if as people.'),
  cookieless: Choice(
    '`always`, or `gpc` for browsers that send Global Privacy Control: no cookie is set.',
  ),
  identify: Choice('`signed` if `identify` events from browsers need a signature.'),
  mask_paths: Nullable(
    Type.Array(Type.String(), { maxItems: 20 }),
    'Patterns of paths to record masked, such as `/orders/*`; with `!`, those to keep.',
  ),
  exclude: Nullable(
    Type.Array(Type.String(), { maxItems: 50 }),
    'Events to drop: IP addresses, ranges, countries, paths and hosts, such as `203.0.113.0/24`, `DE`, `/admin/**`.',
  ),
});

/** A site, with all its settings. */
export const SiteAnswer = Type.Object(
  {
    id: Type.String(),
    domain: Type.String(),
    name: Type.String({ description: 'The display name; empty if it has none.' }),
    timezone: Type.String(),
    currency: Type.String(),
    allowed_hosts: Type.Array(Type.String()),
    settings: SiteChoices,
    channels: Type.Array(ChannelRule),
    has_identity_secret: Type.Boolean(),
    created_at: Type.String(),
    identity_secret: OptionalText('A newly created secret. It is not shown again.'),
  },
  { title: 'Site', description: 'The site.' },
);
export type SiteAnswer = Static<typeof SiteAnswer>;

/** The sites that somebody has access to. */
export const SitesAnswer = Type.Object(
  { sites: Type.Array(SiteAnswer) },
  { description: 'The sites that the person has access to.' },
);

/** The request to add a site. */
export const NewSiteRequest = Strict({
  domain: Type.String({ description: 'Such as `example.com`; includes its subdomains.' }),
  name: Type.Optional(Type.String()),
  timezone: OptionalText('An IANA time zone; UTC by default.'),
  currency: OptionalText('An ISO 4217 code; USD by default.'),
  allowed_hosts: Type.Optional(Type.Array(Type.String(), { maxItems: 100 })),
});

/** The request to change a site. */
export const SiteChange = Type.Partial(
  Type.Object({
    ...NewSiteRequest.properties,
    settings: Type.Partial(SiteChoices, { additionalProperties: false }),
    channels: Type.Array(ChannelRule, {
      maxItems: 100,
      description: 'The complete list of custom channel rules, in order.',
    }),
  }),
  { additionalProperties: false },
);
export type SiteChange = Static<typeof SiteChange>;

/** The answer to removing a site. */
export const RemovedSiteAnswer = Type.Object(
  { id: Type.String(), domain: Type.String(), removed: Type.Literal(true) },
  { description: 'The site is removed, with its keys and saved items. Recorded data stays.' },
);

/** What a site's pages load the script with. */
export const ScriptAnswer = Type.Object(
  { path: Type.String(), src: Type.String(), tag: Type.String() },
  { description: 'The tag for the site’s pages, and the script’s URL.' },
);
export type ScriptAnswer = Static<typeof ScriptAnswer>;

/** A new secret that signs claims. */
export const IdentitySecretAnswer = Type.Object(
  { identity_secret: Type.String() },
  { description: 'The secret. It is not shown again.' },
);
export type IdentitySecretAnswer = Static<typeof IdentitySecretAnswer>;
