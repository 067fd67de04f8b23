import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifySchema,
  onRequestHookHandler,
} from 'fastify';
import type { Static, TSchema } from 'typebox';
import { bodyErrors, readErrors } from '#contract/error.ts';
import { parseJsonBody, type ReadsBody, requireJsonType } from './requests/body.ts';

/** A method and a path. */
export type At = `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`;

/** A route as `/openapi.json` describes it, and what answers it. `More` is what its hooks find. */
export type Route<P extends TSchema, B extends TSchema, A extends TSchema, More = unknown> = {
  /** Its name in generated clients, and what it does. */
  readonly operation: readonly [id: string, summary: string];
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly params?: P;
  readonly querystring?: TSchema;
  readonly body?: B;
  readonly answer: A;
  /** The status of the answer, if not 200. */
  readonly code?: 200 | 202;
  /** Its errors, if not those of every route with a body, or without. */
  readonly errors?: Readonly<Record<number, TSchema>>;
  /** Hooks that come after the one that allows the request. */
  readonly limits?: readonly onRequestHookHandler[];
  readonly isRead?: boolean;
  readonly bodyLimit?: number;
  readonly readBody?: ReadsBody;
  /** Whether `handle` gets a body with faults too, with `request.validationError`. */
  readonly attachValidation?: boolean;
  /** Returns the answer, or the reply if the caller has disconnected. */
  handle(asked: Asked<P, B> & More): Static<A> | Promise<Static<A> | FastifyReply>;
};

type Asked<P extends TSchema, B extends TSchema> = {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly params: Static<P>;
  readonly body: Static<B>;
};

/** Adds a route that the hooks in `allow` protect. `find` returns what they have found of the request. */
export function addRoute<P extends TSchema, B extends TSchema, A extends TSchema, More>(
  server: FastifyInstance,
  at: At,
  allow: readonly onRequestHookHandler[],
  { operation, answer, handle, code = 200, errors, limits = [], ...route }: Route<P, B, A, More>,
  find: (request: FastifyRequest) => More,
): void {
  const { isRead = false, bodyLimit, readBody, attachValidation = false, ...described } = route;
  const [operationId, summary] = operation;
  const [method, url] = at.split(' ') as [string, string];
  const takesJson = route.body !== undefined;
  const usual = takesJson ? bodyErrors() : readErrors();
  const response = { [code]: answer, ...(errors ?? usual) };
  const schema: FastifySchema = { operationId, summary, ...described, response };
  server.route({
    ...{ method, url, attachValidation, config: { isRead } },
    ...(bodyLimit !== undefined && { bodyLimit }),
    onRequest: [...allow, ...(takesJson ? [requireJsonType({ beacons: false })] : []), ...limits],
    preValidation: takesJson ? parseJsonBody(readBody) : [],
    schema,
    async handler(request, reply) {
      const { params, body } = request as { readonly params: Static<P>; readonly body: Static<B> };
      reply.code(code);
      return handle({ request, reply, params, body, ...find(request) });
    },
  });
}
