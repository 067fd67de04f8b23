import { ok, type Result, refuse } from '#domain/result.ts';
import { isGuessable, PASSWORD_LENGTH } from './password.ts';
import { toEmail, toName } from './user.ts';

/** The fields of a new login. */
export type NewLogin = Readonly<Record<'name' | 'email' | 'password', string>>;

/** Why a link or a login is refused, and the field at fault. */
export type Refusal = { readonly field: keyof NewLogin | 'token'; readonly message: string };

/** The refusal of a link that is used, expired or unknown. */
export const LINK_OVER: Refusal = {
  field: 'token',
  message: 'is not valid: it was used, has expired or never existed',
};

/** The refusal of a token that does not prove the address, to a login that has not proved it before. */
export const UNPROVED: Refusal = {
  field: 'token',
  message:
    'does not show that the address is yours. Open the link in the invitation’s mail, or set a new password with a reset link first',
};

/** The refusal of a text that is no name. */
export const NO_NAME: Refusal = { field: 'name', message: 'must have 1 to 100 characters' };

/** The refusal of a text that is no e-mail address. */
export const NO_EMAIL: Refusal = { field: 'email', message: 'must be an e-mail address' };

/** The refusal of an address that somebody else signs in with. */
export const EMAIL_TAKEN: Refusal = { field: 'email', message: 'has a login already' };

/** The refusal of a password that is not the user's. */
export const WRONG_PASSWORD: Refusal = { field: 'password', message: 'is wrong' };

/** The refusal of a change that needs a password, for a user without one. */
export const NO_PASSWORD: Refusal = {
  field: 'password',
  message: 'is not set: you sign in with your identity provider. Set one with a reset link first',
};

/** Parses a login into its stored form, or refuses it. */
export function parseLogin(login: NewLogin): Result<Omit<NewLogin, 'password'>, Refusal> {
  const name = toName(login.name);
  const email = toEmail(login.email);
  if (name === undefined) return refuse(NO_NAME);
  if (email === undefined) return refuse(NO_EMAIL);
  const fault = findPasswordFault(login.password);
  return fault === undefined ? ok({ name, email }) : refuse(fault);
}

/** The refusal of a password; `undefined` if it is acceptable. */
export function findPasswordFault(password: string): Refusal | undefined {
  const { min, max } = PASSWORD_LENGTH;
  if (password.length < min || password.length > max) {
    return { field: 'password', message: `must have ${min} to ${max} characters` };
  }
  if (!isGuessable(password)) return undefined;
  return { field: 'password', message: 'is too easy to guess. Use several unrelated words' };
}
