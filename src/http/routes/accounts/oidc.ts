import Type from 'typebox';
import { bodyErrors } from '#contract/error.ts';
import { RefusedRequest } from '../../answers/errors.ts';
import { requireOwnOrigin } from '../../requests/people.ts';
import type { ServerDeps } from '../../server/server-deps.ts';
import type { Server } from '../../server/server-type.ts';
import { takesJson } from '../sites/site-request.ts';
import { copyCookies, sendAnswer, toInner } from './logins.ts';

const Body = Type.Object(
  {
    next: Type.Optional(
      Type.String({ description: 'The page to return to, such as `/tea.example`.' }),
    ),
  },
  { additionalProperties: false },
);
const Begun = Type.Object(
  { url: Type.String({ description: 'The URL to open in the browser.' }) },
  { description: 'The provider’s sign-in page.' },
);
/** Matches paths on this server; prevents open redirects. */
const OWN_PAGE = /^\/(?![/\\])[^\\]*$/;
const FAILED_PAGE = '/sign-in';

/** `POST /api/sign-in/oidc` and `/api/auth/callback/oidc`: sign-in with an identity provider. */
export function addOidcRoutes(server: Server, { accounts, settings }: ServerDeps): void {
  if (settings.oidc === undefined) return;
  server.route({
    method: 'POST',
    url: '/api/sign-in/oidc',
    ...takesJson(requireOwnOrigin(accounts)),
    schema: {
      operationId: 'signInAtProvider',
      summary: 'Start to sign in with the identity provider',
      tags: ['people'],
      body: Body,
      response: { 200: Begun, ...bodyErrors() },
    },
    async handler(request, reply) {
      const { next = '/' } = request.body;
      const callbackURL = OWN_PAGE.test(next) ? next : '/';
      const body = { provider: 'oidc', callbackURL, errorCallbackURL: FAILED_PAGE };
      const { method, headers } = request;
      const from = { method, headers, url: '' };
      const inner = toInner(from, accounts.origin, 'sign-in/social', body);
      const answer = await accounts.handleLogin(inner);
      const { url } = (await answer.json()) as { readonly url?: string };
      if (!answer.ok || url === undefined) {
        const message = 'The identity provider is not responding. Try again, or use your password.';
        throw new RefusedRequest('unavailable', message, { headers: { 'retry-after': '10' } });
      }
      copyCookies(reply, answer);
      return { url };
    },
  });

  // The provider's page redirects here, so the origin is not checked. A state in a cookie protects it.
  server.route({
    method: 'GET',
    url: '/api/auth/callback/oidc',
    exposeHeadRoute: false,
    schema: { hide: true },
    async handler(request, reply) {
      const inner = toInner(request, accounts.origin, 'callback/oidc');
      return sendAnswer(reply, await accounts.handleLogin(inner));
    },
  });
}
