import Type, { type Static } from 'typebox';
import { ROLES } from '#domain/site/role.ts';
import { Strict } from '../query-fields.ts';
import { SitePath } from './site.ts';

const AnyRole = Type.Enum([...ROLES]);

/** The path parameters of a member. */
export const MemberPath = Type.Object({ ...SitePath.properties, user: Type.String() });
/** The path parameters of an invitation. */
export const InvitationPath = Type.Object({ ...SitePath.properties, invitation: Type.String() });

/** Somebody with access to a site. */
export const MemberAnswer = Type.Object(
  {
    user_id: Type.String(),
    name: Type.String(),
    email: Type.String(),
    role: AnyRole,
    is_owner: Type.Boolean({
      description: 'Whether the user owns the server, and so cannot be removed from a site.',
    }),
    two_factor: Type.Boolean(),
  },
  { description: 'The member.' },
);

const OPEN = { id: Type.String(), email: Type.String(), role: AnyRole, expires_at: Type.String() };

/** Everybody with access to a site, or invited to have it. */
export const MembersAnswer = Type.Object(
  { members: Type.Array(MemberAnswer), invitations: Type.Array(Type.Object(OPEN)) },
  { description: 'The members and open invitations of the site.' },
);
export type MembersAnswer = Static<typeof MembersAnswer>;

/** A new invitation, with its link. */
export const InvitedAnswer = Type.Object(
  {
    ...OPEN,
    is_sent: Type.Boolean({ description: 'Whether the invitation was sent by mail.' }),
    url: Type.String({ description: 'The invitation link. It is not shown again.' }),
  },
  { description: 'The invitation.' },
);
export type InvitedAnswer = Static<typeof InvitedAnswer>;

/** The request to invite somebody. */
export const InviteRequest = Strict({ email: Type.String(), role: AnyRole });
/** The request to change a member's role. */
export const RoleChange = Strict({ role: AnyRole });
