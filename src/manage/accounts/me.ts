import { DONE, Done } from '#contract/done.ts';
import { ChangedMeAnswer, ConfirmEmailRequest, MeAnswer, MeChange } from '#contract/logins/me.ts';
import { PROGRAM } from '#contract/program.ts';
import { LINK_OVER } from '#domain/account/login-form.ts';
import { toEmail } from '#domain/account/user.ts';
import { refuse } from '#domain/result.ts';
import type { Site } from '#domain/site/site.ts';
import { RefusedRequest, refuseFaults } from '#server/errors/errors.ts';
import type { Server } from '#server/server-type.ts';
import { addUserRoute } from '../access/routes.ts';
import { requireUser } from '../access/users.ts';
import type { UserAccounts } from '../ports.ts';
import { assertMayMail, isSent, type Post, refuseField } from './begin.ts';
import { staySignedIn, takeOwnTry } from './logins.ts';
import { toNewEmailMail, toOldEmailMail } from './mails.ts';

const NO_MAIL = `stays as it is, because this server sends no mail. Its operator changes it with "${PROGRAM} member email OLD NEW"`;

type MeDeps = Post & {
  readonly accounts: UserAccounts;
  readonly siteStore: {
    listSites(): Promise<readonly Site[]>;
    hasPayments(siteId: string): Promise<boolean>;
    hasCosts(siteId: string): Promise<boolean>;
  };
};

/** `/api/v1/me`: the signed-in user, their name, and the address they sign in with. */
export function addMeRoute(server: Server, deps: MeDeps): void {
  const { accounts, mailer, baseUrl, siteStore } = deps;
  addUserRoute(server, 'GET /api/v1/me', requireUser(accounts), {
    operation: ['me', 'Get the signed-in user and their sites'],
    answer: MeAnswer,
    async handle({ user, request, reply }) {
      if (user.isSessionDue) await staySignedIn(accounts, request, reply);
      const sites = [];
      for (const { domain, timezone, currency, ...site } of await siteStore.listSites()) {
        const role = await accounts.findRole(user, site.id);
        if (role === undefined) continue;
        const shown = { id: site.id, domain, name: site.name || domain, timezone, currency };
        const has_payments = await siteStore.hasPayments(site.id);
        const has_costs = await siteStore.hasCosts(site.id);
        sites.push({ ...shown, has_payments, has_costs, role });
      }
      const { id, name, email, isOwner, twoFactor } = user;
      const self = { id, name, email, is_owner: isOwner, two_factor: twoFactor };
      return { user: self, sites, pending_email: (await accounts.findAskedEmail(id)) ?? null };
    },
  });
  addUserRoute(server, 'PATCH /api/v1/me', requireUser(accounts), {
    operation: ['changeMe', 'Change your name or e-mail address'],
    body: MeChange,
    answer: ChangedMeAnswer,
    async handle({ user, request, body }) {
      const isNew = toEmail(body.email ?? user.email) !== user.email;
      if (isNew && mailer === undefined) throw refuseFaults([{ path: '/email', message: NO_MAIL }]);
      const succeeded = body.email && takeOwnTry(accounts, request);
      const changed = await accounts.change(user, body);
      if (!changed.ok) throw refuseField(changed.error);
      const { token, ...stored } = changed.value;
      const email = token && (await accounts.findAskedEmail(user.id));
      if (!email) return stored;
      if (succeeded) succeeded();
      const url = `${baseUrl}/email#${token}`;
      assertMayMail(accounts, email, user.id);
      const mail = toNewEmailMail(email, { url, before: user.email });
      if (await isSent(mailer, request, mail)) return { ...stored, pending_email: email };
      throw new RefusedRequest('unavailable', 'The mail could not be sent. Try again.');
    },
  });
  addUserRoute(server, 'POST /api/v1/me/email', requireUser(accounts), {
    operation: ['confirmEmail', 'Confirm your new e-mail address with the link sent there'],
    body: ConfirmEmailRequest,
    answer: Done,
    async handle({ user, request, reply, body }) {
      const email = await accounts.findAskedEmail(user.id, body.token);
      const changed =
        email === undefined ? refuse(LINK_OVER) : await accounts.setEmail(user, email);
      if (!changed.ok) throw refuseField(changed.error);
      reply.header('set-cookie', accounts.knownBrowsers.remember(changed.value));
      void isSent(mailer, request, toOldEmailMail(user.email, changed.value));
      return DONE;
    },
  });
}
