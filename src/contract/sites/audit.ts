import Type, { type Static } from 'typebox';
import { AUDIT_LIMIT } from '#domain/account/audit.ts';
import { Nullable } from '../query-fields.ts';

/** The parameters of a list of changes. */
export const AuditParams = Type.Object({
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: AUDIT_LIMIT.max, default: AUDIT_LIMIT.byDefault }),
  ),
});
export type AuditParams = Static<typeof AuditParams>;

/** The changes that people made. */
export const AuditAnswer = Type.Object(
  {
    entries: Type.Array(
      Type.Object({
        at: Type.String(),
        site: Nullable(
          Type.String(),
          'The site’s domain; null if it has none, or the site is gone.',
        ),
        user_id: Type.String({ description: 'Empty for commands and failed sign-ins.' }),
        who: Type.String({ description: 'The user’s e-mail address at that time.' }),
        what: Type.String({ description: 'The action, such as `key created`.' }),
        about: Type.String({ description: 'Its object: a key’s name, an address, settings.' }),
      }),
    ),
  },
  { description: 'The entries, newest first.' },
);
export type AuditAnswer = Static<typeof AuditAnswer>;
