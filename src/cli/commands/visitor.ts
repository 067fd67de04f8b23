import { setTimeout as sleep } from 'node:timers/promises';
import { Command, Option } from 'commander';
import { PATTERN_RULES, VISITOR_ID_PATTERN } from '#contract/text.ts';
import type { ErasureReceipt, VisitorAnswer } from '#contract/visitor.ts';
import { toReceipt } from '#ingest/erase/to-receipt.ts';
import type { SubjectScope } from '#ledger/erasure/erase-person.ts';
import type { Ledger } from '#ledger/open-ledger.ts';
import type { Site } from '#ledger/sites/sites.ts';
import { withWarehouse } from '#processes/with-warehouse.ts';
import { createDescribeVisitor } from '#report/people/describe-visitor.ts';
import { readSettings } from '#settings.ts';
import { type AnswerOptions, jsonCommand, toTable, writeAnswer } from '../answer.ts';
import { findServer } from '../find-server.ts';
import { findSiteOrThrow, withLedger } from '../with-ledger.ts';

/** `tributary visitor`: what is stored of a visitor or person, its erasure, and undoing joins. */
export function visitorCommand(): Command {
  return new Command('visitor')
    .description('show what is stored of a visitor, forget it, or undo its joins')
    .addCommand(showCommand())
    .addCommand(deleteCommand())
    .addCommand(separateCommand());
}

function showCommand(): Command {
  return visitorOf('show', 'show everything that is stored of a visitor', async (found) => {
    const { ledger, site, id, scope } = found;
    const known = await withWarehouse(readSettings(), (warehouse) =>
      createDescribeVisitor(warehouse, ledger)(site.id, id, scope),
    );
    if (known === undefined) {
      throw new Error(`Nothing is stored of visitor ${id} on ${site.domain}.`);
    }
    return [known, toText(known)];
  });
}

function deleteCommand(): Command {
  const description = 'forget a visitor, in every file; the money of its payments stays';
  return visitorOf('delete', description, async ({ ledger, site, id, scope }) => {
    const receipt = await erase(ledger, { siteId: site.id, visitorId: id, scope });
    return [receipt, erasedText(id, receipt)];
  }).addHelpText(
    'after',
    '\nWith --scope person it takes every visitor that "visitor show --scope person" names. It cannot be undone.',
  );
}

function separateCommand(): Command {
  const description = 'undo the joins of a visitor: what joined it with others joins it no more';
  return visitorOf('separate', description, async ({ ledger, site, id }) => {
    const from = ledger.separateVisitor(site.id, id).map(({ kind, key }) => `${kind} ${key}`);
    const text =
      from.length === 0
        ? `Nothing joined ${id}.`
        : `${id} is joined no more by:\n${from.join('\n')}`;
    return [{ service_visitor_id: id, separated_from: from }, text];
  });
}

type Found = {
  readonly ledger: Ledger;
  readonly site: Site;
  readonly id: string;
  readonly scope: SubjectScope;
};

type VisitorOptions = AnswerOptions & { readonly site: string; readonly scope: SubjectScope };

/** A command about one visitor. `answer` makes its answer for programs and for people. */
function visitorOf(
  name: string,
  description: string,
  answer: (found: Found) => Promise<readonly [value: object, text: string]>,
): Command {
  return jsonCommand(name, description)
    .argument('<id>', 'what the cookie service_visitor_id holds')
    .requiredOption('--site <site>', 'the site’s domain or id')
    .addOption(
      new Option('--scope <scope>', 'the visitor alone, or everybody joined with it')
        .choices(['visitor', 'person'])
        .default('visitor'),
    )
    .action((id: string, { scope, ...options }: VisitorOptions) =>
      withLedger(async (ledger) => {
        const site = findSiteOrThrow(ledger, options.site, { removed: true });
        assertVisitorId(id);
        writeAnswer(options, ...(await answer({ ledger, site, id, scope })));
      }),
    );
}

const DONE_MAX_MS = 60_000;
const LOOK_EVERY_MS = 100;

/** Done by the server, or by one that is started for it; what takes longer goes on by itself. */
async function erase(
  ledger: Ledger,
  { siteId, visitorId, scope }: { siteId: string; visitorId: string; scope: SubjectScope },
): Promise<ErasureReceipt> {
  const asked = ledger.requestErasure(siteId, visitorId, scope);
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
    [
      'the same person',
      person.visitors
        .filter((each) => each.service_visitor_id !== service_visitor_id)
        .map((each) => `${each.service_visitor_id} (${each.joined_by.map(toReason).join(', ')})`)
        .join(', '),
    ],
    ['user ids', person.user_ids.join(', ')],
    ['customer ids', person.customer_ids.join(', ')],
    ['e-mail addresses', person.emails.join(', ')],
    ['events', String(events_total)],
  ].filter(([, value]) => value !== '');
  const tables = [
    toTable([], facts as string[][]),
    listed('VISIT', visits, ['visit_started_at', 'source', 'channel', 'entry_page', 'pageviews']),
    listed('PAYMENT', payments.map(withMoneyTexts), [
      'paid_at',
      'transaction_id',
      'amount',
      'refunded',
    ]),
  ].filter((table) => table !== '');
  return `${tables.join('\n\n')}\n\nEverything, event by event: --json`;
}

function withMoneyTexts(payment: Readonly<Record<string, unknown>>) {
  const toText = (money: unknown) => Object.values(money ?? {}).join(' ');
  return { ...payment, amount: toText(payment.amount), refunded: toText(payment.refunded) };
}

function toReason({ field, value }: { readonly field: string; readonly value: string }): string {
  return `${field} ${value}`;
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
