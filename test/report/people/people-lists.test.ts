import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { PeopleQuery, PersonsAnswer, VisitorsAnswer } from '#contract/people.ts';
import { PEOPLE_ORDERS, type PeopleOrder } from '#contract/people-orders.ts';
import type { MetricValue } from '#contract/query.ts';
import type { EventRow } from '#contract/rows/event-row.ts';
import { type Ledger, openLedger } from '#ledger/open-ledger.ts';
import { createReports } from '#report/reports/create-reports.ts';
import { BAKERY, BAKERY_EVENTS, BAKERY_NOW, BAKERY_PAYMENTS } from '../../worlds/bakery.ts';
import { openWorldWarehouse, type WorldWarehouse } from '../../worlds/open-warehouse.ts';

/**
 * The bakery's world with who is easily missed in a list, all times of November 2026 in UTC:
 *
 * ```
 * eve   a goal of a backend, on the 6th at 15:00; nobody has seen her
 * gus   Direct, on the 2nd at 22:50; a goal of the tracker on the 3rd at 00:05, in that visit
 * hal   Google, on the 2nd at 22:55; an outbound click on the 3rd at 00:10, in that visit
 * bot2  a goal of a backend on the 6th at 16:00, of a bot
 * dora  identified herself on the 1st
 * ```
 *
 * dora is the same person as ben, and anna's payments name her, or nobody but her.
 */
const MORE_EVENTS: readonly EventRow[] = [
  event('goal', 'eve', '06T15:00', { name: 'order', extends_visit: 0 }),
  event('pageview', 'gus', '02T22:50', { path: '/', ...ofVisit(1, '02T22:50') }),
  event('goal', 'gus', '03T00:05', { name: 'order', ...ofVisit(1, '02T22:50') }),
  event('pageview', 'hal', '02T22:55', {
    ...{ path: '/', source: 'Google', medium: 'organic' },
    ...ofVisit(2, '02T22:55'),
  }),
  event('outbound', 'hal', '03T00:10', {
    target: 'https://oven.example/',
    ...ofVisit(2, '02T22:55'),
  }),
  event('goal', 'bot2', '06T16:00', { name: 'order', extends_visit: 0, bot_class: 'declared' }),
  event('identify', 'dora', '01T10:00', { user_id: 'user-7', props: { city: 'Zürich' } }),
];

/** One visit's, shares by a rule, shares by the data. */
const MODELS = ['first_touch', 'linear', 'data_driven'] as const;
type Model = (typeof MODELS)[number];

type Period = PeopleQuery['date_range'];
const PERIOD: Period = ['2026-11-03', '2026-11-05'];
/** Nobody was there, and a backend named goals. */
const PERIOD_OF_GOALS: Period = ['2026-11-06', '2026-11-06'];
const FILTERS: readonly (readonly unknown[])[] = [
  [],
  [['is', 'visit:source', ['Newsletter', 'Google']]],
  [['is', 'event:page', ['/pricing']]],
  [['is', 'event:goal', ['signup', 'order']]],
  [['has_done', ['is', 'event:goal', ['signup', 'order']]]],
  [['is', 'visitor:first_source', ['Newsletter', 'Direct']]],
  [['is', 'visit:bot_class', ['declared', '(none)']]],
];

