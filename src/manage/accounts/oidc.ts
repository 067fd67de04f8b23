import { toOwnPage } from '#contract/logins/own-page.ts';
import { ProviderAnswer, ProviderRequest } from '#contract/logins/sign-in.ts';
import { FOREIGN_ISSUER } from '#domain/account/login-form.ts';
import { RefusedRequest } from '#server/errors/errors.ts';
import type { Server } from '#server/server-type.ts';
import { addOpenRoute } from '../access/routes.ts';
import { requireOwnOrigin } from '../access/users.ts';
import type { UserAccounts } from '../ports.ts';
import { copyCookies, sendAnswer, toInner } from './logins.ts';

const FAILED_PAGE = '/sign-in';
const INVITED_PAGE = '/invite';

/** `POST /api/sign-in/oidc` and `/api/auth/callback/oidc`: sign-in with an identity provider. */
export function addOidcRoutes(server: Server, accounts: UserAccounts): void {
  addOpenRoute(server, 'POST /api/sign-in/oidc', [requireOwnOrigin(accounts)], {
    operation: ['signInAtProvider', 'Start to sign in with the identity provider'],
    body: ProviderRequest,
    answer: ProviderAnswer,
    async handle({ body, request, reply }) {
      const page = toOwnPage(body.next ?? '/', accounts.origin);
      const errorCallbackURL = page.startsWith(INVITED_PAGE) ? INVITED_PAGE : FAILED_PAGE;
      // Absolute, because better-auth refuses paths with an encoded slash.
      const callbackURL = `${accounts.origin}${page}`;
      const asked = { provider: 'oidc', callbackURL, errorCallbackURL };
      const inner = toInner(request, accounts.origin, 'sign-in/social', asked);
      const answer = await accounts.handleLogin(inner);
      const { url, code } = (await answer.json()) as { readonly url?: string; code?: string };
      if (!answer.ok || url === undefined) {
        const message =
          code === FOREIGN_ISSUER
            ? 'The identity provider names a different issuer than this server expects. The server log has details.'
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
      const user = await accounts.findUser(toCookies(answer));
      const what = 'signed in at the identity provider';
      if (user !== undefined) await accounts.audit.note(user, { siteId: '', what, about: '' });
      return sendAnswer(reply, answer);
    },
  });
}

/** The cookies of an answer as its browser will send them. */
function toCookies({ headers }: Response): string {
  const pairs = headers.getSetCookie().map((each) => each.replace(/;.*/s, ''));
  return pairs.join('; ');
}
