import type { EventRow } from '#contract/rows/event-row.ts';
import type { WorldPayment } from './open-warehouse.ts';

/**
 * A bakery's website in November 2026: four visitors, six visits, seven payments. Small enough to
 * count by hand, with one of each thing that is counted wrong easily.
 *
 * ```
 * Berlin time    visitor  what happens                                            visit
 * Nov  1 00:15   dora     Direct: /                       (still October in UTC)   D1
 * Nov  2 10:00   anna     Google, cpc, autumn: / , 10:02 /pricing                  A1
 *        10:03   anna     goal signup {plan: pro} on /pricing
 *        12:00   a bot    Google: / , goal signup                                  counts nowhere
 *        15:00   cleo     pays 20.00, before any visit                             unattributed
 *        23:30   ben      Newsletter, email, november: / , 23:50 /blog             B1
 * Nov  3 00:10   ben      /pricing                        (same visit, next day)
 *        10:00   anna     pays 29.90
 *        12:00   ben      pays 100.00
 *        14:00   cleo     Hacker News: /blog                                       C1
 * Nov  4 10:00   ben      gets his 100.00 back
 *        11:00   nobody   pays 5.55, without a visitor                             unattributed
 * Nov  5 09:00   anna     Direct: /account                                         A2
 *        09:01   anna     goal login, sent by the server: it does not prolong A2
 * Nov  6 10:00   anna     pays 10.00
 *        12:00   ben      goal signup {plan: free}, sent by the server, in no visit
 * Nov  7 10:00   ben      pays 50.00 US dollars
 * Nov  8 10:00   cleo     starts a trial: pays 0.00
 * Nov 19 10:00   anna     Hacker News: /                                           A3
 * Nov 20 10:00   anna     gets 4.00 back, of the 10.00
 * ```
 */
export const BAKERY = { id: 'site_bakery', timezone: 'Europe/Berlin', currency: 'EUR' } as const;

/** Noon of 21 November 2026 in Berlin: when the bakery's queries are asked. */
export const BAKERY_NOW = berlin('2026-11-21 12:00');

/** The bakery's events, with one of another site. */
export const BAKERY_EVENTS: readonly EventRow[] = [
  ...visit('dora', 'D1', '2026-11-01 00:15', {}, [['00:15', '/']]),
  ...visit('anna', 'A1', '2026-11-02 10:00', fromGoogle(), [
    ['10:00', '/'],
    ['10:02', '/pricing'],
  ]),
  goal('anna', '2026-11-02 10:03', 'signup', {
    ...ofVisit('A1', '2026-11-02 10:00'),
    path: '/pricing',
    props: { plan: 'pro' },
  }),
  ...visit('crawler', 'X1', '2026-11-02 12:00', { ...fromGoogle(), bot_class: 'declared' }, [
    ['12:00', '/'],
  ]),
  goal('crawler', '2026-11-02 12:00', 'signup', {
    ...ofVisit('X1', '2026-11-02 12:00'),
    bot_class: 'declared',
  }),
  ...visit(
    'ben',
    'B1',
    '2026-11-02 23:30',
    { source: 'Newsletter', medium: 'email', campaign: 'november' },
    [
      ['23:30', '/'],
      ['23:50', '/blog'],
    ],
  ),
  pageview('ben', '2026-11-03 00:10', '/pricing', ofVisit('B1', '2026-11-02 23:30')),
  ...visit('cleo', 'C1', '2026-11-03 14:00', fromHackerNews(), [['14:00', '/blog']]),
  ...visit('anna', 'A2', '2026-11-05 09:00', {}, [['09:00', '/account']]),
  goal('anna', '2026-11-05 09:01', 'login', {
    ...ofVisit('A2', '2026-11-05 09:00'),
    extends_visit: 0,
  }),
  goal('ben', '2026-11-06 12:00', 'signup', { extends_visit: 0, props: { plan: 'free' } }),
  ...visit('anna', 'A3', '2026-11-19 10:00', fromHackerNews(), [['10:00', '/']]),
  {
    ...pageview('anna', '2026-11-02 10:00', '/', ofVisit('S1', '2026-11-02 10:00')),
    site_id: 'site_other',
  },
];

