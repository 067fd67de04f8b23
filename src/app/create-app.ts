import { setTimeout as sleep } from 'node:timers/promises';
import { openDailyKey } from '#enrich/cookieless/daily-key.ts';
import { createHashVisitor } from '#enrich/cookieless/hash-visitor.ts';
import { createEnricher } from '#enrich/enrich-event.ts';
import { createAcceptGoal } from '#ingest/accept-goal.ts';
import { createAcceptIdentify } from '#ingest/accept-identify.ts';
import { createAcceptPayment } from '#ingest/accept-payment.ts';
import { createAcceptCosts } from '#ingest/costs/accept-costs.ts';
import { keepErasing } from '#ingest/erase/keep-erasing.ts';
import { createAcceptEvents } from '#ingest/events/accept-events.ts';
import { createDroppedEventCounter, toAll } from '#ingest/events/dropped-event-counter.ts';
import { createOpenVisits } from '#ingest/events/open-visits.ts';
import { newUuid } from '#ingest/new-uuid.ts';
import { createOwnVisits } from '#ingest/own-visits.ts';
import { workInTime } from '#jobs/wait.ts';
import { chooseArchive } from '#journal/archive/open-archive.ts';
import { openJournal } from '#journal/open-journal.ts';
import { type Ledger, openLedger } from '#ledger/open-ledger.ts';
import { createMailer } from '#notify/mailer.ts';
import { createPaymentReports } from '#report/install/create-payment-reports.ts';
import { watchLive } from '#report/live/watch-live.ts';
import { createDescribeVisitor } from '#report/people/describe-visitor.ts';
import { createReports } from '#report/reports/create-reports.ts';
import { createServer } from '#server/create-server.ts';
import { createMetrics } from '#server/metrics.ts';
import type { Settings } from '#settings.ts';
import { assertDiskRoom } from '#storage/assert-disk-room.ts';
import { crashAfterAnswer } from '#storage/crash-points.ts';
import { keepClock } from '#storage/keep-clock.ts';
import { readDataDirId, readLastingKey } from '#storage/key-file.ts';
import { createWarehouse, type WarehouseAddress } from '#warehouse/client/client.ts';
import { findLastSeen } from '#warehouse/events/find-last-seen.ts';
import { prepareWarehouse } from '#warehouse/prepare-warehouse.ts';
import { addRoutes } from './add-routes.ts';
import { createAskDoctor } from './ask-doctor.ts';
import { connectProviders } from './connect-providers.ts';
import { createDemoFiller } from './fill-demo.ts';
import { findLack } from './find-lack.ts';
import { keepAccounts, NO_LOGINS } from './keep-accounts.ts';
import { keepRatesFresh } from './keep-rates-fresh.ts';
import { notifyUsers } from './notify-users.ts';
import { openVisitors } from './open-visitors.ts';
import { toReportWarehouse } from './to-report-warehouse.ts';

/** The wired web process. */
interface App {
  /** Resolves with the URL once the server accepts requests. */
  listen(): Promise<string>;
  /** Creates a link for the owner's first login, and returns its token; `undefined` if there is an owner. */
  makeStartLink(): Promise<string | undefined>;
  /** Completes requests in flight and ships, within `drainMaxMs`, then closes every store. */
  close(options: { readonly drainMaxMs: number }): Promise<void>;
}

type AppOptions = {
  readonly settings: Settings;
  readonly paths: Readonly<
    Record<
      | 'ledger'
      | 'accounts'
      | 'journals'
      | 'archive'
      | 'clock'
      | 'dataDirId'
      | 'dailyKeys'
      | 'cursorKey'
      | 'secretKey'
      | 'rates'
      | 'rebuild'
      | 'acceptedGaps',
      string
    >
  >;
  readonly warehouse: WarehouseAddress;
};

/** Requests that take longer after the server starts to stop are cut off, and so not acknowledged. */
const REQUESTS_END_MAX_MS = 2_000;

