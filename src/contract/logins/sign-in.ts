import Type, { type Static } from 'typebox';
import { Nullable, Strict } from '../query-fields.ts';
import { OptionalText } from '../text.ts';

/** The token of a link. */
export const LinkToken = Type.String({ maxLength: 100, description: 'The link’s part after `#`.' });
/** Not limited here: the check in `src/domain/account` gives a better message. */
const Password = Type.String();

/** The request to create the owner's login. */
export const StartRequest = Strict({
  token: LinkToken,
  name: Type.String(),
  email: Type.String(),
  password: Password,
});

/** The request to set a new password with a link. */
export const ResetRequest = Strict({ token: LinkToken, password: Password });
/** The request for such a link by mail. */
export const ResetLinkRequest = Strict({ email: Type.String() });

/** The question whether a link still works, which uses nothing up. */
export const LinkQuestion = Strict({ of: Type.Enum(['start', 'reset']), token: LinkToken });
/** Whether it does. */
export const LinkAnswer = Type.Object(
  { works: Type.Boolean() },
  { description: 'Whether it does.' },
);
export type LinkAnswer = Static<typeof LinkAnswer>;

/** How people can sign in. */
export const SignInOptionsAnswer = Type.Object(
  {
    mail: Type.Boolean({ description: 'Whether passwords can be reset by mail.' }),
    oidc: Nullable(Type.String(), 'The name of the identity provider, if there is one.'),
    has_owner: Type.Boolean({ description: 'Without an owner, nobody can sign in yet.' }),
  },
  { description: 'The ways to sign in.' },
);
export type SignInOptionsAnswer = Static<typeof SignInOptionsAnswer>;

/** The request to sign in at the identity provider. */
export const ProviderRequest = Strict({
  next: OptionalText('The page to return to, such as `/tea.example`.'),
});

/** Where that begins. */
export const ProviderAnswer = Type.Object(
  { url: Type.String({ description: 'The URL to open in the browser.' }) },
  { description: 'The provider’s sign-in page.' },
);
export type ProviderAnswer = Static<typeof ProviderAnswer>;
