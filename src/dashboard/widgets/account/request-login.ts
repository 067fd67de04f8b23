import { ApiError, request } from '../../api/api.ts';

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
