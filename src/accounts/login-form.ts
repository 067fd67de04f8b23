import { ok, type Result, refuse } from '#domain/result.ts';
import { PASSWORD_LENGTH } from './password.ts';
import { toEmail, toName } from './person.ts';

/** The login that somebody wants. */
export type NewLogin = {
  readonly name: string;
  readonly email: string;
  readonly password: string;
};

/** Why a link or a login is refused, and which of its fields is at fault. */
export type Refusal = { readonly field: keyof NewLogin | 'token'; readonly message: string };

/** The refusal of a link that was used, is old, or never was. */
export const LINK_OVER: Refusal = {
  field: 'token',
  message: 'is not valid: a link works once, and for some time; make another one',
};

/** A login as it is stored; what is wrong with it otherwise. */
export function parseLogin(login: NewLogin): Result<Omit<NewLogin, 'password'>, Refusal> {
  const name = toName(login.name);
  const email = toEmail(login.email);
  if (name === undefined)
    return refuse({ field: 'name', message: 'must have 1 to 100 characters' });
  if (email === undefined) return refuse({ field: 'email', message: 'must be an e-mail address' });
  const fault = findPasswordFault(login.password);
  return fault === undefined ? ok({ name, email }) : refuse(fault);
}

/** What is wrong with a password. */
export function findPasswordFault({ length }: string): Refusal | undefined {
  const { min, max } = PASSWORD_LENGTH;
  if (length >= min && length <= max) return undefined;
  return { field: 'password', message: `must have ${min} to ${max} characters` };
}
