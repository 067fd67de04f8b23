import type { FastifyRequest } from 'fastify';
import { DONE, Done } from '#contract/done.ts';
import { bodyErrors } from '#contract/error.ts';
import {
  LinkAnswer,
  LinkQuestion,
  ResetLinkRequest,
  ResetRequest,
  SignInOptionsAnswer,
  StartRequest,
} from '#contract/logins/sign-in.ts';
import { PROGRAM } from '#contract/program.ts';
import type { LoginFault } from '#domain/account/login-form.ts';
import { toEmail } from '#domain/account/user.ts';
import type { Mail, Mailer } from '#notify/mailer.ts';
import { RefusedRequest, refuseFaults, refuseForNow } from '#server/errors/errors.ts';
import type { Server } from '#server/server-type.ts';
import { findOrigin } from '../access/find-origin.ts';
import { addOpenRoute } from '../access/routes.ts';
import { requireOwnOrigin } from '../access/users.ts';
import type { UserAccounts } from '../ports.ts';
import { signIn, takeTry } from './logins.ts';
import { toResetMail } from './mails.ts';

/** What sends mails, and the URL that their links begin with. */
export type Post = {
  /** Undefined if no mail server is configured. */
  readonly mailer: Mailer | undefined;
  readonly baseUrl: string | undefined;
};
/** The identity provider's name; if unset, there is none. */
type BeginDeps = Post & { accounts: UserAccounts; oidc: { readonly name: string } | undefined };

const OWNED = 'This server already has an owner.';

/** `/api/start`: the first login. `/api/sign-in-options`. `/api/reset`: a new password, by a link. `/api/links`: whether one works. */
export function addBeginRoutes(server: Server, deps: BeginDeps): void {
  const { accounts, mailer, baseUrl, oidc } = deps;
  const fromHere = requireOwnOrigin(accounts);

  addOpenRoute(server, 'POST /api/links', [fromHere], {
    operation: ['checkLink', 'Check whether a link for the first login or a new password works'],
    body: LinkQuestion,
    answer: LinkAnswer,
    async handle({ body: { of, token } }) {
      return { works: await accounts.isLinkOpen(of, token) };
    },
  });

  addOpenRoute(server, 'POST /api/start', [fromHere], {
    operation: ['start', 'Create the owner’s login with the link printed at start'],
    description: 'Also signs in. The link works once, within an hour.',
    body: StartRequest,
    answer: Done,
    errors: bodyErrors('not_found'),
    async handle({ body, request, reply }) {
      if (await accounts.hasOwner()) throw new RefusedRequest('not_found', OWNED);
      const { token, ...login } = body;
      const started = await accounts.start(token, login);
      if (!started.ok) throw refuseField(started.error);
      await signIn(accounts, request, reply, login);
      return DONE;
    },
  });

  addOpenRoute(server, 'POST /api/reset', [fromHere], {
    operation: ['resetPassword', 'Set a new password with a reset link'],
    description: 'Signs the user out everywhere. The link works once, within an hour.',
    body: ResetRequest,
    answer: Done,
    async handle({ body: { token, password } }) {
      const reset = await accounts.reset(token, password);
      if (!reset.ok) throw refuseField(reset.error);
      return DONE;
    },
  });

  addOpenRoute(server, 'GET /api/sign-in-options', [], {
    operation: ['signInOptions', 'List the ways to sign in'],
    answer: SignInOptionsAnswer,
    errors: {},
    async handle() {
      const isOpen = { mail: mailer !== undefined, oidc: oidc?.name ?? null };
      return { ...isOpen, has_owner: await accounts.hasOwner() };
    },
  });

  addOpenRoute(server, 'POST /api/reset/request', [fromHere], {
    operation: ['requestReset', 'Request a reset link by mail'],
    description: 'The response does not reveal whether the address has a login.',
    body: ResetLinkRequest,
    answer: Done,
    errors: bodyErrors('not_found'),
    async handle({ body, request }) {
      if (mailer === undefined) {
        const message = `This server sends no mail. Ask its operator for a link: "${PROGRAM} admin link --email ADDRESS".`;
        throw new RefusedRequest('not_found', message);
      }
      const email = toEmail(body.email);
      takeTry(accounts, { account: `reset of ${email}`, ...findOrigin(request) });
      const token = await accounts.makeResetLink(body.email);
      if (email !== undefined && token !== undefined && accounts.takeMail(email, email) === 0) {
        const mail = toResetMail(email, `${baseUrl}/reset#${token}`);
        setImmediate(() => void isSent(mailer, request, mail)); // After the answer, whose time tells nothing then.
      }
      return DONE;
    },
  });
}

/** Maps a refused link or login to an HTTP error. */
export function refuseField({ field, message }: LoginFault): RefusedRequest {
  return refuseFaults([{ path: `/${field}`, message }]);
}

/** Counts a mail that a user has sent. Refuses it if it is one too many. */
export function assertMayMail(of: Pick<UserAccounts, 'takeMail'>, to: string, by: string): void {
  const waitMs = of.takeMail(to, by);
  if (waitMs > 0) throw refuseForNow('Too many mails.', waitMs);
}

/** Sends a mail. Returns whether the mail server accepted it; a failure is logged. */
export async function isSent(
  mailer: Mailer | undefined,
  request: FastifyRequest,
  mail: Mail,
): Promise<boolean> {
  if (mailer === undefined) return false;
  try {
    await mailer.send(mail);
    return true;
  } catch (error) {
    // Only the error's code, because its message may contain the address.
    request.log.warn({ reason: (error as { code?: string }).code }, 'A mail could not be sent.');
    return false;
  }
}
