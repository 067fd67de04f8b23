import Type from 'typebox';
import { LINK_OVER } from '#accounts/login-form.ts';
import { toNewEmailMail, toOldEmailMail } from '#accounts/mail.ts';
import { ROLES, toEmail } from '#accounts/person.ts';
import { bodyErrors, readErrors } from '#contract/error.ts';
import { Strict } from '#contract/query-fields.ts';
import { refuse } from '#domain/result.ts';
import { RefusedRequest, refuseFaults } from '../../answers/errors.ts';
import { personOf, requirePerson } from '../../requests/people.ts';
import type { ServerDeps } from '../../server/server-deps.ts';
import type { Server } from '../../server/server-type.ts';
import { byPeople, DONE, Done, SITE_FIELDS, takesJson } from '../sites/site-request.ts';
import { assertMayMail, isSent, Token, toRefused } from './begin.ts';
import { staySignedIn, takeOwnTry } from './logins.ts';

const Pending = Type.String({ description: 'A new address, until the link sent there is opened.' });
const Answer = Type.Object(
  {
    user: Type.Object({
      id: Type.String(),
      name: Type.String(),
      email: Type.String(),
      is_owner: Type.Boolean({ description: 'Owns the server: every site, and may add sites.' }),
      two_factor: Type.Boolean(),
    }),
    sites: Type.Array(
      Type.Object({
        id: Type.String(),
        ...SITE_FIELDS,
        has_payments: Type.Boolean({ description: 'Whether any payment was ever reported.' }),
        role: Type.Enum([...ROLES]),
      }),
    ),
    pending_email: Type.Union([Pending, Type.Null()]),
  },
  { description: 'The person, and the sites they have access to.' },
);

const fields = { name: Type.String(), email: Type.String() };
const Changed = Type.Object(
  { ...fields, pending_email: Type.Optional(Pending) },
  { description: 'As stored.' },
);
const password = Type.String({ description: 'The current one: a new e-mail address needs it.' });
const EmailBody = Strict({ token: Token });
const known = { additionalProperties: false };
const Change = Type.Partial(Type.Object({ ...fields, password }), known);

const NO_MAIL =
  'stays as it is, because this server sends no mail. Its operator changes it with `npm run tributary -- member email OLD NEW`';

/** `/api/v1/me`: the signed-in person, their name, and the address they sign in with. */
export function addMeRoute(server: Server, deps: ServerDeps): void {
  const { accounts, settings, siteStore } = deps;
  server.route({
    method: 'GET',
    url: '/api/v1/me',
    onRequest: requirePerson(accounts),
    schema: byPeople('me', 'Get the signed-in person and their sites', {
      response: { 200: Answer, ...readErrors() },
    }),
    async handler(request, reply) {
      const person = personOf(request);
      if (person.isSessionDue) await staySignedIn(accounts, request, reply);
      const sites = [];
      for (const { domain, timezone, currency, ...site } of await siteStore.listSites()) {
        const role = await accounts.findRole(person, site.id);
        if (role === undefined) continue;
        const shown = { id: site.id, domain, name: site.name || domain, timezone, currency };
        sites.push({ ...shown, has_payments: await siteStore.hasPayments(site.id), role });
      }
      const { id, name, email, isOwner, twoFactor } = person;
      const user = { id, name, email, is_owner: isOwner, two_factor: twoFactor };
      return { user, sites, pending_email: (await accounts.findAskedEmail(id)) ?? null };
    },
  });
  server.route({
    method: 'PATCH',
    url: '/api/v1/me',
    ...takesJson(requirePerson(accounts)),
    schema: byPeople('changeMe', 'Change your name or e-mail address', {
      body: Change,
      response: { 200: Changed, ...bodyErrors() },
    }),
    async handler(request) {
      const person = personOf(request);
      const isNew = toEmail(request.body.email ?? person.email) !== person.email;
      if (isNew && deps.mailer === undefined)
        throw refuseFaults([{ path: '/email', message: NO_MAIL }]);
      const succeeded = request.body.email && takeOwnTry(accounts, request);
      const changed = await accounts.change(person, request.body);
      if (!changed.ok) throw toRefused(changed.error);
      const { token, ...stored } = changed.value;
      const email = token && (await accounts.findAskedEmail(person.id));
      if (!email) return stored;
      if (succeeded) succeeded();
      const url = `${settings.baseUrl}/email#${token}`;
      assertMayMail(accounts, email, person.id);
      const mail = toNewEmailMail(email, { url, before: person.email });
      if (await isSent(deps, request, mail)) return { ...stored, pending_email: email };
      throw new RefusedRequest('unavailable', 'The mail could not be sent. Try again.');
    },
  });
  server.route({
    method: 'POST',
    url: '/api/v1/me/email',
    ...takesJson(requirePerson(accounts)),
    schema: byPeople('confirmEmail', 'Confirm your new e-mail address with the link sent there', {
      body: EmailBody,
      response: { 200: Done, ...bodyErrors() },
    }),
    async handler(request, reply) {
      const person = personOf(request);
      const email = await accounts.findAskedEmail(person.id, request.body.token);
      const changed =
        email === undefined ? refuse(LINK_OVER) : await accounts.setEmail(person, email);
      if (!changed.ok) throw toRefused(changed.error);
      reply.header('set-cookie', accounts.knownBrowsers.remember(changed.value));
      void isSent(deps, request, toOldEmailMail(person.email, changed.value));
      return DONE;
    },
  });
}
