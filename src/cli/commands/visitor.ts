import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import { PATTERN_RULES, VISITOR_ID_PATTERN } from '#contract/text.ts';
import type { ErasureReceipt, VisitorAnswer } from '#contract/visitor.ts';
import { toReceipt } from '#ingest/erase/to-receipt.ts';
import type { Ledger } from '#ledger/open-ledger.ts';
import { withWarehouse } from '#processes/with-warehouse.ts';
import { createDescribeVisitor } from '#report/people/describe-visitor.ts';
import { readSettings } from '#settings.ts';
import { type AnswerOptions, jsonCommand, toTable, writeAnswer } from '../answer.ts';
import { findServer } from '../find-server.ts';
import { findSiteOrThrow, withLedger } from '../with-ledger.ts';

/** `tributary visitor`: what is stored of a visitor, and the erasure of the person. */
export function visitorCommand(): Command {
  return new Command('visitor')
    .description('show what is stored of a visitor, or forget the person')
    .addCommand(showCommand())
    .addCommand(deleteCommand());
}

type Options = AnswerOptions & { readonly site: string };

function showCommand(): Command {
  return jsonCommand('show', 'show everything that is stored of a visitor')
    .argument('<id>', 'what the cookie service_visitor_id holds')
    .requiredOption('--site <site>', 'the site’s domain or id')
    .action((id: string, { site, ...options }: Options) =>
      withLedger(async (ledger) => {
        const { id: siteId, domain } = findSiteOrThrow(ledger, site);
        assertVisitorId(id);
        const known = await withWarehouse(readSettings(), (warehouse) =>
          createDescribeVisitor(warehouse, ledger)(siteId, id),
        );
        if (known === undefined)
          throw new Error(`Nothing is stored of visitor ${id} on ${domain}.`);
        writeAnswer(options, known, toText(known));
      }),
    );
}

function deleteCommand(): Command {
  return jsonCommand(
    'delete',
    'forget the person who a visitor is, in every file; their payments’ money stays',
  )
    .argument('<id>', 'what the cookie service_visitor_id holds')
    .requiredOption('--site <site>', 'the site’s domain or id')
    .addHelpText(
      'after',
      '\nTakes every visitor known to be the same person: "visitor show" names them. It cannot be undone.',
    )
    .action((id: string, { site, ...options }: Options) =>
      withLedger(async (ledger) => {
        const { id: siteId } = findSiteOrThrow(ledger, site);
        assertVisitorId(id);
        const receipt = await erase(ledger, siteId, id);
        writeAnswer(options, receipt, erasedText(id, receipt));
      }),
    );
}

const DONE_MAX_MS = 60_000;
const LOOK_EVERY_MS = 100;

/** Done by the server, or by one that is started for it; what takes longer goes on by itself. */
async function erase(ledger: Ledger, siteId: string, visitorId: string): Promise<ErasureReceipt> {
  const asked = ledger.requestErasure(siteId, visitorId);
  const server = await findServer(readSettings().dataDir);
  try {
    for (const until = performance.now() + DONE_MAX_MS; ; await sleep(LOOK_EVERY_MS)) {
      const erasure = ledger.findErasure(siteId, asked.id) ?? asked;
      if (erasure.state === 'done' || performance.now() > until) return toReceipt(erasure);
    }
  } finally {
    await server.end();
  }
}

function assertVisitorId(id: string): void {
  if (new RegExp(VISITOR_ID_PATTERN).test(id)) return;
  throw new Error(`A visitor's id ${PATTERN_RULES.get(VISITOR_ID_PATTERN)}; it was ${id}.`);
}

function toText({ service_visitor_id, person, visits, payments, events_total }: VisitorAnswer) {
  const facts = [
    ['visitor', service_visitor_id],
    ['the same person', person.visitors.filter((id) => id !== service_visitor_id).join(', ')],
    ['user ids', person.user_ids.join(', ')],
    ['customer ids', person.customer_ids.join(', ')],
    ['e-mail addresses', person.emails.join(', ')],
    ['events', String(events_total)],
  ].filter(([, value]) => value !== '');
  const tables = [
    toTable([], facts as string[][]),
    listed('VISIT', visits, ['visit_started_at', 'source', 'channel', 'entry_page', 'pageviews']),
    listed('PAYMENT', payments, ['paid_at', 'transaction_id', 'amount', 'currency', 'refunded']),
  ].filter((table) => table !== '');
  return `${tables.join('\n\n')}\n\nEverything, event by event: --json`;
}

function listed(
  name: string,
  rows: readonly Readonly<Record<string, unknown>>[],
  columns: readonly [string, ...string[]],
): string {
  const heading = [name, ...columns.slice(1).map((column) => column.toUpperCase())];
  const cells = rows.map((row) => columns.map((column) => String(row[column] ?? '')));
  return toTable(heading, cells);
}

function erasedText(id: string, { erasure: { id: receipt, state, counts } }: ErasureReceipt) {
  if (state !== 'done') return `The erasure of ${id} goes on while a server runs: ${receipt}.`;
  const taken = Object.entries(counts).map(([what, count]) => [what, String(count)]);
  const unread =
    counts.unread_archive_bytes > 0
      ? '\nDamaged bytes of the archive could not be looked into and stay; the log names their files: docs/reliability.md'
      : '';
  return `Forgot ${id}: ${receipt}.\n${toTable([], taken)}${unread}`;
}