describe('lists of people', () => {
  let world: WorldWarehouse;
  let ledger: Ledger;
  const folder = mkdtempSync(join(tmpdir(), 'tributary-ledger-'));
  before(async () => {
    ledger = await openLedger({ location: join(folder, 'ledger.db'), now: () => BAKERY_NOW });
    world = await openWorldWarehouse();
    await world.addEvents([...BAKERY_EVENTS, ...MORE_EVENTS]);
    await world.addPayments(BAKERY_PAYMENTS.filter(({ visitor_id }) => visitor_id !== ''));
    await world.addPersons([['visitor', 'dora', 'ben', BAKERY.id]]);
  });
  after(async () => {
    await world?.close();
    await ledger?.close();
    rmSync(folder, { recursive: true });
  });

  const queries = () => createReports({ warehouse: world.warehouse, now: () => BAKERY_NOW });
  async function list(
    kind: 'visitors' | 'persons',
    { found, isPersonal = true, ...asked }: Partial<PeopleQuery> & Found,
  ) {
    const { results } = await page(kind, { ...asked, isPersonal }, found);
    return results;
  }
  async function page(
    kind: 'visitors' | 'persons',
    asked: Partial<PeopleQuery> & { readonly isPersonal: boolean },
    found?: readonly string[],
    reports = queries(),
  ) {
    const people = reports.people({
      ...ledger,
      ...(found && { searchPersons: async () => found }),
    });
    const query = { site_id: BAKERY.id, date_range: '30d', ...asked } as const;
    const answer = await people[kind].answer(BAKERY, query);
    assert.ok(answer.ok, JSON.stringify(answer));
    return answer.value;
  }
  async function listInPages(
    kind: 'visitors' | 'persons',
    order_by: [[PeopleOrder, Direction]],
    all: number,
  ) {
    const rows: PeopleRow[] = [];
    const reports = queries();
    for (let cursor: string | undefined; ; ) {
      const pagination = { limit: 3, ...(cursor !== undefined && { cursor }) };
      const asked = { order_by, pagination, include: { total_rows: true }, isPersonal: true };
      const { results, meta } = await page(kind, asked, undefined, reports);
      rows.push(...results);
      assert.equal(meta.total_rows, all);
      cursor = meta.next_cursor;
      if (cursor === undefined) return rows;
    }
  }
  async function ask(asked: Partial<PeopleQuery>): Promise<readonly number[]> {
    const answer = await queries().breakdowns.answer(BAKERY, {
      ...{ site_id: BAKERY.id, date_range: '30d', ...asked },
      metrics: ['visits', 'pageviews', 'conversions', 'payments', 'revenue'],
    });
    assert.ok(answer.ok, JSON.stringify(answer));
    return (answer.value.results[0]?.metrics ?? []).map(toNumber);
  }
  const sumsOf = (rows: Awaited<ReturnType<typeof list>>) =>
    rows
      .map((row) => [
        row.visits,
        row.pageviews,
        row.conversions,
        row.payments,
        toNumber(row.revenue),
      ])
      .reduce(
        (sums, row) => sums.map((sum, index) => round(sum + (row[index] ?? 0))),
        [0, 0, 0, 0, 0],
      );

  const askedBy = (date_range: Period, filters: (typeof FILTERS)[number], model: Model) => ({
    ...{ date_range, filters: filters as unknown[][], attribution: { model } },
  });
  async function assertSums(
    asked: ReturnType<typeof askedBy>,
    sums: readonly number[],
  ): Promise<void> {
    for (const kind of ['visitors', 'persons'] as const) {
      const rows = await list(kind, asked);
      assert.deepEqual(sumsOf(rows), sums, `${kind} of ${JSON.stringify(asked)}`);
    }
  }

  /** What the first model comes to, by filter. */
  const wholes: (readonly number[])[] = [];

  it('add up to what a query counts, under every filter', async () => {
    for (const filters of FILTERS) {
      for (const model of modelsFor(filters)) {
        const asked = askedBy(PERIOD, filters, model);
        const whole = await ask(asked);
        await assertSums(asked, whole);
        if (model === MODELS[0]) wholes.push(whole);
      }
    }
  });

  it('do so where nobody was seen, too', async () => {
    for (const filters of FILTERS) {
      const asked = askedBy(PERIOD_OF_GOALS, filters, MODELS[0]);
      await assertSums(asked, await ask(asked));
    }
  });

  it('add up to the same where parts are merged', async () => {
    await world.merge();
    assert.equal(wholes.length, FILTERS.length);
    for (const [index, filters] of FILTERS.entries()) {
      await assertSums(askedBy(PERIOD, filters, MODELS[0]), wholes[index] ?? []);
    }
  });

  it('name who was there or reached a goal, and when they were last seen', async () => {
    const rows = await list('visitors', { date_range: ['2026-11-03', '2026-11-06'] });
    const lines = rows.map((row) => {
      const { visits, pageviews, conversions, last_seen_at } = row;
      const id = 'service_visitor_id' in row ? row.service_visitor_id : '';
      return [id, visits, pageviews, conversions, last_seen_at?.slice(8, 16) ?? 'never'].join(
        ' | ',
      );
    });
    assert.deepEqual(lines, [
      'anna | 1 | 1 | 1 | 05T08:00',
      'cleo | 1 | 1 | 0 | 03T13:00',
      'hal | 0 | 0 | 0 | 03T00:10',
      'gus | 0 | 0 | 1 | 03T00:05',
      'ben | 0 | 1 | 1 | 02T23:10',
      'eve | 0 | 0 | 1 | never',
    ]);
  });

  it('are sorted by any figure and then by id, in pages as in one', async () => {
    for (const kind of ['visitors', 'persons'] as const) {
      const rows = await list(kind, {});
      assert.ok(rows.length > 5);
      for (const order of PEOPLE_ORDERS) {
        for (const direction of DIRECTIONS) {
          const sorted = rows.toSorted(by(order, direction));
          const paged = await listInPages(kind, [[order, direction]], rows.length);
          assert.deepEqual(paged, sorted);
        }
      }
    }
  });

  it('find by a part of an id who only reached a goal', async () => {
    const [row, ...others] = await list('persons', { search: 'EV' });
    assert.deepEqual([row?.person_id, row?.first_seen_at, others], ['eve', null, []]);
  });

  it('find whomever the ledger finds, among any number of customers', async () => {
    const others = Array.from({ length: 120_000 }, () => crypto.randomUUID());
    const found = [...others, 'eve', 'anna', "it's\\nobody"];
    const rows = await list('persons', { search: 'customers', found });
    assert.deepEqual(rows.map(({ person_id }) => person_id).toSorted(), ['anna', 'eve']);
  });

  it('find by what a browser identified with, whichever visitor of the person it was', async () => {
    const find = async (search: string, isPersonal?: boolean) =>
      (await list('persons', { search, date_range: ['2026-11-03', '2026-11-06'], isPersonal })).map(
        ({ person_id }) => person_id,
      );
    assert.deepEqual(await find('user-7'), ['ben']);
    assert.deepEqual(await find('ZÜRICH'), ['ben']);
    assert.deepEqual(await find('zürich', false), []);
  });
});

