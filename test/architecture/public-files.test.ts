import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { importsOf, isTest, readSourceFiles } from './source-files.ts';

/**
 * The files of a room that other rooms may import. The lists only shrink. What is not listed here is a library: all of
 * it is public.
 */
const PUBLIC: Readonly<Record<string, readonly string[]>> = {
  // The settings of the identity provider are read where no database is opened, nor its driver loaded.
  accounts: ['oidc-settings.ts', 'open-accounts.ts'],
  ingest: [
    'accept-goal.ts',
    'accept-identify.ts',
    'accept-payment.ts',
    'ask-in-time.ts',
    'costs/accept-costs.ts',
    'costs/parse-costs.ts',
    'erase/await-erasure.ts',
    'erase/erase-thread.ts',
    'erase/keep-erasing.ts',
    'erase/to-receipt.ts',
    'events/accept-events.ts',
    'events/dropped-event-counter.ts',
    'events/event-draft.ts',
    'events/open-visits.ts',
    'keyed-answer.ts',
    'new-uuid.ts',
    'own-visits.ts',
    'parse-instant.ts',
    'parse-payment.ts',
    'ports.ts',
    'recorded-events.ts',
    'take-turns.ts',
    'visitor-directory.ts',
  ],
  journal: [
    'archive/archive-frame.ts',
    'archive/forget-archived.ts',
    'archive/kept-from.ts',
    'archive/open-archive.ts',
    'archive/read-archive.ts',
    'journal-thread.ts',
    'open-journal.ts',
    'scrub-journals.ts',
    'set-damaged-aside.ts',
    'shipping-lock.ts',
  ],
  ledger: ['open-ledger.ts'],
  notify: [
    'ask-patiently.ts',
    'keep-notifying.ts',
    'mail-settings.ts',
    'mailer.ts',
    'post-webhook.ts',
    'send-test.ts',
  ],
  processes: [
    'keep-compiled.ts',
    'paths.ts',
    'replace-warehouse.ts',
    'start-troubles.ts',
    'supervisor.ts',
    'with-warehouse.ts',
  ],
  report: [
    'catalog.ts',
    'exports/create-exports.ts',
    'insights/find-insights.ts',
    'install/create-payment-reports.ts',
    'install/verify-install.ts',
    'live/count-news.ts',
    'live/live-cursor.ts',
    'live/watch-live.ts',
    'payments/explain-payment.ts',
    'payments/list-payments.ts',
    'people/describe-visitor.ts',
    'people/read-story.ts',
    'ports.ts',
    'query/answer/answer-query.ts',
    'query/answer/query-kind.ts',
    'reports/create-reports.ts',
  ],
  warehouse: [
    'apply-schema.ts',
    'client/client.ts',
    'client/query-limits.ts',
    'client/refused-lines.ts',
    'count-detached-parts.ts',
    'engine/end-with-parent.ts',
    'engine/heartbeat-path.ts',
    'engine/process-lock.ts',
    'engine/release-start-up-memory.ts',
    'engine/watch-work.ts',
    'events/complete-events.ts',
    'events/find-events.ts',
    'events/find-last-seen.ts',
    'events/find-visitors.ts',
    'forget/forget.ts',
    'keep-tables.ts',
    'prepare-warehouse.ts',
    'tables/visits.ts',
  ],
};

describe('a room', () => {
  const files = readSourceFiles().filter((file) => !isTest(file));

  for (const [room, names] of Object.entries(PUBLIC)) {
    it(`${room} is used by others through its public files alone, and each is used`, () => {
      const inRoom = `src/${room}/`;
      const used = files
        .filter((file) => file.room !== room)
        .flatMap((file) => importsOf(file).filter((path) => path.startsWith(inRoom)))
        .map((path) => path.slice(inRoom.length));
      assert.deepEqual([...new Set(used)].toSorted(), names.toSorted());
    });
  }
});
