import type { Accounts } from '#accounts/open-accounts.ts';
import type { ReadAccess } from '#api/key-route.ts';
import { addDropRoute } from '#api/queries/drops.ts';
import { addInsightsRoute } from '#api/queries/insights.ts';
import { addInstallRoute } from '#api/queries/install.ts';
import { addLiveRoutes } from '#api/queries/live.ts';
import { addPeopleRoutes } from '#api/queries/people.ts';
import { addReportRoutes } from '#api/queries/report-routes.ts';
import { addExportRoute } from '#api/records/exports.ts';
import { addPaymentChangeRoutes } from '#api/records/payment-changes.ts';
import { addPaymentListRoutes, type FindNames } from '#api/records/payment-list.ts';
import { addVisitorRoutes } from '#api/records/visitors.ts';
import { addCostRoute } from '#api/writes/costs.ts';
import { addEventRoutes } from '#api/writes/events.ts';
import { addGoalRoute } from '#api/writes/goals.ts';
import { addIdentifyRoute } from '#api/writes/identify.ts';
import { addPaymentRoute } from '#api/writes/payments.ts';
import { addWebhookRoute } from '#api/writes/webhooks.ts';
import type { WriteAccess, WriteEndpoint } from '#api/writes/write-endpoint.ts';
import { openWriteLane } from '#api/writes/write-lane.ts';
import type { AcceptGoal } from '#ingest/accept-goal.ts';
import type { AcceptIdentify } from '#ingest/accept-identify.ts';
import type { AcceptPayment } from '#ingest/accept-payment.ts';
import type { AcceptCosts } from '#ingest/costs/accept-costs.ts';
import type { AcceptEvents } from '#ingest/events/accept-events.ts';
import type { OwnVisitsLinks } from '#ingest/own-visits.ts';
import type { Ledger } from '#ledger/open-ledger.ts';
import { withShares } from '#manage/access/shares.ts';
import { openToUsers, withSessions } from '#manage/access/users.ts';
import { addAuditRoutes } from '#manage/accounts/audit.ts';
import { addBeginRoutes } from '#manage/accounts/begin.ts';
import { addInvitationRoutes } from '#manage/accounts/invitations.ts';
import { addLoginRoutes } from '#manage/accounts/logins.ts';
import { addMeRoute } from '#manage/accounts/me.ts';
import { addMemberRoutes } from '#manage/accounts/members.ts';
import { addOidcRoutes } from '#manage/accounts/oidc.ts';
import { addCombinedRoute } from '#manage/sites/combined.ts';
import { addCostFileRoutes } from '#manage/sites/costs.ts';
import { addDemoRoutes, type DemoFiller } from '#manage/sites/demo.ts';
import { addDoctorRoute, addHealthOfSiteRoute, type LastSeen } from '#manage/sites/health.ts';
import { addKeyRoutes } from '#manage/sites/keys.ts';
import { createNoteExport } from '#manage/sites/note-export.ts';
import { addNoticeRoutes, type SendsNotices } from '#manage/sites/notices.ts';
import { addSharedRoutes } from '#manage/sites/open-share.ts';
import { addOwnVisitsRoutes } from '#manage/sites/own-visits.ts';
import { addProviderRoutes, type ManagesConnections } from '#manage/sites/providers.ts';
import { annotate } from '#manage/sites/saved/annotate.ts';
import { addSavedRoutes } from '#manage/sites/saved/saved-routes.ts';
import { addShareRoutes } from '#manage/sites/shares.ts';
import { addSiteRoutes } from '#manage/sites/sites.ts';
import { addMcpRoute } from '#mcp/add-mcp-route.ts';
import type { Mailer } from '#notify/mailer.ts';
import type { ReceiveEvent } from '#providers/connections/receive-event.ts';
import { DIMENSION_NAMES, METRICS } from '#report/catalog.ts';
import type { VerifyInstall } from '#report/install/verify-install.ts';
import type { LiveWatch } from '#report/live/watch-live.ts';
import type { ExplainPayment } from '#report/payments/explain-payment.ts';
import type { ListPayments } from '#report/payments/list-payments.ts';
import type { DescribeVisitor } from '#report/people/describe-visitor.ts';
import type { Reports } from '#report/reports/create-reports.ts';
import { limitConnections } from '#server/connections/limit-connections.ts';
import { addLlmsTxt } from '#server/docs/llms-txt.ts';
import { addDocs, describeRoutes } from '#server/docs/openapi.ts';
import { readDashboard } from '#server/files/dashboard.ts';
import { openNeutralPaths } from '#server/files/neutral-paths.ts';
import { addTrackerScriptRoute } from '#server/files/tracker-script.ts';
import { countAnswers, type Metrics } from '#server/metrics.ts';
import { answerNotFound } from '#server/not-found.ts';
import { addHealthRoutes, addMetricsRoute } from '#server/operation.ts';
import { createRateLimit, toHooks } from '#server/requests/rate-limit.ts';
import { refuseOtherSites } from '#server/requests/read-params.ts';
import type { Server } from '#server/server-type.ts';
import type { Settings } from '#settings.ts';
import { createManagesCosts } from './manage-costs.ts';

