import type { ListedPayment, PaymentState } from '#contract/payments/payment-list.ts';
import type { Money } from '#contract/query-fields.ts';
import type { StoryAnswer } from '#contract/story.ts';
import { ok, type Result } from '#domain/result.ts';
import type { SentStory } from '../people/read-story.ts';
import type { Refusal, ReportSite, Stops } from '../ports.ts';
import type { QueryKind } from '../query/answer/query-kind.ts';
import type { ListPayments } from './list-payments.ts';
import type { PaymentLedger } from './sum-payments.ts';

/** A visit, or a later source within one, that gets credit for a payment, and how much. */
type CreditedTouch = {
  readonly at: string;
  /** Source, channel, campaign and other values of the visit, as its dimensions have them. */
  readonly values: Readonly<Record<string, string>>;
  readonly revenue: Money;
};

/** A payment, where it came from, and if from nowhere, why. */
export type ExplainedPayment = {
  readonly payment: ListedPayment;
  readonly credit: readonly CreditedTouch[];
  /** The visits of the person who paid. */
  readonly visits: number;
  /** Undefined if it is attributed. */
  readonly why: string | undefined;
};

/** Which payment, and how it is credited. */
type Asked = {
  readonly id: string;
  readonly model?: string | undefined;
  readonly lookback_days?: number | null | undefined;
};

/** Explains a payment, or the payment of a refund; undefined if the site has none with the id. */
export type ExplainPayment = (
  site: ReportSite,
  asked: Asked,
  stops?: Stops,
) => Promise<Result<ExplainedPayment | undefined, Refusal>>;

type ExplainDeps = {
  readonly listPayments: ListPayments;
  readonly ledger: Pick<PaymentLedger, 'findPayment'>;
  readonly story: QueryKind<SentStory, StoryAnswer | undefined>;
};

/** Creates what explains payments, from the list of payments and the story of the person. */
export function createExplainPayment({ listPayments, ledger, story }: ExplainDeps): ExplainPayment {
  return async (site, { id, model, lookback_days }, stops) => {
    const lookback = { lookbackDays: lookback_days ?? undefined };
    const payment = await listPayments.find(site, id, lookback);
    const known = payment && (await ledger.findPayment(site.id, id));
    if (payment === undefined || known === undefined) return ok(undefined);
    const [visitor] = known.visitorIds;
    const sent = { site_id: site.id, date_range: 'all', model, lookback_days };
    const ask = (id: string) => (page: Page) => story.answer(site, { ...sent, ...page, id }, stops);
    const found =
      visitor === undefined
        ? ok(NO_CREDIT)
        : await findCredit(payment.transaction_id, ask(visitor));
    return found.ok ? ok({ payment, ...found.value, why: WHY[payment.state] }) : found;
  };
}

const NO_CREDIT = { credit: [], visits: 0 };

/** Credited visits are usually among the latest; older ones are looked for on so many pages. */
const [PAGE_VISITS, PAGES_MAX] = [50, 20];

type Page = Pick<SentStory, 'cursor' | 'limit' | 'isPersonal'>;

/** The credited touches of a payment, earliest first, and the number of visits of its person. */
async function findCredit(
  id: string,
  ask: (page: Page) => Promise<Result<StoryAnswer | undefined, Refusal>>,
): Promise<Result<Pick<ExplainedPayment, 'credit' | 'visits'>, Refusal>> {
  const credit: CreditedTouch[] = [];
  let visits = 0;
  let cursor: string | undefined;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const told = await ask({ cursor, limit: PAGE_VISITS, isPersonal: false });
    if (!told.ok) return told;
    if (told.value === undefined) break;
    const { wanted, found } = findTouches(told.value, id);
    credit.push(...found);
    visits = told.value.totals.visits;
    cursor = told.value.meta.next_cursor;
    if (credit.length >= wanted || cursor === undefined) break;
  }
  return ok({ credit: credit.toSorted((a, b) => a.at.localeCompare(b.at)), visits });
}

/** The credited touches on this page of a story, and how many there are on all pages. */
function findTouches({ payments, visits }: StoryAnswer, id: string) {
  const credited = payments.find((each) => each.type === 'payment' && each.transaction_id === id);
  const credit = credited?.credit ?? [];
  const found = credit.flatMap(({ visit_id, touched_at: at, revenue }) => {
    const visit = visits.find((each) => each.visit_id === visit_id);
    if (visit === undefined) return [];
    const touch = visit.touches.find((each) => each.at === at);
    return [{ at, values: { ...visit.values, ...touch?.values }, revenue }];
  });
  return { wanted: credit.length, found };
}

/** Why a payment is not attributed, and what to do. */
const WHY: Readonly<Record<PaymentState, string | undefined>> = {
  attributed: undefined,
  no_visitor:
    'Nothing leads to a visitor. Report it with service_visitor_id, the value of the visitor’s cookie, or identify the customer.',
  unseen_visitor:
    'Its visitor has no visit on this site. Check that the id is that of the cookie service_visitor_id, and that the script is on the pages.',
  bot_visitor: 'Its visitor is a bot.',
  visit_after_payment: 'All visits of the buyer came after the payment.',
  visit_before_window: 'All visits of the buyer are older than lookback_days.',
  unmatched_refund: 'It is a refund of a payment that was not reported.',
  voided: 'It was voided by hand and is excluded from all reports.',
};
