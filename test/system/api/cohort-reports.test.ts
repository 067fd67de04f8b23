import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { createChecker } from '#contract/checker.ts';
import { LtvAnswer } from '#contract/reports/ltv.ts';
import { MrrAnswer } from '#contract/reports/mrr.ts';
import { RetentionAnswer } from '#contract/reports/retention.ts';
import { addCaller, type Caller } from '../../server/caller.ts';
import { shareServer } from '../../server/share-server.ts';
import type { TestServer } from '../../server/start-server.ts';
import { waitUntil } from '../../server/wait-until.ts';

/**
 * A tea shop with a club in 2025, in UTC.
 *
 * ```
 * ann   comes by Google on Mon 6 Jan; again on Tue 14 and Mon 27 Jan
 *       joins the club on 6 Jan: 10.00; 6 Feb: 10.00; 6 Mar: 15.00; pauses; 6 Jun: 8.00; 6 Jul: 6.00
 * ben   comes by newsletter on Sun 12 Jan; again on Wed 15 Jan
 *       buys once on 15 Jan: 30.00, of which 5.00 go back on 20 Feb
 * cat   comes by Google on Mon 13 Jan, and pays nothing
 * dan   comes by newsletter on Tue 4 Feb
 *       joins for a year on 4 Feb: 120.00; 4 Feb 2026: 120.00
 * ```
 */
const VISITS = [
  ['ann', '2025-01-06', 'google'],
  ['ann', '2025-01-14', 'newsletter'],
  ['ann', '2025-01-27', 'newsletter'],
  ['ben', '2025-01-12', 'newsletter'],
  ['ben', '2025-01-15', 'google'],
  ['cat', '2025-01-13', 'google'],
  ['dan', '2025-02-04', 'newsletter'],
] as const;
const CLUB = [
  ['ann', '2025-01-06', 10],
  ['ann', '2025-02-06', 10],
  ['ann', '2025-03-06', 15],
  ['ann', '2025-06-06', 8],
  ['ann', '2025-07-06', 6],
  ['dan', '2025-02-04', 120],
  ['dan', '2026-02-04', 120],
] as const;

