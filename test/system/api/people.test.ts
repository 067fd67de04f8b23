import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { PersonsAnswer, VisitorsAnswer } from '#contract/people.ts';
import type { StoryAnswer } from '#contract/story.ts';
import { ATTRIBUTION_MODELS } from '#domain/attribution/models.ts';
import { addSite, createKey } from '../../server/add-site.ts';
import { type Caller, callerOf } from '../../server/caller.ts';
import { shareServer } from '../../server/share-server.ts';
import type { TestServer } from '../../server/start-server.ts';
import { waitUntil } from '../../server/wait-until.ts';
import { howMany } from '../../worlds/how-many.ts';

/**
 * Three persons and a few more, at hours of the days before today (UTC):
 *
 * ```
 * 10 days  10:00  ann-phone   Google: / , 10:01 /pricing
 *  9 days  10:00  ann-laptop  Newsletter, email: /pricing, 10:02 goal signup {plan: pro}
 *          (10:05, on either day: they are user 42, ann@example.com)
 *  8 days  12:00  ann-laptop  pays 100.00 (t-1; customer c-ann, Ann Meier, ann@example.com)
 *  7 days  12:00  c-ann       pays 50.00, a renewal (t-2)
 *  6 days  12:00  t-1         30.00 of it go back
 *  5 days  10:00  ben         Direct: /docs
 *          12:00  ben         pays 20.00 (t-3)
 *  4 days  10:00  cat         Hacker News: /
 *  3 days  12:00  c-far       pays 7.00 (t-4), whom nobody has seen
 *          13:00  nobody      pays 1.00 (t-5)
 * ```
 */
const MIDNIGHT = Math.floor(Date.now() / 86_400_000) * 86_400_000;
const at = (daysAgo: number, time: string) =>
  new Date(MIDNIGHT - daysAgo * 86_400_000 + Date.parse(`1970-01-01T${time}:00Z`)).toISOString();

const SITE = 'people.example';
type Told = readonly [
  at: string,
  visitor: string,
  event: { readonly url?: string } & Readonly<Record<string, unknown>>,
];
const EVENTS: readonly Told[] = [
  [at(10, '10:00'), 'ann-phone', { url: '/', referrer: 'https://www.google.com/' }],
  [at(10, '10:01'), 'ann-phone', { url: '/pricing' }],
  [at(9, '10:00'), 'ann-laptop', { url: '/pricing?utm_source=Newsletter&utm_medium=email' }],
  [at(9, '10:02'), 'ann-laptop', { type: 'goal', name: 'signup', metadata: { plan: 'pro' } }],
  [at(9, '10:05'), 'ann-laptop', { type: 'identify', user_id: '42' }],
  [
    at(10, '10:05'),
    'ann-phone',
    { type: 'identify', user_id: '42', traits: { email: 'ann@example.com' } },
  ],
  [at(5, '10:00'), 'ben', { url: '/docs' }],
  [at(4, '10:00'), 'cat', { url: '/', referrer: 'https://news.ycombinator.com/' }],
];
const ANN = { customer_id: 'c-ann', email: 'ann@example.com', name: 'Ann Meier' };
const PAYMENTS = [
  {
    transaction_id: 't-1',
    amount: 100,
    timestamp: at(8, '12:00'),
    service_visitor_id: 'ann-laptop',
    ...ANN,
  },
  {
    transaction_id: 't-2',
    amount: 50,
    timestamp: at(7, '12:00'),
    customer_id: 'c-ann',
    renewal: true,
  },
  { transaction_id: 't-1', amount: 30, refunded: true, refunded_at: at(6, '12:00') },
  { transaction_id: 't-3', amount: 20, timestamp: at(5, '12:00'), service_visitor_id: 'ben' },
  { transaction_id: 't-4', amount: 7, timestamp: at(3, '12:00'), customer_id: 'c-far' },
  { transaction_id: 't-5', amount: 1, timestamp: at(3, '13:00') },
];
/** One visit's, shares by a rule, shares by the data; all eight with many worlds. */
const MODELS =
  howMany(1) > 1
    ? ATTRIBUTION_MODELS
    : (['first_touch', 'last_non_direct', 'position_based', 'data_driven'] as const);
const USER_AGENT = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

type Row = VisitorsAnswer['results'][number] & PersonsAnswer['results'][number];
type Page = { results: Row[]; meta: VisitorsAnswer['meta'] };

