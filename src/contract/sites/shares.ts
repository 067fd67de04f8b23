import Type, { type Static } from 'typebox';
import { Nullable, Strict } from '../query-fields.ts';
import { OptionalText } from '../text.ts';
import { SHARE_PANEL_NAMES } from './share.ts';
import { SITE_FIELDS, SitePath } from './site.ts';

const FILTERS_MAX = 20;

/** The path parameters of a shared link. */
export const SharePath = Type.Object({ ...SitePath.properties, share: Type.String() });

const Panels = Type.Array(Type.Enum([...SHARE_PANEL_NAMES]), {
  ...{ minItems: 1, maxItems: SHARE_PANEL_NAMES.length, uniqueItems: true },
  description: '`figures` stands for the cards and the chart; the others are tabs of the panels.',
});
const Filters = Type.Array(Type.Array(Type.Unknown()), {
  maxItems: FILTERS_MAX,
  description:
    'Filters as in a query. They apply to everything the link shows, and are visible there.',
});

/** A shared link. */
export const ShareAnswer = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    url: Type.String({ description: 'The link to share.' }),
    embed_url: Type.String({ description: 'The link to embed in a frame on another site.' }),
    has_password: Type.Boolean(),
    panels: Panels,
    revenue: Type.Boolean(),
    filters: Filters,
    created_at: Type.String(),
    created_by: Type.String(),
    last_used_at: Nullable(Type.String(), 'The last use, accurate to a minute.'),
  },
  { description: 'The shared link.' },
);
export type ShareAnswer = Static<typeof ShareAnswer>;

/** The shared links of a site. */
export const SharesAnswer = Type.Object(
  { shares: Type.Array(ShareAnswer) },
  { description: 'The shared links of the site, oldest first.' },
);
export type SharesAnswer = Static<typeof SharesAnswer>;

/** The request to share a part of a site. */
export const NewShareRequest = Strict({
  name: Type.String({
    maxLength: 100,
    description: 'An internal name, unique among the links of the site; the shared page hides it.',
  }),
  password: OptionalText('10 to 200 characters; none by default.'),
  panels: Panels,
  revenue: Type.Optional(
    Type.Boolean({ description: 'Whether money metrics are shown; false by default.' }),
  ),
  filters: Type.Optional(Filters),
});

/** What somebody with a shared link may see. */
export const SharedAnswer = Type.Object(
  {
    site: Type.Object(SITE_FIELDS),
    panels: Type.Array(Type.Enum([...SHARE_PANEL_NAMES])),
    revenue: Type.Boolean({ description: 'Whether money is shown. Not before the first payment.' }),
    filters: Type.Array(Type.Array(Type.Unknown()), {
      description: 'Filters that apply to everything the link shows.',
    }),
  },
  { description: 'The contents of the link.' },
);
export type SharedAnswer = Static<typeof SharedAnswer>;

/** The request to open a shared link with its password. */
export const OpenShareRequest = Strict({ password: Type.String({ maxLength: 1_000 }) });

/** What gives access to a shared link after its password was given. */
export const OpenedShareAnswer = Type.Object(
  {
    token: Type.String({ description: 'Send it as `X-Share-Token` from now on.' }),
    expires_at: Type.String(),
  },
  { description: 'The password is correct.' },
);
export type OpenedShareAnswer = Static<typeof OpenedShareAnswer>;