describe('cohorts on a server', () => {
  let server: TestServer;
  let caller: Caller;
  before(async () => {
    server = await shareServer();
    caller = await addCaller(server.url, server.dataDir, 'cohorts.example');
    const events = VISITS.map(([visitor, day, source]) => ({
      ...{ site: 'cohorts.example', type: 'pageview', user_agent: 'Mozilla/5.0 Firefox/140.0' },
      url: `https://cohorts.example/?utm_source=${source}`,
      service_visitor_id: visitor,
      occurred_at: Date.parse(`${day}T12:00:00Z`),
    }));
    assert.equal((await caller.post('/api/v1/events', { events })).status, 200);
    for (const [index, [visitor, day, amount]] of CLUB.entries()) {
      const isFirst = CLUB.findIndex(([other]) => other === visitor) === index;
      await caller.payment({
        ...{ amount, currency: 'USD', transaction_id: `club-${index}`, renewal: !isFirst },
        ...{ timestamp: `${day}T12:30:00Z`, subscription_id: `of-${visitor}` },
        ...(isFirst && { service_visitor_id: visitor }),
      });
    }
    const tea = { transaction_id: 'tea', currency: 'USD', service_visitor_id: 'ben' };
    await caller.payment({ ...tea, amount: 30, timestamp: '2025-01-15T12:30:00Z' });
    const back = { amount: 5, refunded: true, refunded_at: '2025-02-20T12:00:00Z' };
    await caller.payment({ ...tea, ...back });
    await waitUntil(
      () => caller.query({ metrics: ['visits', 'revenue'] }),
      ({ body }) => JSON.stringify(body).includes('[7,{"value":"314.00"'),
    );
  });

  const ask = async (kind: 'retention' | 'ltv' | 'mrr', query: object) => {
    const asked = { site_id: 'cohorts.example', timezone: 'UTC', ...query };
    const { status, body } = await caller.post(`/api/v1/query/${kind}`, asked);
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };
  /** The answer, checked against OpenAPI. */
  const retention = async (query: object) => {
    const answer = await ask('retention', query);
    assert.deepEqual(createChecker(RetentionAnswer).findFaults(answer), []);
    return answer as RetentionAnswer;
  };
  const ltv = async (query: object) => {
    const answer = await ask('ltv', query);
    assert.deepEqual(createChecker(LtvAnswer).findFaults(answer), []);
    return answer as LtvAnswer;
  };
  const mrr = async (query: object) => {
    const answer = await ask('mrr', query);
    assert.deepEqual(createChecker(MrrAnswer).findFaults(answer), []);
    return answer as MrrAnswer;
  };

  it('show who visits again, week by week', async () => {
    const range = { date_range: ['2025-01-08', '2025-01-19'], periods: 4 };
    const { results, overall, query } = await retention(range);
    const lines = results.map(({ cohort, size, periods }) =>
      [cohort, size, ...periods.map(({ active, rate }) => `${active} ${rate}%`)].join(' | '),
    );
    assert.deepEqual(lines, [
      '2025-01-06 | 2 | 2 100% | 2 100% | 0 0% | 1 50%',
      '2025-01-13 | 1 | 1 100% | 0 0% | 0 0% | 0 0%',
    ]);
    assert.deepEqual(
      overall.periods.map(({ rate }) => rate),
      [100, 66.67, 0, 33.33],
    );
    assert.deepEqual(query.date_range, ['2025-01-06T00:00:00+00:00', '2025-01-20T00:00:00+00:00']);
    const onlyGoogle = await retention({ ...range, filters: [['is', 'visit:source', ['Google']]] });
    assert.deepEqual(
      onlyGoogle.results.map(({ size }) => size),
      [1, 1],
    );
  });

  it('show who pays again, and how much, month by month', async () => {
    const { results } = await retention({
      ...{ date_range: ['2025-01-01', '2025-02-28'], unit: 'month', cohort: 'first_payment' },
      ...{ measure: 'revenue', periods: 3 },
    });
    const lines = results.map(({ cohort, size, periods }) =>
      [
        cohort,
        size,
        ...periods.map((cell) => `${cell.active} ${cell.revenue?.value} ${cell.revenue_rate}%`),
      ].join(' | '),
    );
    assert.deepEqual(lines, [
      '2025-01-01 | 2 | 2 40.00 100% | 1 5.00 12.5% | 1 15.00 37.5%',
      '2025-02-01 | 1 | 1 120.00 100% | 0 0.00 0% | 0 0.00 0%',
    ]);
  });

  it('mark the period that is not over, and give it no rate', async () => {
    await caller.pageview('eve');
    const { results } = await waitUntil(
      () => retention({ date_range: 'day' }),
      ({ results: [row] }) => row?.size === 1,
    );
    const periods = [{ active: 1, rate: null, is_complete: false }];
    assert.deepEqual(results[0], { cohort: results[0]?.cohort, size: 1, periods });
  });

  it('show lifetime value by the first source, and by the month of the first payment', async () => {
    const toLine = ({ size, months }: LtvAnswer['overall'], group = 'all') =>
      [
        group,
        size,
        ...months.map((cell) => `${cell?.revenue.value} ${cell?.revenue_per_member.value}`),
      ].join(' | ');
    const range = { date_range: ['2025-01-01', '2025-02-28'], months: 3 };
    const bySource = await ltv({ ...range, group_by: 'visitor:first_source' });
    assert.deepEqual(
      [bySource.overall, ...bySource.results].map((row) =>
        toLine(row, 'group' in row ? String(row.group) : undefined),
      ),
      [
        'all | 4 | 160.00 40.00 | 165.00 41.25 | 180.00 45.00',
        'Google | 2 | 10.00 5.00 | 20.00 10.00 | 35.00 17.50',
        'newsletter | 2 | 150.00 75.00 | 145.00 72.50 | 145.00 72.50',
      ],
    );
    const byMonth = await ltv({ ...range, cohort: 'first_payment' });
    assert.deepEqual(
      byMonth.results.map((row) => toLine(row, row.group)),
      [
        '2025-01-01 | 2 | 40.00 20.00 | 45.00 22.50 | 60.00 30.00',
        '2025-02-01 | 1 | 120.00 120.00 | 120.00 120.00 | 120.00 120.00',
      ],
    );
    const cut = await ltv({ ...range, group_by: 'visit:source', limit: 1 });
    assert.deepEqual([cut.results.length, cut.meta.total_rows, cut.overall.size], [1, 2, 4]);
  });

  it('show recurring revenue and what it changed by', async () => {
    const toLines = ({ results }: MrrAnswer) =>
      results.map(({ month, customers, ...row }) => {
        const names = ['start', 'new', 'expansion', 'reactivated', 'contraction', 'churned', 'end'];
        const money = names.map((name) => (row as unknown as Record<string, Money>)[name]?.value);
        return [month.slice(0, 7), ...money, customers.end, row.net_revenue_retention].join(' ');
      });
    type Money = { readonly value: string };
    const range = { date_range: ['2025-01-01', '2025-07-31'] };
    assert.deepEqual(toLines(await mrr(range)), [
      '2025-01 0.00 10.00 0.00 0.00 0.00 0.00 10.00 1 ',
      '2025-02 10.00 10.00 0.00 0.00 0.00 0.00 20.00 2 100',
      '2025-03 20.00 0.00 5.00 0.00 0.00 0.00 25.00 2 125',
      '2025-04 25.00 0.00 0.00 0.00 0.00 15.00 10.00 1 40',
      '2025-05 10.00 0.00 0.00 0.00 0.00 0.00 10.00 1 100',
      '2025-06 10.00 0.00 0.00 8.00 0.00 0.00 18.00 2 100',
      '2025-07 18.00 0.00 0.00 0.00 2.00 0.00 16.00 2 88.89',
    ]);
    const google = await mrr({ ...range, filters: [['is', 'visit:source', ['Google']]] });
    assert.equal(toLines(google)[2], '2025-03 10.00 0.00 5.00 0.00 0.00 0.00 15.00 1 150');
  });

  const refused: readonly [rule: string, kind: string, query: object, ...paths: string[]][] = [
    ['nothing', 'retention', {}, '/site_id', '/date_range'],
    [
      'names that are not there',
      'retention',
      { unit: 'year', measure: 'love', cohort: 'x', by: 'user', periods: 65, colour: 'red' },
      ...['/site_id', '/date_range', '/unit', '/measure', '/cohort', '/by', '/periods', '/colour'],
    ],
    [
      'faults of form and of meaning at once',
      'retention',
      { ...in2025(), unit: 7, timezone: 'Mars/Olympus', filters: [['is', 'event:goal', ['x']]] },
      ...['/unit', '/timezone', '/filters'],
    ],
    ['too many cohorts', 'retention', { ...in2025(), date_range: '1000d' }, '/date_range'],
    [
      'very many cohorts',
      'retention',
      { ...in2025(), date_range: ['1970-01-01', '2200-12-31'] },
      '/date_range',
    ],
    ['money by visitor', 'retention', { ...in2025(), measure: 'revenue', by: 'visitor' }, '/by'],
    [
      'payments where none are asked about',
      'retention',
      { ...in2025(), filters: [['is', 'payment:product', ['tea']]] },
      '/filters',
    ],
    [
      'what visitors have done',
      'ltv',
      { ...in2025(), filters: [['has_done', ['is', 'event:goal', ['x']]]] },
      '/filters',
    ],
    [
      'people or payments',
      'ltv',
      {
        ...in2025(),
        filters: [
          [
            'or',
            [
              ['is', 'visit:source', ['x']],
              ['is', 'payment:product', ['x']],
            ],
          ],
        ],
      },
      '/filters',
    ],
    [
      'groups and sizes that cannot be',
      'ltv',
      { ...in2025(), group_by: "visit:'; DROP TABLE visits", months: 0, limit: 10_000 },
      ...['/months', '/limit', '/group_by'],
    ],
    ['groups of payments', 'ltv', { ...in2025(), group_by: 'payment:product' }, '/group_by'],
    [
      'renewals alone',
      'mrr',
      { ...in2025(), filters: [['is', 'payment:renewal', ['renewal']]] },
      '/filters',
    ],
    [
      'too many months',
      'mrr',
      { ...in2025(), date_range: ['1990-01-01', '2026-01-01'] },
      '/date_range',
    ],
    [
      'a reversed range',
      'mrr',
      { ...in2025(), date_range: ['2025-02-01', '2025-01-01'] },
      '/date_range',
    ],
  ];
  for (const [rule, kind, query, ...paths] of refused) {
    it(`refuse ${rule} (${kind})`, async () => {
      const { status, body } = await caller.post(`/api/v1/query/${kind}`, query);
      assert.equal(status, 400, JSON.stringify(body));
      const { details } = (body as { error: { details: { path: string }[] } }).error;
      assert.deepEqual(details.map(({ path }) => path).toSorted(), paths.toSorted());
    });
  }

  it('read what is in quotes as text', async () => {
    const filters = [['is', 'visit:source', ["'; DROP TABLE visits; --", '{p0:String}']]];
    const { overall } = await retention({ ...in2025(), filters });
    assert.equal(overall.size, 0);
    assert.equal((await ltv({ ...in2025(), filters, cohort: 'first_payment' })).overall.size, 0);
  });
});

function in2025() {
  return { site_id: 'cohorts.example', date_range: ['2025-01-01', '2025-03-31'] };
}
