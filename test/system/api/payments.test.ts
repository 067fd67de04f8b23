import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { addCaller, type Caller } from '../../server/caller.ts';
import { shareServer } from '../../server/share-server.ts';
import { runCli, type TestServer } from '../../server/start-server.ts';
import { assertVerified } from '../../server/verify-data.ts';
import { waitUntil } from '../../server/wait-until.ts';

type Payment = {
  readonly transaction_id: string;
  readonly state: string;
  readonly status: string;
  readonly refunded: { readonly value: string };
  readonly refunds: readonly { readonly transaction_id: string; readonly matched?: true }[];
  readonly changes: readonly { readonly change: string; readonly by: string }[];
  readonly email?: string;
  readonly credited?: {
    readonly visits: number;
    readonly first: { readonly source: string };
    readonly last: { readonly source: string };
  };
};
type Page = {
  readonly results: readonly Payment[];
  readonly meta: {
    readonly next_cursor?: string;
    readonly totals?: readonly { readonly status: string; readonly payments: number }[];
  };
};

describe('payments', () => {
  let server: TestServer;
  let caller: Caller;
  before(async () => {
    server = await shareServer();
    caller = await addCaller(server.url, server.dataDir, 'payments.example');
  });

  async function ask<T>(path: string, method = 'GET', body?: object) {
    const answer = await fetch(`${server.url}/api/v1/payments${path}`, {
      method,
      headers: { authorization: `Bearer ${caller.key}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: (await answer.json()) as T };
  }

  const pay = (transaction_id: string, facts: object = {}) =>
    caller.payment({ amount: 10, currency: 'USD', transaction_id, ...facts });
  const stateOf = async (id: string) => (await ask<Payment>(`/${id}`)).body.state;

  async function revenue(): Promise<string | undefined> {
    const { body } = await caller.query({ metrics: ['revenue'] });
    const { results } = body as { results?: { metrics: { value: string }[] }[] };
    return results?.[0]?.metrics[0]?.value;
  }

  it('without an exchange rate are named in the list and in the story of who paid', async () => {
    const shop = await addCaller(server.url, server.dataDir, 'no-rate.example');
    await shop.pageview('kim');
    const money = { amount: 12.5, currency: 'KWD' };
    await shop.payment({ transaction_id: 'dinars', service_visitor_id: 'kim', ...money });
    const headers = { authorization: `Bearer ${shop.key}` };
    for (const path of ['payments', 'payments?totals=true', 'visitors/kim/story', 'persons/kim']) {
      await waitUntil(
        async () => {
          const answer = await fetch(`${server.url}/api/v1/${path}`, { headers });
          const { meta } = (await answer.json()) as { meta?: { unconverted?: object[] } };
          return meta?.unconverted;
        },
        (unconverted) =>
          isDeepStrictEqual(unconverted, [
            {
              ...{ currency: 'KWD', payments: 1 },
              gross_revenue: { value: '12.500', currency: 'KWD' },
              refunds: { value: '0.000', currency: 'KWD' },
            },
          ]),
      );
    }
  });

  it('may have numbers for ids, with all of their digits, and for times', async () => {
    const sent = `{"transaction_id": 90071992547409931, "customer_id": 42, "amount": 0,
      "currency": "USD", "timestamp": 1763700000, "customer_email": "eve@shop.example"}`;
    const { key } = await addCaller(server.url, server.dataDir, 'numbers.example');
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const url = `${server.url}/api/v1/payments`;
    const answer = await fetch(url, { method: 'POST', headers, body: sent });
    assert.equal(answer.status, 200, await answer.text());
    const found = await fetch(`${url}/90071992547409931`, { headers });
    const body = (await found.json()) as Readonly<Record<string, unknown>>;
    assert.deepEqual(
      [body.transaction_id, body.customer_id, body.email, body.paid_at],
      ['90071992547409931', '42', 'eve@shop.example', '2025-11-21T04:40:00.000Z'],
    );
  });

  it('have a state that says whether they are attributed, or why not', async () => {
    await caller.pageview('ada', '/?utm_source=newsletter');
    await pay('attributed', { service_visitor_id: 'ada', email: 'ada@shop.example' });
    await pay('no_visitor');
    await pay('unseen_visitor', { service_visitor_id: 'nobody' });
    await pay('visit_after_payment', { service_visitor_id: 'ada-2', timestamp: '2020-01-01' });
    await caller.pageview('ada-2', '/');
    await pay('unmatched_refund', { refunded: true });
    await waitUntil(
      () => stateOf('attributed'),
      (state) => state === 'attributed',
    );
    await waitUntil(
      () => stateOf('visit_after_payment'),
      (state) => state === 'visit_after_payment',
    );
    const { body } = await ask<Page>('');
    for (const { transaction_id: id, state } of body.results) assert.equal(state, id);
    // The latest paid first, whenever it was reported.
    assert.deepEqual(
      body.results.map((payment) => payment.transaction_id),
      ['unmatched_refund', 'unseen_visitor', 'no_visitor', 'attributed', 'visit_after_payment'],
    );
    assert.equal(body.results.at(-2)?.email, 'ada@shop.example');
    const some = await ask<Page>('?state=no_visitor');
    assert.deepEqual(
      some.body.results.map((payment) => payment.transaction_id),
      ['no_visitor'],
    );
    const why = await ask<Page>('?state=unattributed');
    assert.deepEqual(why.body.results.map((payment) => payment.state).toSorted(), [
      'no_visitor',
      'unseen_visitor',
      'visit_after_payment',
    ]);
    for (const refused of ['state=lost', 'from=2026-11-02&to=2026-11-01', 'customer_id=']) {
      assert.equal((await ask(`?${refused}`)).status, 400, refused);
    }
    assert.equal((await ask('/unknown')).status, 404);
  });

  const list = (...options: string[]) =>
    runCli<Page>(['payment', 'list', '--site', 'payments.example', ...options], server.dataDir);

  it('come in pages, by key and by command', async () => {
    const byKey = async (cursor?: string) =>
      (await ask<Page>(`?limit=3${cursor ? `&cursor=${cursor}` : ''}`)).body;
    const byCommand = (cursor?: string) =>
      list('--limit', '3', ...(cursor ? ['--cursor', cursor] : []));
    for (const pageAfter of [byKey, byCommand]) {
      const first = await pageAfter();
      const next = await pageAfter(first.meta.next_cursor);
      const ids = [...first.results, ...next.results].map((each) => each.transaction_id);
      assert.equal(new Set(ids).size, 5);
      assert.equal(next.meta.next_cursor, undefined);
    }
    await assert.rejects(list('--cursor', '3'), /Must be the next_cursor/);
  });

  it('are found by the days on which they were made, the last one included', async () => {
    const idsOf = ({ results }: Page) => results.map((each) => each.transaction_id);
    const old = ['visit_after_payment'];
    for (const [from, to, found] of [
      ['2020-01-01', '2020-01-01', old],
      ['2019-12-31', '2020-01-02', old],
      ['2020-01-02', '2020-01-03', []],
      ['2019-12-30', '2019-12-31', []],
    ] as const) {
      assert.deepEqual(idsOf((await ask<Page>(`?from=${from}&to=${to}`)).body), found);
      assert.deepEqual(idsOf(await list('--from', from, '--to', to)), found);
    }
    assert.equal((await ask<Page>('?from=2020-01-02')).body.results.length, 4);
    assert.deepEqual(idsOf(await list('--to', '2020-01-01')), old);
    assert.equal((await ask('?to=2020-02-30')).status, 400);
    await assert.rejects(list('--to', '2020-02-30'), /Must be a day such as/);
  });

  it('take in a refund that names only the customer, and say so', async () => {
    const before = await revenue();
    await pay('of-cus', { service_visitor_id: 'ada', customer_id: 'cus_9' });
    const { body } = await pay('refund-of-cus', { refunded: true, customer_id: 'cus_9' });
    assert.match((body as { message: string }).message, /It was matched to payment of-cus\.$/);
    const { body: paid } = await ask<Payment>('/refund-of-cus');
    assert.deepEqual([paid.transaction_id, paid.status], ['of-cus', 'refunded']);
    assert.equal(paid.refunded.value, '10.00');
    assert.deepEqual(
      paid.refunds.map((refund) => [refund.transaction_id, refund.matched]),
      [['refund-of-cus', true]],
    );
    await waitUntil(
      async () => {
        const { body: found } = await caller.query({ metrics: ['refunds', 'payments'] });
        return (found as { results: { metrics: [{ value: string }, number] }[] }).results[0];
      },
      (row) => row?.metrics[0].value === '10.00' && row.metrics[1] === 5,
    );
    assert.equal(await revenue(), before);
    const { body: refunded } = await ask<Page>('?state=refunded&totals=true');
    assert.deepEqual(
      refunded.results.map((each) => each.transaction_id),
      ['of-cus'],
    );
    assert.deepEqual(
      refunded.meta.totals?.map(({ status, payments }) => `${payments} ${status}`),
      ['4 paid', '1 refunded', '1 unmatched_refund'],
    );
    assert.equal((await ask('?totals=yes')).status, 400);
  });

  it('have the state that a lookback window gives them', async () => {
    await caller.post('/api/v1/events', {
      ...{ site: 'payments.example', type: 'pageview', url: 'https://payments.example/' },
      ...{ service_visitor_id: 'ben', occurred_at: Date.now() - 20 * 86_400_000 },
    });
    await pay('long-after', { service_visitor_id: 'ben' });
    const path = (days: string) => `/long-after?lookback_days=${days}`;
    await waitUntil(
      () => stateOf('long-after'),
      (state) => state === 'attributed',
    );
    assert.equal((await ask<Payment>(path('30'))).body.state, 'attributed');
    assert.equal((await ask<Payment>(path('7'))).body.state, 'visit_before_window');
    assert.equal((await ask(path('0'))).status, 400);
    const unattributed = await ask<Page>('?state=unattributed&lookback_days=7');
    const found = unattributed.body.results.find((each) => each.transaction_id === 'long-after');
    assert.equal(found?.state, 'visit_before_window');
    const listed = await list('--state', 'visit_before_window', '--lookback-days', '7');
    assert.deepEqual(
      listed.results.map((each) => each.transaction_id),
      ['long-after'],
    );
    await ask('/long-after', 'DELETE');
  });

  it('name the visits that are credited, and are filtered by them and by what they hold', async () => {
    await pay('tea', { product: 'Green Tea', service_visitor_id: 'ada', email: 'ann@tea.example' });
    await waitUntil(
      async () => (await ask<Page>('?search=tea&totals=true')).body.meta.totals?.length,
      (statuses) => statuses === 1,
    );
    const idsOf = async (filters: string) =>
      (await ask<Page>(filters)).body.results.map((each) => each.transaction_id);
    const { body } = await ask<Page>('?source=newsletter&limit=1');
    assert.deepEqual(
      body.results.map((each) => each.transaction_id),
      ['tea'],
    );
    const [first] = body.results;
    assert.equal(first?.credited?.visits, 1);
    assert.equal(first?.credited?.first.source, 'newsletter');
    assert.deepEqual(first?.credited?.last, first?.credited?.first);
    assert.equal(body.meta.next_cursor === undefined, false);
    const { body: summed } = await ask<Page>('?source=newsletter&totals=true&limit=500');
    const counts = Map.groupBy(summed.results, ({ status }) => status);
    assert.deepEqual(
      summed.meta.totals?.map(({ status, payments }) => [status, payments]),
      [...counts].map(([status, of]) => [status, of.length]).toSorted(),
    );
    assert.ok(counts.size > 0);
    assert.deepEqual(await idsOf('?source=nosuch'), []);
    assert.deepEqual(await idsOf('?search=EEN%20T'), ['tea']);
    assert.deepEqual(await idsOf('?search=ann@&product=Green%20Tea'), ['tea']);
    assert.deepEqual(await idsOf('?product=Tea'), []);
    const today = new Date().toISOString().slice(0, 10);
    const refunded = await ask<Page>(`?refunded_from=${today}&totals=true`);
    assert.deepEqual(refunded.body.results.map((each) => each.transaction_id).toSorted(), [
      'of-cus',
      'unmatched_refund',
    ]);
    assert.deepEqual(refunded.body.meta.totals?.length, 2);
    assert.deepEqual(await idsOf('?refunded_to=2020-01-01'), []);
    const inMinutes = new Date(Date.now() + 600_000).toISOString();
    assert.deepEqual(await idsOf(`?search=tea&from=${today}&to=${inMinutes}`), ['tea']);
    assert.deepEqual(await idsOf(`?search=tea&from=${inMinutes}`), []);
    for (const refused of ['model=best', 'from=today']) {
      assert.equal((await ask(`?${refused}`)).status, 400, refused);
    }
    await ask('/tea', 'DELETE');
  });

  it('are one CSV file, which holds all of them', async () => {
    const headers = { authorization: `Bearer ${caller.key}`, accept: 'text/csv' };
    const answer = await fetch(`${server.url}/api/v1/payments?limit=1`, { headers });
    assert.match(answer.headers.get('content-type') ?? '', /^text\/csv/);
    const [head = '', ...lines] = (await answer.text()).trimEnd().split('\r\n');
    assert.match(head, /^paid_at,transaction_id,state,status,amount,currency,.*,email,name$/);
    const { body } = await ask<Page>('');
    assert.deepEqual(
      lines.map((line) => line.split(',')[1]?.replaceAll('"', '')),
      body.results.map((each) => each.transaction_id),
    );
  });

  it('can be corrected and voided, by key and by command', async () => {
    const { status, body } = await ask<Payment>('/unseen_visitor', 'PATCH', {
      service_visitor_id: 'ada',
    });
    assert.deepEqual([status, body.state, body.changes[0]?.change], [200, 'attributed', 'visitor']);
    assert.match(body.changes[0]?.by ?? '', /^key_/);
    const again = await pay('unseen_visitor', { service_visitor_id: 'nobody' });
    assert.match((again.body as { message: string }).message, /Its visitor was set by hand/);
    assert.equal((await ask('/unseen_visitor', 'PATCH', {})).status, 400);
    const untyped = await fetch(`${server.url}/api/v1/payments/unseen_visitor`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${caller.key}`, 'content-type': 'text/plain' },
      body: '{"service_visitor_id":"ada"}',
    });
    assert.equal(untyped.status, 415);
    for (const nobody of ['undefined', 'NULL', '0']) {
      const refused = await ask('/unseen_visitor', 'PATCH', { service_visitor_id: nobody });
      assert.equal(refused.status, 400);
      const correct = ['payment', 'correct', 'unseen_visitor', '--site', 'payments.example'];
      await assert.rejects(
        runCli([...correct, '--visitor', nobody], server.dataDir),
        /identifies nobody/,
      );
    }
    assert.equal((await ask('/unknown', 'PATCH', { service_visitor_id: null })).status, 404);

    const mistaken = await ask('/unseen_visitor?refund=r-1', 'DELETE');
    assert.deepEqual([mistaken.status, /refund/.test(JSON.stringify(mistaken.body))], [400, true]);
    assert.equal((await ask<Payment>('/unseen_visitor', 'DELETE')).body.state, 'voided');
    assert.equal((await pay('unseen_visitor')).status, 409);
    assert.equal((await ask('/unseen_visitor', 'DELETE')).status, 409);
    const voided = await runCli<Payment>(
      ['payment', 'void', 'no_visitor', '--site', 'payments.example'],
      server.dataDir,
    );
    assert.deepEqual([voided.state, voided.changes[0]?.by], ['voided', 'command']);
    const listed = await list('--state', 'voided');
    assert.equal(listed.results.length, 4);
    await waitUntil(revenue, (value) => value === '20.00');
    await assertVerified(server.dataDir);
  });
});
