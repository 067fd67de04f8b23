import Type, { type Static } from 'typebox';
import { ROLES } from '#domain/site/role.ts';
import { Nullable, Strict } from '../query-fields.ts';
import { SITE_FIELDS } from '../sites/site.ts';
import { LinkToken } from './sign-in.ts';

const Pending = Type.String({ description: 'A new address, until the link sent there is opened.' });

/** The signed-in user, and their sites. */
export const MeAnswer = Type.Object(
  {
    user: Type.Object({
      id: Type.String(),
      name: Type.String(),
      email: Type.String(),
      is_owner: Type.Boolean({ description: 'Owns the server: every site, and may add sites.' }),
      two_factor: Type.Boolean(),
    }),
    sites: Type.Array(
      Type.Object({
        id: Type.String(),
        ...SITE_FIELDS,
        has_payments: Type.Boolean({ description: 'Whether any payment was ever reported.' }),
        has_costs: Type.Boolean({ description: 'Whether any costs are recorded.' }),
        role: Type.Enum([...ROLES]),
      }),
    ),
    pending_email: Nullable(Pending),
  },
  { description: 'The user, and the sites they have access to.' },
);
export type MeAnswer = Static<typeof MeAnswer>;

const LOGIN = { name: Type.String(), email: Type.String() };

/** The request of somebody to change their name or address. */
export const MeChange = Type.Partial(
  Type.Object({
    ...LOGIN,
    password: Type.String({ description: 'The current one: a new e-mail address needs it.' }),
  }),
  { additionalProperties: false },
);

/** Their name and address after that. */
export const ChangedMeAnswer = Type.Object(
  { ...LOGIN, pending_email: Type.Optional(Pending) },
  { description: 'As stored.' },
);

/** The request to confirm a new address. */
export const ConfirmEmailRequest = Strict({ token: LinkToken });
