import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import { bodyErrors, readErrors } from '#contract/error.ts';
import { type AlertKind, AlertRules, Notices, Subscription } from '#contract/sites/notices.ts';
import { UnavailableError } from '#domain/unavailable.ts';
import { findWebhookFault } from '#notify/post-webhook.ts';
import { refuseFaults } from '../../answers/errors.ts';
import { personOf, requireRole } from '../../requests/people.ts';
import type { ReadDeps } from '../../server/server-deps.ts';
import type { Server } from '../../server/server-type.ts';
import { assertMayMail } from '../accounts/begin.ts';
import {
  byAnybody,
  byPeople,
  DONE,
  Done,
  SitePath,
  siteOfPath,
  takesJson,
} from './site-request.ts';

const Token = Type.Object({ token: Type.String({ description: 'The token in the mail’s link.' }) });

/** `/api/v1/sites/{id}/notices` and `/alerts`: summaries and alerts, and unsubscribing. */
export function addNoticeRoutes(server: Server, deps: ReadDeps): void {
  addChoices(server, deps);
  addSending(server, deps);
  addUnsubscribing(server, deps);
}

function addChoices(server: Server, deps: ReadDeps): void {
  const { accounts } = deps;
  const url = '/api/v1/sites/:id/notices';
  server.route({
    method: 'GET',
    url,
    onRequest: requireRole(deps, 'viewer'),
    schema: byPeople('findNotices', 'Get the mail and alert settings of a site', {
      params: SitePath,
      response: { 200: Notices, ...readErrors() },
    }),
    handler: (request) => toAnswer(deps, request),
  });
  server.route({
    method: 'PUT',
    url,
    ...takesJson(requireRole(deps, 'viewer')),
    schema: byPeople('subscribe', 'Choose your mails about a site', {
      params: SitePath,
      body: Subscription,
      response: { 200: Notices, ...bodyErrors() },
    }),
    async handler(request) {
      const site = siteOfPath(deps, request.params);
      const { summary, alerts } = request.body;
      await deps.notifier.subscribe(site, personOf(request).id, { summary, hasAlerts: alerts });
      return toAnswer(deps, request);
    },
  });
  server.route({
    method: 'PUT',
    url: '/api/v1/sites/:id/alerts',
    ...takesJson(requireRole(deps, 'admin')),
    schema: byPeople('setAlerts', 'Choose a site’s alerts and their webhook', {
      description:
        'The webhook must be a public https URL. The owner of the server may set any URL, including one on a private network.',
      params: SitePath,
      body: AlertRules,
      response: { 200: Notices, ...bodyErrors() },
    }),
    async handler(request) {
      const { id: siteId } = siteOfPath(deps, request.params);
      const person = personOf(request);
      const { kinds, webhook_url: webhookUrl } = request.body;
      // If somebody else saves the same URL again, its trust does not change.
      const before = await accounts.notices.findRules(siteId);
      const isTrusted = webhookUrl === before.webhookUrl ? before.isTrusted : person.isOwner;
      const fault = webhookUrl && findWebhookFault(webhookUrl, isTrusted);
      if (fault) throw refuseFaults([{ path: '/webhook_url', message: fault }]);
      const rules = { kinds, webhookUrl: webhookUrl ?? undefined, isTrusted };
      await accounts.notices.setRules(siteId, rules);
      await accounts.audit.note(person, {
        siteId,
        what: 'alerts changed',
        about: kinds.join(', '),
      });
      return toAnswer(deps, request);
    },
  });
}

function addSending(server: Server, deps: ReadDeps): void {
  for (const [what, role, summary] of [
    ['summary', 'viewer', 'Send yourself the summary of the last week or month'],
    ['alert', 'admin', 'Send a test alert to the webhook and to yourself'],
  ] as const) {
    server.route({
      method: 'POST',
      url: `/api/v1/sites/:id/notices/${what}`,
      onRequest: requireRole(deps, role),
      schema: byPeople(`send${what === 'summary' ? 'Summary' : 'TestAlert'}`, summary, {
        params: SitePath,
        response: { 200: Done, ...bodyErrors('rate_limited') },
      }),
      async handler(request) {
        const site = siteOfPath(deps, request.params);
        const { id: userId, email } = personOf(request);
        assertMayMail(deps.accounts, email, userId);
        const send = what === 'summary' ? deps.notifier.sendSummary : deps.notifier.sendTest;
        await send(site, userId).catch((error: unknown) => {
          if (error instanceof UnavailableError) throw error;
          const message = error instanceof Error ? error.message : String(error);
          throw refuseFaults([{ path: '', message: `This could not be sent: ${message}` }]);
        });
        return DONE;
      },
    });
  }
}

function addUnsubscribing(server: Server, { accounts }: ReadDeps): void {
  server.route({
    method: 'POST',
    url: '/unsubscribe/:token',
    bodyLimit: 1_024,
    schema: byAnybody('unsubscribe', 'Unsubscribe from mails', {
      description:
        'One-click unsubscription (RFC 8058), without signing in. The response does not reveal whether there were any.',
      params: Token,
      response: { 200: Done },
    }),
    async handler({ params: { token } }) {
      await accounts.notices.unsubscribe(token);
      return DONE;
    },
  });
}

async function toAnswer(deps: ReadDeps, request: FastifyRequest): Promise<Notices> {
  const { accounts, mailer } = deps;
  const { id: siteId } = siteOfPath(deps, request.params as { readonly id: string });
  const { id, email } = personOf(request);
  const { summary, hasAlerts } = await accounts.notices.find(id, siteId);
  const { kinds, webhookUrl } = await accounts.notices.findRules(siteId);
  return {
    ...{ mail: mailer !== undefined, email },
    subscription: { summary, alerts: hasAlerts },
    alerts: {
      kinds: kinds as AlertKind[],
      // The URL is a secret: anybody who has it can post there.
      webhook_url:
        (await accounts.findRole(personOf(request), siteId)) === 'viewer'
          ? null
          : (webhookUrl ?? null),
    },
    open: (await accounts.notices.listOpen(siteId)).map(({ kind, since }) => ({
      kind: kind as AlertKind,
      since: new Date(since).toISOString(),
    })),
  };
}
