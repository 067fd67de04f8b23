import Type, { type Static } from 'typebox';
import { ROLES } from '#domain/site/role.ts';
import { Strict } from '../query-fields.ts';
import { OptionalText } from '../text.ts';
import { LinkToken } from './sign-in.ts';

/** The request for the invitation of a link. */
export const FindInvitationRequest = Strict({ token: LinkToken });

/** An invitation, as somebody with its link sees it. */
export const InvitationAnswer = Type.Object(
  {
    email: Type.String(),
    role: Type.Enum([...ROLES]),
    domain: Type.String(),
    has_login: Type.Boolean({
      description: 'Whether the address has a login. If so, sign in before you accept.',
    }),
  },
  { description: 'The invitation.' },
);
export type InvitationAnswer = Static<typeof InvitationAnswer>;

/** The request to accept an invitation. */
export const AcceptInvitationRequest = Strict({
  token: LinkToken,
  name: OptionalText('Required without a login.'),
  password: OptionalText('Required without a login.'),
});

/** The answer to accepting an invitation. */
export const JoinedAnswer = Type.Object(
  { status: Type.Literal('success'), domain: Type.String() },
  { description: 'The user is now a member and signed in.' },
);
export type JoinedAnswer = Static<typeof JoinedAnswer>;
