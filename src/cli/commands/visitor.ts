import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import { PATTERN_RULES, VISITOR_ID_PATTERN } from '#contract/text.ts';
import type { ErasureReceipt, VisitorAnswer } from '#contract/visitor.ts';
import { toReceipt } from '#ingest/erase/to-receipt.ts';
import type { Ledger } from '#ledger/open-ledger.ts';
import type { Site } from '#ledger/sites.ts';
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

function showCommand(): Command {
  return visitorOf('show', 'show everything that is stored of a visitor', async (found) => {
    const { ledger, site, id } = found;
    const known = await withWarehouse(readSettings(), (warehouse) =>
      createDescribeVisitor(warehouse, ledger)(site.id, id),
    );
    if (known === undefined) {
      throw new Error(`Nothing is stored of visitor ${id} on ${site.domain}.`);
    }
    return [known, toText(known)];
  });
}

function deleteCommand(): Command {
  const description =
    'forget the person who a visitor is, in every file; their payments’ money stays';
  return visitorOf('delete', description, async ({ ledger, site, id }) => {
    const receipt = await erase(ledger, site.id, id);
    return [receipt, erasedText(id, receipt)];
  }).addHelpText(
    'after',
    '\nTakes every visitor known to be the same person: "visitor show" names them. It cannot be undone.',
  );
}

type Found = { readonly ledger: Ledger; readonly site: Site; readonly id: string };

/** A command about one visitor. `answer` makes its answer for programs and for people. */
function visitorOf(
  name: string,
  description: string,
  answer: (found: Found) => Promise<readonly [value: object, text: string]>,
): Command {
  return jsonCommand(name, description)
    .argument('<id>', 'what the cookie service_visitor_id holds')
    .requiredOption('--site <site>', 'the site’s domain or id')
    .action((id: string, options: AnswerOptions & { readonly site: string }) =>
      withLedger(async (ledger) => {
        const site = findSiteOrThrow(ledger, options.site);
        assertVisitorId(id);
        writeAnswer(options, ...(await answer({ ledger, site, id })));
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
