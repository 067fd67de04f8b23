import { Command, Option } from 'commander';
import {
  LISTED_STATES,
  type ListedPayment,
  type ListedState,
} from '#contract/payments/payment-list.ts';
import { normalizeEmail } from '#domain/identity/normalize-email.ts';
import { isPlaceholderKey } from '#domain/identity/placeholder-keys.ts';
import type { PaymentPosition } from '#domain/money/known-payment.ts';
import { ok, type Result } from '#domain/result.ts';
import type { Site } from '#domain/site/site.ts';
import type { Ledger } from '#ledger/open-ledger.ts';
import { withWarehouse } from '#processes/with-warehouse.ts';
import {
  createListPayments,
  type ListPayments,
  paidOn,
  parsePaymentsCursor,
} from '#report/payments/list-payments.ts';
import { readSettings } from '#settings.ts';
import { importCommand, importsCommand, undoImportCommand } from '../imports/import-commands.ts';
import { ofSiteCommand, type SiteOptions, toTable, writeAnswer } from '../io/answer.ts';
import { assertOrder, orUsage, readDay, toWhole } from '../io/option-values.ts';
import { findSiteOrThrow, withLedger } from '../stores/with-ledger.ts';

/** `tributary payment`: lists, shows, voids, corrects and imports the payments of a site. */
export function paymentCommand(): Command {
  return new Command('payment')
    .description('list, show, void and correct payments, and import files of them')
    .addCommand(listCommand())
    .addCommand(
      ofPayment('show', 'show a payment, by its own id or a refund’s', async () => ok(null)),
    )
    .addCommand(voidCommand())
    .addCommand(correctCommand())
    .addCommand(importCommand())
    .addCommand(importsCommand())
    .addCommand(undoImportCommand());
}

type ListOptions = SiteOptions & {
  readonly [Filter in 'customer' | 'email' | 'subscription' | 'visitor']?: string;
} & {
  readonly state?: ListedState;
  readonly from?: Temporal.PlainDate;
  readonly to?: Temporal.PlainDate;
  readonly lookbackDays?: number;
  readonly limit: number;
  readonly cursor?: PaymentPosition;
};

const LIMIT_MAX = 10_000;

function listCommand(): Command {
  return ofSiteCommand('list', 'list payments with their states, latest first')
    .addOption(new Option('--state <state>', 'only payments in this state').choices(LISTED_STATES))
    .option('--customer <id>', 'only payments with this customer_id')
    .option('--email <address>', 'only payments with this e-mail address')
    .option('--subscription <id>', 'only payments of this subscription')
    .option('--visitor <id>', 'only payments of this visitor')
    .option('--from <day>', 'only payments made on or after this day: 2026-11-01', readDay)
    .option('--to <day>', 'only payments made on or before this day', readDay)
    .option('--lookback-days <days>', 'the credited days before a payment', toWhole(1, 730))
    .option('--limit <count>', 'maximum number of payments', toWhole(1, LIMIT_MAX), 100)
    .option('--cursor <cursor>', 'the next_cursor of the previous page', toPosition)
    .action(({ site, state, email, ...options }: ListOptions, command: Command) => {
      assertOrder(command, options.from, options.to);
      return withPayments(site, async ({ site: found, payments }) => {
        const answer = await payments.list({
          site: found,
          filter: {
            ...{ customerId: options.customer, visitorId: options.visitor },
            ...{ email: email && normalizeEmail(email), subscriptionId: options.subscription },
          },
          state,
          paid: paidOn([options.from, options.to], found),
          ...{ limit: options.limit, lookbackDays: options.lookbackDays, beyond: options.cursor },
        });
        const next = answer.meta.next_cursor;
        const table = toTable(HEADING, answer.results.map(toCells), 'No payments found.');
        writeAnswer(options, answer, next ? `${table}\nMore: --cursor ${next}` : table);
      });
    });
}

const toPosition = orUsage(parsePaymentsCursor, 'Must be the next_cursor of a previous page.');

function voidCommand(): Command {
  return ofPayment(
    'void',
    'permanently exclude a payment and its refunds, or one refund, from all reports; they stay on record',
    ({ ledger, site, id }) => ledger.voidPayment(site.id, id, byCommand()),
  );
}

function correctCommand(): Command {
  return ofPayment(
    'correct',
    'replace the reported visitor of a payment',
    async ({ ledger, site, id, options }) => {
      const visitor = options.visitor === 'none' ? undefined : options.visitor;
      if (visitor !== undefined && isPlaceholderKey('visitor', visitor)) {
        throw new Error(`"${visitor}" identifies nobody. Unknown: --visitor none`);
      }
      return ledger.correctVisitor(site.id, id, visitor, byCommand());
    },
  ).requiredOption('--visitor <id>', 'the visitor who paid; "none" if unknown');
}

const byCommand = () => ({ by: 'command', at: Date.now() });

type PaymentOptions = SiteOptions & { readonly visitor?: string };
type Found = { readonly ledger: Ledger; readonly site: Site; readonly payments: ListPayments };

/** Builds a command that changes a payment and then shows it. */
function ofPayment(
  name: string,
  description: string,
  change: (found: Found & { id: string; options: PaymentOptions }) => Promise<Result<null, string>>,
): Command {
  return ofSiteCommand(name, description)
    .argument('<transaction>', 'the payment’s transaction_id')
    .action((id: string, options: PaymentOptions) =>
      withPayments(options.site, async (found) => {
        const changed = await change({ ...found, id, options });
        if (!changed.ok) throw new Error(changed.error);
        const payment = await found.payments.find(found.site, id);
        if (payment === undefined) throw new Error(`There is no payment ${id}.`);
        writeAnswer(options, payment, toText(payment));
      }),
    );
}

function withPayments(site: string, work: (found: Found) => Promise<void>): Promise<void> {
  return withLedger(async (ledger) => {
    const found = await findSiteOrThrow(ledger, site, { removed: true });
    await withWarehouse(readSettings(), (warehouse) =>
      work({ ledger, site: found, payments: createListPayments(warehouse, ledger) }),
    );
  });
}

const HEADING = ['PAID AT', 'TRANSACTION', 'AMOUNT', 'REFUNDED', 'STATE', 'VISITOR'];

function toCells(payment: ListedPayment): string[] {
  const { paid_at, transaction_id, amount, refunded, state, service_visitor_id = '' } = payment;
  const money = ({ value, currency }: ListedPayment['amount']) => `${value} ${currency}`;
  return [paid_at, transaction_id, money(amount), money(refunded), state, service_visitor_id];
}

function toText(payment: ListedPayment): string {
  const changes = payment.changes.map(({ at, change, by, before = '', after = '' }) => {
    const what = change === 'void' ? 'voided' : `visitor "${before}" replaced by "${after}"`;
    return `${at}  ${what} by ${by}`;
  });
  return [toTable(HEADING, [toCells(payment)]), ...changes].join('\n');
}
