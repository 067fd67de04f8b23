import { ok, type Result, refuse } from '../result.ts';
import { isGuessable, PASSWORD_LENGTH } from './guessable.ts';
import { toEmail, toName } from './user.ts';

/** The fields of a new login. */
export type NewLogin = Readonly<Record<'name' | 'email' | 'password', string>>;

/** A login after a change. The token is of the link that proves a new e-mail address. */
export type ChangedLogin = Omit<NewLogin, 'password'> & { readonly token?: string };

/** Why a link or a login is refused, and the field at fault. */
export type LoginFault = { readonly field: keyof NewLogin | 'token'; readonly message: string };

/** The refusal of a link that is used, expired or unknown. */
export const LINK_OVER: LoginFault = {
  field: 'token',
  message: 'is not valid: it was used, has expired or never existed',
};

/** The refusal of a token that does not prove the address, to a login that has not proved it before. */
export const UNPROVED: LoginFault = {
  field: 'token',
  message:
    'does not show that the address is yours. Open the link in the invitation’s mail, or set a new password with a reset link first',
};

/** The refusal of a text that is no name. */
export const NO_NAME: LoginFault = { field: 'name', message: 'must have 1 to 100 characters' };

/** The refusal of a text that is no e-mail address. */
export const NO_EMAIL: LoginFault = { field: 'email', message: 'must be an e-mail address' };

/** The refusal of an address that somebody else signs in with. */
export const EMAIL_TAKEN: LoginFault = { field: 'email', message: 'has a login already' };

/** The refusal of a password that is not the user's. */
export const WRONG_PASSWORD: LoginFault = { field: 'password', message: 'is wrong' };

/** The refusal of a change that needs a password, for a user without one. */
export const NO_PASSWORD: LoginFault = {
  field: 'password',
  message: 'is not set: you sign in with your identity provider. Set one with a reset link first',
};

/** The error code if the identity provider calls itself another than was set. */
export const FOREIGN_ISSUER = 'foreign_issuer';

/** Parses a login into its stored form, or refuses it. */
export function parseLogin(login: NewLogin): Result<Omit<NewLogin, 'password'>, LoginFault> {
  const name = toName(login.name);
  const email = toEmail(login.email);
  if (name === undefined) return refuse(NO_NAME);
  if (email === undefined) return refuse(NO_EMAIL);
  const fault = findPasswordFault(login.password);
  return fault === undefined ? ok({ name, email }) : refuse(fault);
}

/** The refusal of a password; `undefined` if it is acceptable. */
export function findPasswordFault(password: string): LoginFault | undefined {
  const { min, max } = PASSWORD_LENGTH;
  if (password.length < min || password.length > max) {
    return { field: 'password', message: `must have ${min} to ${max} characters` };
  }
  if (!isGuessable(password)) return undefined;
  return { field: 'password', message: 'is too easy to guess. Use several unrelated words' };
}