/** The parts that routes are made of. Each route gets the few that it needs. */
export type RouteParts = {
  readonly settings: Omit<Settings, 'dataDir'>;
  readonly ledger: Ledger;
  readonly accounts: Accounts;
  /** Undefined if no mail server is configured. */
  readonly mailer: Mailer | undefined;
  readonly metrics: Metrics;
  readonly acceptEvents: AcceptEvents;
  readonly ownVisits: OwnVisitsLinks;
  readonly acceptGoal: AcceptGoal;
  readonly acceptPayment: AcceptPayment;
  readonly acceptIdentify: AcceptIdentify;
  readonly acceptCosts: AcceptCosts;
  /** The door for events of connected payment providers. */
  readonly receiveEvent: ReceiveEvent;
  readonly connections: ManagesConnections;
  readonly findPaymentFault: (siteId: string) => Promise<string | undefined>;
  readonly reports: Reports;
  readonly liveWatch: LiveWatch;
  readonly listPayments: ListPayments;
  readonly explainPayment: ExplainPayment;
  readonly verifyInstall: VerifyInstall;
  readonly describeVisitor: DescribeVisitor;
  readonly notifier: SendsNotices;
  readonly demo: DemoFiller;
  /** The JSON output of `tributary doctor`. */
  readonly askDoctor: () => Promise<unknown>;
  readonly findLastSeen: (siteId: string) => Promise<LastSeen>;
  /** How many seconds the oldest event has waited for the warehouse. */
  readonly behindSeconds: () => number;
  /** Resolves if every store responds and accepts writes. Throws UnavailableError with the reason if not. */
  readonly assertReady: () => Promise<void>;
  /** For tests: called when a response is sent. */
  readonly onAnswered?: (() => void) | undefined;
};

/** Adds all routes to a server, after which it is ready to listen. */
export async function addRoutes(server: Server, parts: RouteParts): Promise<void> {
  const { settings, ledger, accounts, metrics } = parts;
  const { rateLimitWrites: writes, rateLimitReads: reads } = settings;
  const sites = ledger;
  const keys = withShares(withSessions(ledger, { accounts, sites }), { accounts, sites });
  const dashboard = readDashboard();
  answerNotFound(server, dashboard.sendPage);
  const countAnswer = countAnswers(server, metrics.registry);
  await describeRoutes(server, settings.baseUrl ?? '/');
  refuseOtherSites(server, sites);
  const ofWrites = `A key or address may write ${writes} times a second.`;
  const limit = createRateLimit(writes, 1_000, ofWrites);
  const ofReads = `You may send ${reads} queries a minute.`;
  const limitReads = toHooks(createRateLimit(reads, 60_000, ofReads));
  const endpoints = addWriteRoutes(server, parts, { keys, sites, limitWrites: toHooks(limit) });
  addReadRoutes(server, parts, { keys, sites, limitReads });
  addAssistantRoutes(server, parts, { keys, sites, limitReads });
  addManageRoutes(server, parts, { keys, sites, limitReads });
  addHealthRoutes(server, parts.assertReady);
  addMetricsRoute(server, keys, metrics);
  addTrackerScriptRoute(server);
  addWebhookRoute(server, parts.receiveEvent);
  dashboard.addRoutes(server);
  addDocs(server, { metrics: [...METRICS.keys()], dimensions: DIMENSION_NAMES });
  const { trustedProxies } = settings;
  const { onAnswered } = parts;
  openWriteLane(server, endpoints, { keys, limit, trustedProxies, countAnswer, onAnswered });
  openNeutralPaths(server.server, sites);
  limitConnections(server.server, settings, server.log);
  await server.ready();
}

function addWriteRoutes(server: Server, parts: RouteParts, access: WriteAccess): WriteEndpoint[] {
  const { acceptEvents, acceptGoal, acceptPayment, acceptIdentify, acceptCosts } = parts;
  const { ownVisits } = parts;
  const { proxies } = parts.metrics;
  addCostRoute(server, { ...access, acceptCosts });
  return [
    addGoalRoute(server, { ...access, acceptGoal }),
    addPaymentRoute(server, { ...access, acceptPayment }),
    ...addEventRoutes(server, { ...access, acceptEvents, ownVisits, proxies }),
    addIdentifyRoute(server, { ...access, acceptIdentify }),
  ];
}

