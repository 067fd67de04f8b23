import Type from 'typebox';
import { FOREIGN_ISSUER } from '#accounts/logins.ts';
import { bodyErrors } from '#contract/error.ts';
import { toOwnPage } from '#contract/own-page.ts';
import { Strict } from '#contract/query-fields.ts';
import { RefusedRequest } from '../../answers/errors.ts';
import { requireOwnOrigin } from '../../requests/people.ts';
import type { ServerDeps } from '../../server/server-deps.ts';
import type { Server } from '../../server/server-type.ts';
import { byAnybody, takesJson } from '../sites/site-request.ts';
import { copyCookies, sendAnswer, toInner } from './logins.ts';

const Body = Strict({
  next: Type.Optional(
    Type.String({ description: 'The page to return to, such as `/tea.example`.' }),
  ),
});
const Begun = Type.Object(
  { url: Type.String({ description: 'The URL to open in the browser.' }) },
  { description: 'The provider’s sign-in page.' },
);
const FAILED_PAGE = '/sign-in';
const INVITED_PAGE = '/invite';

/** `POST /api/sign-in/oidc` and `/api/auth/callback/oidc`: sign-in with an identity provider. */
export function addOidcRoutes(server: Server, { accounts, settings }: ServerDeps): void {
  if (settings.oidc === undefined) return;
  server.route({
    method: 'POST',
    url: '/api/sign-in/oidc',
    ...takesJson(requireOwnOrigin(accounts)),
    schema: byAnybody('signInAtProvider', 'Start to sign in with the identity provider', {
      body: Body,
      response: { 200: Begun, ...bodyErrors() },
    }),
    async handler(request, reply) {
      const page = toOwnPage(request.body.next ?? '/', accounts.origin);
      const errorCallbackURL = page.startsWith(INVITED_PAGE) ? INVITED_PAGE : FAILED_PAGE;
      // Absolute, because better-auth refuses paths with an encoded slash.
      const callbackURL = `${accounts.origin}${page}`;
      const body = { provider: 'oidc', callbackURL, errorCallbackURL };
      const inner = toInner(request, accounts.origin, 'sign-in/social', body);
      const answer = await accounts.handleLogin(inner);
      const { url, code } = (await answer.json()) as { readonly url?: string; code?: string };
      if (!answer.ok || url === undefined) {
        const message =
          code === FOREIGN_ISSUER
            ? 'The identity provider names another issuer than this server expects. The server log has details.'
            : 'The identity provider is not responding. Try again, or use your password.';
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
      const { search } = new URL(request.url, accounts.origin);
      const inner = toInner(request, accounts.origin, `callback/oidc${search}`);
      const answer = await accounts.handleLogin(inner);
      const person = await accounts.findPerson(toCookies(answer));
      const what = 'signed in at the identity provider';
      if (person !== undefined) await accounts.audit.note(person, { siteId: '', what, about: '' });
      return sendAnswer(reply, answer);
    },
  });
}

/** The cookies of an answer as its browser will send them. */
function toCookies({ headers }: Response): string {
  const pairs = headers.getSetCookie().map((each) => each.replace(/;.*/s, ''));
  return pairs.join('; ');
}