describe('people', () => {
  let server: TestServer;
  let caller: Caller;
  let onlyStats: Caller;
  before(async () => {
    server = await shareServer();
    await addSite(server.dataDir, SITE, { currency: 'EUR' });
    caller = callerOf(server.url, SITE, await createKey(server.dataDir, SITE));
    const onlyStatsKey = await createKey(server.dataDir, SITE, ['stats:read']);
    onlyStats = callerOf(server.url, SITE, onlyStatsKey);
    const events = EVENTS.map(([told, visitor, { url = '/', ...more }]) => ({
      ...{
        site: SITE,
        type: 'pageview',
        url: `https://${SITE}${url}`,
        occurred_at: Date.parse(told),
      },
      ...{ service_visitor_id: visitor, user_agent: USER_AGENT, ...more },
    }));
    for (const event of events) {
      const { body } = await caller.post('/api/v1/events', event);
      assert.equal((body as { accepted?: number }).accepted, 1, JSON.stringify(body));
    }
    for (const payment of PAYMENTS) {
      assert.equal((await caller.payment({ currency: 'EUR', ...payment })).status, 200);
    }
    await waitUntil(
      async () => (await list('persons', { search: 'c-ann' })).results,
      ([row]) => row?.visits === 2 && row.revenue.value === '120.00',
    );
  });

  async function list(of: 'visitors' | 'persons', more: object = {}, by = caller): Promise<Page> {
    const body = { site_id: SITE, date_range: '30d', order_by: [['revenue', 'desc']], ...more };
    const answer = await by.post(`/api/v1/query/${of}`, body);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body as Page;
  }
  const lines = ({ results }: Page) =>
    results.map((row) =>
      [
        row.service_visitor_id ?? nameOf(row),
        ...[row.visits, row.pageviews, row.conversions, row.payments, row.revenue.value],
        row.last_seen_at,
      ].join(' | '),
    );

  it('are listed as persons, with what all of their visitors did', async () => {
    assert.deepEqual(lines(await list('persons')), [
      `ann | 2 | 3 | 1 | 2 | 120.00 | ${at(9, '10:05')}`,
      `ben | 1 | 1 | 0 | 1 | 20.00 | ${at(5, '10:00')}`,
      '~ | 0 | 0 | 0 | 1 | 7.00 | ',
      `cat | 1 | 1 | 0 | 0 | 0.00 | ${at(4, '10:00')}`,
    ]);
  });

  it('are listed as visitors, each with the payments that name it', async () => {
    assert.deepEqual(lines(await list('visitors')), [
      `ann-laptop | 1 | 1 | 1 | 1 | 70.00 | ${at(9, '10:05')}`,
      `ben | 1 | 1 | 0 | 1 | 20.00 | ${at(5, '10:00')}`,
      `ann-phone | 1 | 2 | 0 | 0 | 0.00 | ${at(10, '10:05')}`,
      `cat | 1 | 1 | 0 | 0 | 0.00 | ${at(4, '10:00')}`,
    ]);
  });

  it('add up to the money of the same query, but for that of nobody known', async () => {
    for (const filters of [[], [['is', 'visit:source', ['Google', 'Direct']]]]) {
      for (const model of ['first_touch', 'linear', 'data_driven'] as const) {
        const more = { filters, attribution: { model } };
        const { results } = await list('persons', more);
        const metrics = ['revenue', 'payments', 'visits'];
        const { body } = await caller.query({ metrics, date_range: '30d', ...more });
        const [revenue, payments, visits] = metricsOf(body);
        const nobodys = filters.length === 0 ? 1 : 0;
        const sum = (of: (row: Row) => number) => results.reduce((all, row) => all + of(row), 0);
        assert.equal(
          sum((row) => Math.round(Number(row.revenue.value) * 100)),
          Math.round((Number((revenue as { value: string }).value) - nobodys) * 100),
        );
        assert.equal(
          sum((row) => row.payments),
          Number(payments) - nobodys,
        );
        assert.equal(
          sum((row) => row.visits),
          visits,
        );
      }
    }
  });

  it('are known by how they came, how they were there last, and what they are called', async () => {
    const { results } = await list('persons', { search: 'c-ann' });
    const [ann] = results;
    assert.equal(results.length, 1);
    assert.deepEqual(ann?.visitors.toSorted(), ['ann-laptop', 'ann-phone']);
    assert.deepEqual(
      [ann?.user_ids, ann?.customer_ids, ann?.emails],
      [['42'], ['c-ann'], ['ann@example.com']],
    );
    assert.equal(ann?.first_seen_at, at(10, '10:00'));
    assert.equal(ann?.first_visit?.source, 'Google');
    assert.equal(ann?.first_visit?.channel, 'Organic Search');
    assert.equal(ann?.latest_visit?.source, 'Newsletter');
    assert.equal(ann?.latest_visit?.entry_page, '/pricing');
    assert.equal(ann?.latest_visit?.browser, 'Firefox');
  });

  it('are found by a part of any id, of an address or a name', async () => {
    const searches = [
      ['ANN-pho', 'ann'],
      ['ann-laptop', 'ann'],
      ['42', 'ann'],
      ['-far', '~'],
      ['ann@EXAMPLE', 'ann'],
      ['meier', 'ann'],
      ['nobody at all', ''],
    ] as const;
    for (const [search, found] of searches) {
      const ids = lines(await list('persons', { search })).map((line) => line.split(' ')[0]);
      assert.deepEqual(ids, found === '' ? [] : [found], search);
    }
    const visitors = lines(await list('visitors', { search: 'meier' }));
    assert.deepEqual(
      visitors.map((line) => line.split(' ')[0]),
      ['ann-laptop', 'ann-phone'],
    );
  });

  it('are told without addresses and names where the key may not read visitors', async () => {
    const { results } = await list('persons', { search: 'c-ann' }, onlyStats);
    assert.equal(results.length, 1);
    assert.equal(results[0]?.emails, undefined);
    for (const search of ['ann@', 'Meier']) {
      assert.deepEqual((await list('persons', { search }, onlyStats)).results, [], search);
    }
  });

  it('come in any order, page by page, nobody twice and nobody left out', async () => {
    const orders = [
      ...[
        ['last_seen_at', 'asc'],
        ['last_seen_at', 'desc'],
        ['revenue', 'desc'],
      ],
      ...[
        ['visits', 'desc'],
        ['conversions', 'asc'],
      ],
    ];
    for (const order of orders) {
      const order_by = [order];
      const whole = lines(await list('persons', { order_by }));
      const paged: string[] = [];
      let cursor: string | undefined;
      do {
        const pagination = { limit: 1, ...(cursor !== undefined && { cursor }) };
        const found = await list('persons', {
          order_by,
          pagination,
          include: { total_rows: true },
        });
        paged.push(...lines(found));
        assert.equal(found.meta.total_rows, 4);
        cursor = found.meta.next_cursor;
      } while (cursor !== undefined && paged.length < 9);
      assert.deepEqual(paged, whole, order.join(' '));
    }
    const latest = lines(await list('persons', { order_by: [['last_seen_at', 'asc']] }));
    assert.deepEqual(
      latest.map((line) => line.split(' ')[0]),
      ['ann', 'ben', 'cat', '~'],
    );
  });

  it('are filtered as everywhere', async () => {
    const found = async (filters: unknown[]) =>
      lines(await list('visitors', { filters })).map((line) => line.split(' ')[0]);
    assert.deepEqual(await found([['is', 'event:page', ['/pricing']]]), [
      'ann-laptop',
      'ann-phone',
    ]);
    assert.deepEqual(await found([['is', 'visit:source', ['Hacker News']]]), ['cat']);
    assert.deepEqual(await found([['has_done', ['is', 'event:goal', ['signup']]]]), ['ann-laptop']);
  });

  it('are refused in words where a query is none', async () => {
    const faults = async (more: object) => {
      const body = { site_id: SITE, date_range: '30d', ...more };
      const answer = await caller.post('/api/v1/query/persons', body);
      const { error } = answer.body as { error: { details: { path: string; message: string }[] } };
      return [answer.status, ...error.details.map(({ path }) => path)].join(' ');
    };
    assert.equal(await faults({ date_range: 'soon', search: '' }), '400 /search /date_range');
    assert.equal(await faults({ order_by: [['beauty', 'asc']] }), '400 /order_by/0/0');
    assert.equal(await faults({ pagination: { limit: 1_000 } }), '400 /pagination/limit');
    assert.equal(await faults({ pagination: { cursor: 'abc' } }), '400 /pagination/cursor');
    assert.equal(await faults({ metrics: ['visits'] }), '400 /metrics');
    assert.equal(await faults({ filters: [['is', 'visit:shoe', ['a']]] }), '400 /filters/0/1');
    assert.equal(await faults({ filters: [['is', 'payment:currency', ['EUR']]] }), '400 /filters');
    const { meta } = await list('persons', { pagination: { limit: 1 } });
    const pagination = { cursor: meta.next_cursor };
    assert.equal(await faults({ pagination, search: 'other' }), '400 /pagination/cursor');
    const other = { site_id: 'other.example', date_range: '30d' };
    assert.equal((await caller.post('/api/v1/query/visitors', other)).status, 403);
  });

  async function read(path: string, by = caller): Promise<{ status: number; body: unknown }> {
    const answer = await fetch(`${server.url}/api/v1/${path}`, {
      headers: { authorization: `Bearer ${by.key}` },
    });
    return { status: answer.status, body: await answer.json() };
  }
  async function story(path: string, by = caller): Promise<StoryAnswer> {
    const { status, body } = await read(path, by);
    assert.equal(status, 200, JSON.stringify(body));
    return body as StoryAnswer;
  }

  it('have a story, told by any of their visitors', async () => {
    const told = await story('visitors/ann-phone/story');
    assert.deepEqual(told, await story('persons/ann-laptop'));
    assert.deepEqual(told.person.visitors.toSorted(), ['ann-laptop', 'ann-phone']);
    assert.deepEqual([told.person.emails, told.person.names], [['ann@example.com'], ['Ann Meier']]);
    assert.deepEqual(told.totals, {
      visits: 2,
      gross_revenue: euros('150.00'),
      refunds: euros('30.00'),
      revenue: euros('120.00'),
      payments: 2,
      conversions: 1,
    });
    const [laptop, phone] = told.visits;
    assert.equal(told.visits.length, 2);
    assert.equal(laptop?.service_visitor_id, 'ann-laptop');
    assert.equal(laptop?.started_at, at(9, '10:00'));
    assert.deepEqual(
      [laptop?.values.source, laptop?.values.channel, laptop?.values.entry_page],
      ['Newsletter', 'Email', '/pricing'],
    );
    assert.deepEqual(
      laptop?.events.map(({ type, page, goal, props }) => [type, page, goal, props]),
      [
        ['pageview', '/pricing', undefined, undefined],
        ['goal', '/', 'signup', { plan: 'pro' }],
      ],
    );
    assert.deepEqual(
      phone?.events.map(({ at: when, page }) => [when, page]),
      [
        [at(10, '10:00'), '/'],
        [at(10, '10:01'), '/pricing'],
      ],
    );
    assert.deepEqual(
      told.payments.map(({ type, transaction_id, at: when, amount, renewal }) => {
        return [type, transaction_id, when, amount.value, renewal].join(' ');
      }),
      [
        `refund t-1 ${at(6, '12:00')} 30.00 false`,
        `payment t-2 ${at(7, '12:00')} 50.00 true`,
        `payment t-1 ${at(8, '12:00')} 100.00 false`,
      ],
    );
    assert.deepEqual(
      told.identities.map(({ service_visitor_id, user_id, email }) => {
        return [service_visitor_id, user_id, email];
      }),
      [
        ['ann-laptop', '42', undefined],
        ['ann-phone', '42', 'ann@example.com'],
      ],
    );
  });

  it('credit each visit as the model says', async () => {
    const creditOf = async (model: string) =>
      (await story(`persons/ann-phone?model=${model}`)).visits.map(
        ({ service_visitor_id, credit }) =>
          [service_visitor_id, credit.revenue.value, credit.payments, credit.conversions].join(' '),
      );
    assert.deepEqual(await creditOf('first_touch'), [
      'ann-laptop 0.00 0 0',
      'ann-phone 120.00 2 1',
    ]);
    assert.deepEqual(await creditOf('last_touch'), ['ann-laptop 120.00 2 1', 'ann-phone 0.00 0 0']);
    assert.deepEqual(await creditOf('linear'), ['ann-laptop 60.00 1 0.5', 'ann-phone 60.00 1 0.5']);
    const { payments } = await story('persons/ann-phone?model=linear');
    assert.deepEqual(
      payments[0]?.credit.map(({ revenue }) => revenue.value),
      ['-15.00', '-15.00'],
    );
  });

  it('agree with the queries about all, to the cent, by each kind of model', async () => {
    const people = ['ann-phone', 'ben', 'cat', (await list('persons')).results[2]?.person_id ?? ''];
    for (const model of MODELS) {
      const sums = new Map<string, number[]>();
      const add = (
        source: string,
        { revenue, payments, conversions }: StoryAnswer['unattributed'],
      ) => {
        const before = sums.get(source) ?? [0, 0, 0];
        const cents = Math.round(Number(revenue.value) * 100);
        const parts = [cents, payments * 10_000, conversions * 10_000];
        sums.set(
          source,
          parts.map((part, index) => Math.round(part + (before[index] ?? 0))),
        );
      };
      for (const id of people) {
        const told = await story(`persons/${encodeURIComponent(id)}?model=${model}&date_range=30d`);
        for (const { values, credit } of told.visits) add(values.source ?? '', credit);
        add('Unattributed', told.unattributed);
      }
      add('Unattributed', { revenue: euros('1.00'), payments: 1, conversions: 0 }); // Nobody's.
      const { body } = await caller.query({
        metrics: ['revenue', 'payments', 'conversions'],
        ...{ date_range: '30d', dimensions: ['visit:source'], attribution: { model } },
      });
      const { results } = body as { results: { dimensions: string[]; metrics: unknown[] }[] };
      const asked = results.map(({ dimensions, metrics: [revenue, ...counts] }) => [
        dimensions[0],
        [
          Math.round(Number((revenue as { value: string }).value) * 100),
          ...counts.map((count) => Math.round(Number(count) * 10_000)),
        ],
      ]);
      const known = new Map(asked as [string, number[]][]);
      for (const [source, parts] of sums) {
        assert.deepEqual(parts, known.get(source) ?? [0, 0, 0], `${model} ${source}`);
      }
      assert.deepEqual(
        [...known.keys()].filter((source) => !sums.has(source)),
        [],
      );
    }
  });

  it('have stories of several pages', async () => {
    const first = await story('persons/ann-phone?limit=1');
    assert.equal(first.visits[0]?.service_visitor_id, 'ann-laptop');
    const cursor = first.meta.next_cursor;
    const second = await story(`persons/ann-phone?limit=1&cursor=${cursor}`);
    assert.equal(second.visits[0]?.service_visitor_id, 'ann-phone');
    assert.equal(second.meta.next_cursor, undefined);
    assert.deepEqual(second.payments, first.payments);
  });

  it('have stories without a visit, and none when nobody knows of them', async () => {
    const [far] = (await list('persons', { search: 'c-far' })).results;
    const told = await story(`persons/${far?.person_id}`);
    assert.deepEqual([told.visits, told.person.customer_ids], [[], ['c-far']]);
    assert.equal(told.unattributed.revenue.value, '7.00');
    for (const id of ['nobody', '~999', '~']) {
      assert.equal((await read(`persons/${id}`)).status, id === '~' ? 400 : 404, id);
    }
    assert.equal((await read('visitors/nobody/story')).status, 404);
  });

  it('have stories without addresses, names and parameters for a key that may not read visitors', async () => {
    const told = await story('persons/ann-phone', onlyStats);
    assert.doesNotMatch(JSON.stringify(told), /@|Meier|"props"/);
    assert.deepEqual(told.person.customer_ids, ['c-ann']);
  });

  it('have stories that are refused in words', async () => {
    const faults = async (params: string) => {
      const { status, body } = await read(`persons/ann-phone?${params}`);
      const { error } = body as { error: { details: { path: string }[] } };
      return [status, ...error.details.map(({ path }) => path)].join(' ');
    };
    assert.equal(await faults('model=magic&date_range=soon'), '400 /model /date_range');
    assert.equal(await faults('lookback_days=731&limit=0'), '400 /lookback_days /limit');
    assert.equal(await faults('from=2026-01-01'), '400 /to');
    assert.equal(await faults('cursor=abc&timezone=Mars'), '400 /timezone /cursor');
    assert.equal(await faults('colour=red'), '400 /colour');
    assert.equal(await faults('site_id=other.example'), '403');
  });
});

function euros(value: string) {
  return { value, currency: 'EUR' };
}

/** A person's id may be that of any of their visitors. */
function nameOf({ person_id, visitors }: Row): string {
  return visitors.includes('ann-phone') ? 'ann' : person_id.replace(/\d+/, '');
}

function metricsOf(body: unknown): unknown[] {
  return (body as { results: { metrics: unknown[] }[] }).results[0]?.metrics ?? [];
}
