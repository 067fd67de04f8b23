import Type, { type Static } from 'typebox';
import { SCOPES } from '#domain/site/scope.ts';
import { Nullable, Strict } from '../query-fields.ts';
import { SitePath } from './site.ts';

/** How long a replaced key stays valid, unless the request says otherwise. */
export const OVERLAP_HOURS = 24;

/** The path parameters of a key. */
export const KeyPath = Type.Object({ ...SitePath.properties, key: Type.String() });

const KEY = {
  id: Type.String(),
  name: Type.String(),
  scopes: Type.Array(Type.String()),
  prefix: Type.String({ description: 'The first characters of the key.' }),
  last4: Type.String({ description: 'The last four characters of the key.' }),
  state: Type.Enum(['live', 'revoked', 'expired']),
  created_at: Type.String(),
  expires_at: Nullable(Type.String()),
  revoked_at: Nullable(Type.String()),
  last_used_at: Nullable(Type.String(), 'The last use, accurate to a minute.'),
};

/** A key, as far as it is shown again. */
export const KeyAnswer = Type.Object(KEY, {
  title: 'Key',
  description: 'The key, without its secret.',
});
export type KeyAnswer = Static<typeof KeyAnswer>;

/** The keys of a site. */
export const KeysAnswer = Type.Object(
  { keys: Type.Array(KeyAnswer) },
  { description: 'The keys of the site, oldest first, including revoked and expired ones.' },
);
export type KeysAnswer = Static<typeof KeysAnswer>;

/** A new key, with its secret. */
export const MadeKeyAnswer = Type.Object(
  { ...KEY, key: Type.String({ description: 'The key itself. It is not shown again.' }) },
  { description: 'The new key.' },
);
export type MadeKeyAnswer = Static<typeof MadeKeyAnswer>;

/** The request to create a key. */
export const NewKeyRequest = Strict({
  name: Type.Optional(Type.String({ maxLength: 100 })),
  scopes: Type.Array(Type.Enum([...SCOPES]), { minItems: 1, maxItems: SCOPES.length }),
  expires_in_days: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 36_500, description: 'By default, it never expires.' }),
  ),
});

/** The request to replace a key. */
export const KeyRotation = Strict({
  overlap_hours: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 8_760,
      description: `How long the old key stays valid; ${OVERLAP_HOURS} by default.`,
    }),
  ),
});
