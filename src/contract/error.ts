import Type, { type Static, type TSchema } from 'typebox';
import { Fault } from './fault.ts';

/** Every error type, with its HTTP status and its meaning. */
export const ERROR_TYPES = {
  invalid_json: {
    code: 400,
    when: 'The body is not JSON: broken, not UTF-8, or nested deeper than 8 (a query: 24).',
  },
  invalid_request: { code: 400, when: 'The body breaks a rule; `details` names every fault.' },
  bot_visitor: { code: 400, when: 'The visitor is a bot.' },
  unauthorized: { code: 401, when: 'The key is missing, malformed, unknown, revoked or expired.' },
  forbidden: { code: 403, when: 'The key lacks the scope, or belongs to another site.' },
  visitor_not_found: { code: 404, when: 'The visitor has no pageview on the site.' },
  not_found: { code: 404, when: 'Nothing has this path or link.' },
  method_not_allowed: { code: 405, when: 'The path lacks the method; `Allow` lists those it has.' },
  request_timeout: { code: 408, when: 'The request did not arrive in time.' },
  transaction_conflict: { code: 409, when: 'The report contradicts the recorded payment.' },
  idempotency_conflict: { code: 409, when: 'The `Idempotency-Key` was used with another body.' },
  request_too_large: { code: 413, when: 'The body is larger than allowed.' },
  unsupported_media_type: { code: 415, when: 'The `Content-Type` is not `application/json`.' },
  rate_limited: { code: 429, when: 'Too many requests; retry after `Retry-After` seconds.' },
  headers_too_large: { code: 431, when: 'The headers are larger than allowed.' },
  internal: { code: 500, when: 'The server failed. Its log has the details.' },
  unavailable: {
    code: 503,
    when: 'A store is unavailable. Nothing was recorded; retry after `Retry-After` seconds.',
  },
} as const satisfies Record<string, { code: number; when: string }>;

/** A name of {@link ERROR_TYPES}. */
export type ErrorType = keyof typeof ERROR_TYPES;

const ROWS = Object.entries(ERROR_TYPES).map(
  ([type, { code, when }]) => `| ${code} | \`${type}\` | ${when} |`,
);

/** The closed list of all types of error, including those raised before routing, as a table. */
export const ERRORS_DESCRIPTION = [
  'Every error has the same shape. `type` is one of these:',
  ['| code | type | when |', '|---|---|---|', ...ROWS].join('\n'),
  'Paths do not list the errors raised before routing: 404 for unknown paths, 405 `method_not_allowed`, 408 `request_timeout` and 431 `headers_too_large`.',
].join('\n\n');

/** The body of every error answer. */
export const ErrorAnswer = Type.Object(
  {
    status: Type.Literal('error'),
    error: Type.Object({
      code: Type.Integer({ description: 'The HTTP status.' }),
      type: Type.Enum(Object.keys(ERROR_TYPES) as ErrorType[]),
      message: Type.String(),
      details: Type.Array(Fault),
      request_id: Type.String(),
    }),
  },
  { title: 'Error', description: ERRORS_DESCRIPTION },
);
export type ErrorAnswer = Static<typeof ErrorAnswer>;

/** The OpenAPI schemas of a route's error answers, by HTTP status. */
export function errorAnswers(...types: readonly ErrorType[]): Record<number, TSchema> {
  const byCode = Object.groupBy(types, (type) => ERROR_TYPES[type].code);
  return Object.fromEntries(
    Object.entries(byCode).map(([code, ofCode = []]) => {
      const description = ofCode.map((type) => `\`${type}\`: ${ERROR_TYPES[type].when}`).join(' ');
      return [code, { ...ErrorAnswer, description }];
    }),
  );
}

const READ_ERRORS = [
  'invalid_request',
  'unauthorized',
  'forbidden',
  'not_found',
  'rate_limited',
  'internal',
  'unavailable',
] as const;
const BODY_ERRORS = ['invalid_json', 'request_too_large', 'unsupported_media_type'] as const;

/** The error answers of a route with a key and without a body, plus `more`. */
export function readErrors(...more: readonly ErrorType[]): Record<number, TSchema> {
  return errorAnswers(...inTableOrder([...READ_ERRORS, ...more]));
}

/** The error answers of a route with a key and a JSON body, plus `more`. */
export function bodyErrors(...more: readonly ErrorType[]): Record<number, TSchema> {
  return errorAnswers(...inTableOrder([...READ_ERRORS, ...BODY_ERRORS, ...more]));
}

function inTableOrder(types: readonly ErrorType[]): ErrorType[] {
  return (Object.keys(ERROR_TYPES) as ErrorType[]).filter((type) => types.includes(type));
}