/** The bakery's payments and refunds, as the ledger projects them. */
export const BAKERY_PAYMENTS: readonly WorldPayment[] = [
  payment('p-early', 'cleo', '2026-11-02 15:00', 20_00n),
  payment('p-anna', 'anna', '2026-11-03 10:00', 29_90n),
  payment('p-ben', 'ben', '2026-11-03 12:00', 100_00n),
  refund('p-ben', 'ben', '2026-11-04 10:00', 100_00n, '2026-11-03 12:00'),
  payment('p-nobody', '', '2026-11-04 11:00', 5_55n),
  payment('p-again', 'anna', '2026-11-06 10:00', 10_00n),
  { ...payment('p-dollars', 'ben', '2026-11-07 10:00', 50_00n), currency: 'USD' },
  payment('p-trial', 'cleo', '2026-11-08 10:00', 0n),
  refund('p-again', 'anna', '2026-11-20 10:00', 4_00n, '2026-11-06 10:00'),
  { ...payment('p-anna', 'anna', '2026-11-03 10:00', 999_00n), site_id: 'site_other' },
];

type Touch = Pick<EventRow, 'source' | 'medium' | 'campaign' | 'referrer' | 'bot_class'>;

function fromGoogle(): Touch {
  return {
    source: 'Google',
    medium: 'cpc',
    campaign: 'autumn',
    referrer: 'https://www.google.com/',
  };
}

function fromHackerNews(): Touch {
  return { source: 'Hacker News', medium: 'referral', referrer: 'https://news.ycombinator.com/' };
}

/** Pageviews of one visit on one day; only the first carries where it came from. */
function visit(
  visitor: string,
  name: string,
  startsAt: string,
  touch: Touch,
  pages: readonly (readonly [time: string, path: string])[],
): EventRow[] {
  const day = startsAt.slice(0, 10);
  return pages.map(([time, path], index) =>
    pageview(visitor, `${day} ${time}`, path, {
      ...ofVisit(name, startsAt),
      ...(index === 0 ? touch : {}),
    }),
  );
}

function pageview(visitor: string, at: string, path: string, more: Partial<EventRow>): EventRow {
  return { ...event('pageview', visitor, at), path, ...more };
}

function goal(visitor: string, at: string, name: string, more: Partial<EventRow>): EventRow {
  return { ...event('goal', visitor, at), name, ...more };
}

function event(type: EventRow['type'], visitor: string, at: string): EventRow {
  return {
    site_id: BAKERY.id,
    occurred_at: berlin(at),
    accepted_at: berlin(at),
    event_id: crypto.randomUUID(),
    type,
    visitor_id: visitor,
  };
}

/** The visit's id holds its name in hexadecimal. */
function ofVisit(name: string, startsAt: string): Pick<EventRow, 'visit_id' | 'visit_started_at'> {
  const hex = Buffer.from(name).toString('hex').padStart(12, '0');
  return { visit_id: `00000000-0000-7000-8000-${hex}`, visit_started_at: berlin(startsAt) };
}

function payment(id: string, visitor: string, at: string, amountMinor: bigint): WorldPayment {
  return {
    site_id: BAKERY.id,
    kind: 'payment',
    transaction_id: id,
    occurred_at: berlin(at),
    paid_at: berlin(at),
    amount_minor: amountMinor,
    currency: 'EUR',
    visitor_id: visitor,
  };
}

function refund(
  id: string,
  visitor: string,
  at: string,
  amountMinor: bigint,
  paidAt: string,
): WorldPayment {
  return { ...payment(id, visitor, at, amountMinor), kind: 'refund', paid_at: berlin(paidAt) };
}

function berlin(text: string): number {
  return Temporal.PlainDateTime.from(text).toZonedDateTime('Europe/Berlin').epochMilliseconds;
}
