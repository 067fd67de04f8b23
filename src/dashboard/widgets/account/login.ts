import { ApiError, request } from '../../api/api.ts';
import type { FieldProps } from '../../ui/form.tsx';

type Refusal = { readonly field?: string; readonly message: string };

/** What better-auth says, in our words: at a field, or above the button. */
export const REFUSALS: Readonly<Record<string, Refusal>> = {
  'Invalid password': { field: 'password', message: 'is wrong' },
  'Invalid email or password': {
    field: 'password',
    message: 'The e-mail address or the password is wrong.',
  },
  'Invalid email': { field: 'email', message: 'must be an e-mail address' },
  'Credential account not found': {
    field: 'password',
    message: 'is not set: you sign in with your identity provider. Set one with a reset link first',
  },
  'Invalid code': { field: 'code', message: 'is wrong or has expired' },
  'Invalid backup code': { field: 'code', message: 'is wrong or was used before' },
  'Invalid two factor cookie': {
    message: 'This took too long. Reload the page and sign in again.',
  },
};

/** Sends a form to better-auth. Throws its refusals in our words, at the field concerned. */
export function requestLogin<Answer>(path: string, body: unknown): Promise<Answer> {
  return request<Answer>(`/api/auth/${path}`, { body }).catch((error: unknown) => {
    throw error instanceof ApiError ? toOurWords(error) : error;
  });
}

/** A refusal in our words; other errors stay as they are. */
export function toOurWords(error: ApiError): ApiError {
  const refusal = REFUSALS[error.message];
  if (refusal === undefined) return error;
  const { field, message } = refusal;
  const details = field === undefined ? [] : [{ path: `/${field}`, message }];
  return new ApiError(error.status, { message, details });
}

/** What is asked to make a login, and to sign in with it. */
export const YOUR_NAME: FieldProps = {
  ...{ label: 'Your name', name: 'name', autoComplete: 'name', required: true },
};

/** The address of a login. */
export const EMAIL: FieldProps = {
  ...{ label: 'E-mail', name: 'email', type: 'email', autoComplete: 'username', required: true },
};

/** Its password, or that of something else. */
export const PASSWORD: FieldProps = {
  ...{ label: 'Password', name: 'password', type: 'password', required: true },
  autoComplete: 'current-password',
};

/** A password that is set. */
export const NEW_PASSWORD: FieldProps = {
  ...{ ...PASSWORD, autoComplete: 'new-password', minLength: 10 },
  hint: 'At least ten characters.',
};