const DIRECTIONS = ['asc', 'desc'] as const;
type Direction = (typeof DIRECTIONS)[number];

type PeopleRow = (VisitorsAnswer | PersonsAnswer)['results'][number];

/** Whom nobody has seen comes last in both directions. */
function by(order: PeopleOrder, direction: Direction) {
  const sign = direction === 'asc' ? 1 : -1;
  const idOf = (row: PeopleRow) =>
    'service_visitor_id' in row ? row.service_visitor_id : row.person_id;
  const keyOf = ({ [order]: value }: PeopleRow) => {
    if (value === null) return Number.POSITIVE_INFINITY;
    return sign * (order === 'last_seen_at' ? Date.parse(`${value}`) : toNumber(value as number));
  };
  return (one: PeopleRow, other: PeopleRow) =>
    Math.sign(keyOf(one) - keyOf(other)) || (idOf(one) < idOf(other) ? -1 : 1);
}

/** What the ledger finds, and whether the reader may see traits. */
type Found = { readonly found?: readonly string[]; readonly isPersonal?: boolean | undefined };

/** Models make a difference where visits are chosen. */
function modelsFor(filters: unknown): readonly Model[] {
  return JSON.stringify(filters).includes('visit:source') ? MODELS : MODELS.slice(0, 1);
}

function event(
  type: EventRow['type'],
  visitor: string,
  at: string,
  more: Partial<EventRow>,
): EventRow {
  const occurredAt = toInstant(at);
  return {
    ...{ site_id: BAKERY.id, type, visitor_id: visitor, event_id: crypto.randomUUID() },
    ...{ occurred_at: occurredAt, accepted_at: occurredAt },
    ...more,
  };
}

function ofVisit(number: number, startedAt: string) {
  return {
    visit_id: `00000000-0000-7000-9000-00000000000${number}`,
    visit_started_at: toInstant(startedAt),
  };
}

function toInstant(text: string): number {
  return Date.parse(`2026-11-${text}:00Z`);
}

function toNumber(value: MetricValue | { readonly value: string }): number {
  return Number(typeof value === 'object' ? value?.value : value);
}

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