/** The time limit for the live view's statements. */
const LIVE_LOOK_MAX_MS = 1_000;

/** Opens the stores of the web process and wires its parts. */
export async function createApp(options: AppOptions): Promise<App> {
  const { settings, paths } = options;
  const server = createServer(settings);
  const { log } = server;
  const die = (store: string) => (error: unknown) => {
    log.fatal({ err: error }, `The ${store} has stopped; the process exits.`);
    process.exit(1);
  };
  const warehouse = createWarehouse(options.warehouse);
  const accounts = await keepAccounts({
    ...{ location: paths.accounts, besides: paths, baseUrl: settings.baseUrl, oidc: settings.oidc },
    onTrouble: (reason) => log.error({ reason }, 'A sign-in request failed.'),
    onUnreadable: (reason) => log.error({ reason }, NO_LOGINS),
  });
  const ledger = await openLedger({
    location: paths.ledger,
    thread: { module: new URL('./ledger-thread.ts', import.meta.url), clockPath: paths.clock },
    onRecorded: () => journal.wake(),
    onErased: () => directory.forgetAll(),
    onDeath: die('ledger'),
  });
  const waitForShipping = () => journal.ship();
  const { directory, recorded } = openVisitors(warehouse, waitForShipping);
  const isKnown = await ledger.registerJournal(readDataDirId(paths.dataDirId));
  const clock = keepClock({
    ...{ path: paths.clock, isFresh: !isKnown },
    onLeap: (sentence) => log.warn(sentence),
  });
  const journal = await openJournal({
    thread: new URL('./journal-thread.ts', import.meta.url),
    ...{ folder: paths.journals, isKnown },
    warehouse: options.warehouse,
    ...{ ledger: paths.ledger, ratesPath: paths.rates, clockPath: paths.clock },
    ledgerPort: await ledger.makePort(),
    archive: await chooseArchive(paths.archive, settings.archiveDays),
    backlogMaxBytes: settings.journalMaxBytes,
    otherBacklogBytes: ledger.outboxBytes,
    onTrouble: (reason) => log.error({ reason }, 'The journal or archive needs attention.'),
    onShipFailure: (reason) => log.warn({ reason }, 'A shipment failed.'),
    onDeath: die('journal'),
  });
  const dailyKey = openDailyKey(paths.dailyKeys, Date.now, (reason) =>
    log.error({ reason }, 'Keys of past days could not be removed; will retry.'),
  );
  const metrics = createMetrics(journal, ledger, log);
  const preparation = prepareWarehouse({
    warehouse,
    onFailure: (what, reason) => log.warn({ reason }, what),
    async onApplied() {
      const lack = await findLack(paths, warehouse).catch(() => undefined);
      if (lack !== undefined) log.error({ lack }, 'The warehouse lost events. Run verify.');
    },
  });
  /** The ledger's outbox counts towards the backlog limit, as the journal does. */
  const ledgerWithRoom: Ledger = {
    ...ledger,
    async acceptEvents(...accepted) {
      journal.assertRoom();
      return ledger.acceptEvents(...accepted);
    },
  };
  const droppedEvents = createDroppedEventCounter(Date.now, ledger.saveDrops);
  const ports = {
    journal,
    ledger: ledgerWithRoom,
    recorded,
    directory,
    sites: ledger,
    enricher: createEnricher(settings),
    ...{ openVisit: createOpenVisits(), ownVisits: createOwnVisits(Date.now) },
    now: Date.now,
    newId: newUuid,
    hashVisitor: createHashVisitor(dailyKey.keyOf),
  };
  const providers = connectProviders({ ledger, settings, paths, log });
  const rates = keepRatesFresh({
    ...{ url: settings.ratesUrl, path: paths.rates },
    ...{ dataDir: settings.dataDir, onLook: journal.wake },
    onFailure: (reason) => log.warn({ reason }, 'No new exchange rates; will retry tomorrow.'),
  });
  const reports = createReports({
    warehouse: toReportWarehouse(warehouse, preparation.assertReady),
    ...{ now: Date.now, cursorKey: readLastingKey(paths.cursorKey) },
    ...{ findOldRates: rates.findOldDay, spansOf: rates.spansOf },
  });
  const mailer = settings.mail && createMailer(settings.mail);
  const notifier = notifyUsers({
    ...{ accounts, ledger, journal, reports, warehouse, mailer, baseUrl: settings.baseUrl },
    onFailure: (reason) => log.warn({ reason }, 'A mail or alert could not be sent; will retry.'),
  });
  await addRoutes(server, {
    settings,
    ...{ ledger, accounts, mailer, notifier, metrics, reports },
    demo: createDemoFiller(settings.dataDir),
    askDoctor: createAskDoctor(settings.dataDir),
    findLastSeen: (siteId) => findLastSeen(warehouse, siteId),
    ...createPaymentReports({
      ...{ warehouse, ledger, reports, findOldRates: rates.findOldDay, now: Date.now },
    }),
    ...{ acceptGoal: createAcceptGoal(ports), acceptPayment: createAcceptPayment(ports) },
    ...{ acceptIdentify: createAcceptIdentify(ports), acceptCosts: createAcceptCosts(ports) },
    ...{ receiveEvent: providers.receiveEvent, connections: providers.connections },
    ...{ findPaymentFault: providers.findFault, ownVisits: ports.ownVisits },
    describeVisitor: createDescribeVisitor(warehouse, ledger),
    acceptEvents: createAcceptEvents({ ...ports, drops: toAll(metrics.drops, droppedEvents) }),
    liveWatch: watchLive(
      {
        ship: waitForShipping,
        // Bypasses the report scheduler, whose queries take turns and may be slow.
        select: (statement) => warehouse.select(statement, { durationMs: LIVE_LOOK_MAX_MS }),
      },
      Date.now,
    ),
    onAnswered: crashAfterAnswer,
    behindSeconds: journal.behindSeconds,
    async assertReady() {
      preparation.assertReady();
      ledger.assertInPlace();
      journal.assertRoom();
      await assertDiskRoom(settings.dataDir);
      await warehouse.ping();
    },
  });
  const erasing = keepErasing({
    thread: new URL('./erase-thread.ts', import.meta.url),
    ...{ ledger, warehouse: options.warehouse, paths },
    wake: journal.wake,
    leaveArchiveFile: journal.leaveArchiveFile,
    ship: journal.ship,
    onFailure: (reason) => log.warn({ reason }, 'An erasure or retention failed; will retry.'),
    onUnread: (unread, what) => log.error(unread, what),
  });

  return {
    makeStartLink: () =>
      accounts.makeStartLink().catch((err: unknown) => {
        // For example on a full disk, which must not prevent serving existing data.
        log.warn({ err }, 'No start link could be created. Run tributary admin link later.');
        return undefined;
      }),
    listen: () => server.listen({ host: settings.host, port: settings.port }),
    async close({ drainMaxMs }) {
      const [notified] = [notifier.stop(), rates.stop(), preparation.stop()]; // These may take long.
      reports.close();
      await erasing.stop();
      await clock.stop();
      const until = performance.now() + drainMaxMs;
      const cutOff = () => server.server.closeAllConnections();
      const endMs = Math.min(drainMaxMs, REQUESTS_END_MAX_MS);
      await workInTime(endMs, async () => server.close(), cutOff);
      await Promise.race([
        journal.drain().catch(() => {}),
        sleep(Math.max(0, until - performance.now()), undefined, { ref: false }),
      ]);
      await providers.stop();
      await Promise.race([notified, sleep(endMs, undefined, { ref: false })]); // What is being sent.
      dailyKey.close();
      await journal.close();
      await accounts.close();
      await droppedEvents.close();
      await ledger.close();
      await warehouse.close();
    },
  };
}