function addReadRoutes(server: Server, parts: RouteParts, access: ReadAccess): void {
  const { accounts, ledger, reports, listPayments, describeVisitor, liveWatch } = parts;
  const exports = reports.exports(ledger, listPayments);
  const queries = { ...access, behindSeconds: parts.behindSeconds };
  const noteExport = createNoteExport(accounts);
  const lists = {
    ...queries,
    listPayments,
    exports,
    noteExport,
    findNames: createFindNames(ledger, accounts.members),
  };
  addDropRoute(server, { ...access, drops: ledger });
  addVisitorRoutes(server, { ...access, describeVisitor, erasures: ledger, persons: ledger });
  addPaymentListRoutes(server, lists);
  addPaymentChangeRoutes(server, { ...lists, payments: ledger });
  addReportRoutes(server, queries, reports);
  addInsightsRoute(server, { ...queries, insights: reports.insights });
  addPeopleRoutes(server, queries, reports.people(ledger));
  addExportRoute(server, { ...access, noteExport }, exports);
  addLiveRoutes(server, { ...access, countLive: reports.countLive, liveWatch });
}

/** What is installed, and the tools for assistants. */
function addAssistantRoutes(server: Server, parts: RouteParts, access: ReadAccess): void {
  const { accounts, ledger: sites, reports, explainPayment, verifyInstall, behindSeconds } = parts;
  const { baseUrl } = parts.settings;
  const asked = { ...access, sites, baseUrl, verifyInstall };
  addLlmsTxt(server, baseUrl);
  addInstallRoute(server, asked);
  addMcpRoute(server, {
    ...{ ...asked, reports, explainPayment, behindSeconds },
    annotate: (note) => annotate(accounts, note),
  });
}

/** The dashboard's routes: logins, links, and the sites that people have access to. */
function addManageRoutes(server: Server, parts: RouteParts, access: ReadAccess): void {
  const { accounts, ledger, mailer, reports, demo, askDoctor, notifier } = parts;
  const { baseUrl, oidc } = parts.settings;
  const { proxies } = parts.metrics;
  const { keys, limitReads } = access;
  const own = { accounts, sites: ledger };
  const stores = { siteStore: ledger, keyStore: ledger };
  openToUsers(server);
  addLoginRoutes(server, { accounts, proxies });
  addBeginRoutes(server, { accounts, mailer, baseUrl, oidc });
  if (oidc !== undefined) addOidcRoutes(server, accounts);
  addMeRoute(server, { accounts, mailer, baseUrl, siteStore: ledger });
  addMemberRoutes(server, { ...own, mailer, baseUrl });
  addInvitationRoutes(server, own);
  addAuditRoutes(server, own);
  addSiteRoutes(server, { ...own, siteStore: ledger, baseUrl });
  addOwnVisitsRoutes(server, { ...own, ownVisits: parts.ownVisits });
  addDemoRoutes(server, { ...own, ...stores, demo });
  addDoctorRoute(server, accounts, limitReads, askDoctor);
  addNoticeRoutes(server, { ...own, canMail: mailer !== undefined, notifier });
  addKeyRoutes(server, { ...own, keyStore: ledger });
  addProviderRoutes(server, { ...own, connections: parts.connections, baseUrl });
  addCostFileRoutes(server, { ...own, costs: createManagesCosts(ledger) });
  addShareRoutes(server, { ...own, baseUrl, breakdowns: reports.breakdowns });
  addSharedRoutes(server, { ...own, siteStore: ledger, limitReads });
  const { findLastSeen, findPaymentFault, behindSeconds, assertReady } = parts;
  addCombinedRoute(server, { ...own, limitReads, combineSites: reports.combineSites });
  addHealthOfSiteRoute(server, {
    ...{ ...own, limitReads, drops: ledger, persons: ledger, proxies },
    ...{ findLastSeen, findPaymentFault, behindSeconds, assertReady },
  });
  const { breakdowns, funnel } = reports;
  addSavedRoutes(server, { ...own, keys, limitReads }, { breakdowns, funnel });
}

/** Names the keys and members of a site, who may have changed its payments. */
function createFindNames(
  { listKeys }: Pick<Ledger, 'listKeys'>,
  members: Pick<Accounts['members'], 'list'>,
): FindNames {
  return async (siteId) => {
    const names = new Map<string, string>();
    for (const { userId, name, email } of await members.list(siteId))
      names.set(userId, name || email);
    for (const { id, name } of await listKeys(siteId)) if (name !== '') names.set(id, name);
    return names;
  };
}
