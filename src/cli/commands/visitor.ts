import { Command, Option } from 'commander';
import { findVisitorIdFault } from '#contract/patterns.ts';
import type { ErasureReceipt, VisitorAnswer } from '#contract/visitor.ts';
import type { SubjectScope } from '#domain/identity/person.ts';
import type { Site } from '#domain/site/site.ts';
import { awaitErasure } from '#ingest/erase/await-erasure.ts';
import { toReceipt } from '#ingest/erase/to-receipt.ts';
import type { Ledger } from '#ledger/open-ledger.ts';
import { withWarehouse } from '#processes/with-warehouse.ts';
import { createDescribeVisitor } from '#report/people/describe-visitor.ts';
import { readSettings } from '#settings.ts';
import { type AnswerOptions, ofSiteCommand, toTable, writeAnswer } from '../io/answer.ts';
import { findServer } from '../stores/find-server.ts';
import { findSiteOrThrow, withLedger } from '../stores/with-ledger.ts';

/** `tributary visitor`: shows, erases and separates visitors. */
export function visitorCommand(): Command {
  return new Command('visitor')
    .description('show or erase a visitor, or undo its joins')
    .addCommand(showCommand())
    .addCommand(deleteCommand())
    .addCommand(separateCommand());
}

function showCommand(): Command {
  return visitorOf('show', 'show everything stored about a visitor', async (found) => {
    const { ledger, site, id, scope } = found;
    const known = await withWarehouse(readSettings(), (warehouse) =>
      createDescribeVisitor(warehouse, ledger)(site.id, id, scope),
    );
    if (known === undefined) {
      throw new Error(`Nothing is stored about visitor ${id} on ${site.domain}.`);
    }
    return [known, toText(known)];
  }).addOption(scopeOption());
}

function deleteCommand(): Command {
  const description = 'erase a visitor from every file; payments keep their amounts';
  return visitorOf('delete', description, async ({ ledger, site, id, scope }) => {
    const receipt = await erase(ledger, { siteId: site.id, visitorId: id, scope });
    return [receipt, erasedText(id, receipt)];
  })
    .addOption(scopeOption())
    .addHelpText('after', AFTER_DELETE);
}

const AFTER_DELETE =
  '\n--scope person includes every visitor that "visitor show --scope person" lists. An erasure cannot be undone.';

function separateCommand(): Command {
  const description =
    'take a visitor out of its person; the ids that joined it never join it again';
  return visitorOf('separate', description, async ({ ledger, site, id }) => {
    const keys = await ledger.separateVisitor(site.id, id);
    const from = keys.map(({ kind, key }) => `${kind} ${key}`);
    const text =
      from.length === 0
        ? `${id} was not joined with any other visitor.`
        : `${id} is no longer joined by:\n${from.join('\n')}`;
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

/** Builds a command about one visitor. `answer` returns its result as a value and as text. */
function visitorOf(
  name: string,
  description: string,
  answer: (found: Found) => Promise<readonly [value: object, text: string]>,
): Command {
  return ofSiteCommand(name, description)
    .argument('<id>', 'the value of the cookie service_visitor_id')
    .action((id: string, { scope, ...options }: VisitorOptions) =>
      withLedger(async (ledger) => {
        const site = await findSiteOrThrow(ledger, options.site, { removed: true });
        const fault = findVisitorIdFault(id);
        if (fault !== undefined) throw new Error(`A visitor's id ${fault}; it was ${id}.`);
        writeAnswer(options, ...(await answer({ ledger, site, id, scope })));
      }),
    );
}

const scopeOption = () =>
  new Option('--scope <scope>', 'only this visitor, or every visitor joined with it')
    .choices(['visitor', 'person'])
    .default('visitor');

const DONE_MAX_MS = 60_000;

/** Requests an erasure from the running server, or from one started for it, and waits up to a minute. */
async function erase(
  ledger: Ledger,
  { siteId, visitorId, scope }: { siteId: string; visitorId: string; scope: SubjectScope },
): Promise<ErasureReceipt> {
  const asked = await ledger.requestErasure(siteId, visitorId, scope);
  const server = await findServer();
  try {
    return toReceipt(await awaitErasure(ledger, siteId, asked, DONE_MAX_MS));
  } finally {
    await server.end();
  }
}

function toText({ service_visitor_id, person, visits, payments, events_total }: VisitorAnswer) {
  const facts = [
    ['visitor', service_visitor_id],
    [
      'the same person',
      person.visitors
        .filter((each) => each.service_visitor_id !== service_visitor_id)
        .map(
          (each) =>
            `${each.service_visitor_id} (${each.joined_by.map(({ field, value }) => `${field} ${value}`).join(', ')})`,
        )
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
    listed('PAYMENT', payments.map(withMoneyTexts), PAYMENT_COLUMNS),
  ].filter((table) => table !== '');
  return `${tables.join('\n\n')}\n\nUse --json to see every event.`;
}

const PAYMENT_COLUMNS = ['paid_at', 'transaction_id', 'amount', 'refunded'] as const;

function withMoneyTexts(payment: Readonly<Record<string, unknown>>) {
  const toText = (money: unknown) => Object.values(money ?? {}).join(' ');
  return { ...payment, amount: toText(payment.amount), refunded: toText(payment.refunded) };
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
  if (state !== 'done') return `The erasure of ${id} continues while a server runs: ${receipt}.`;
  const { visitors: _, ...found } = counts;
  if (!Object.values(found).some(Boolean)) {
    return `Nothing was stored about ${id}: ${receipt}. An id is the value of the cookie service_visitor_id.`;
  }
  const taken = Object.entries(counts).map(([what, count]) => [what, String(count)]);
  const unread =
    counts.unread_archive_bytes > 0
      ? '\nDamaged archive bytes could not be searched and stay. The log names their files; see docs/reliability.md.'
      : '';
  return `Erased ${id}: ${receipt}.\n${toTable([], taken)}${unread}`;
}
