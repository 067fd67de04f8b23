import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createChecker } from '#contract/checker.ts';
import { type Journeys, JourneysAnswer } from '#contract/reports/journeys.ts';
import { createReports } from '#report/reports/create-reports.ts';
import { BAKERY, BAKERY_EVENTS, BAKERY_NOW, BAKERY_PAYMENTS } from '../../worlds/bakery.ts';
import { openWorldWarehouse, type WorldWarehouse } from '../../worlds/open-warehouse.ts';

const ANSWERS = createChecker(JourneysAnswer);
const FRONT = { type: 'page', path: '/' } as const;

/** The bakery of test/worlds/bakery.ts, counted by hand. */
describe('journeys', () => {
  let world: WorldWarehouse;
  before(async () => {
    world = await openWorldWarehouse();
    await world.addEvents(BAKERY_EVENTS);
    await world.addPayments(BAKERY_PAYMENTS);
  });
  after(() => world?.close());

  function journeysOf(asked: Partial<Journeys>) {
    const { journeys } = createReports({ warehouse: world.warehouse, now: () => BAKERY_NOW });
    const november: [string, string] = ['2026-11-01', '2026-11-30'];
    return journeys.answer(BAKERY, { site_id: BAKERY.id, date_range: november, ...asked });
  }
  /** `/pricing > signup | 2, ended 1, other 0 | 35.90`. */
  async function lines(asked: Partial<Journeys>): Promise<string[]> {
    const answer = await journeysOf(asked);
    assert.ok(answer.ok, JSON.stringify(answer));
    assert.deepEqual(ANSWERS.findFaults(answer.value), [], 'the answer is as OpenAPI says');
    return answer.value.results.map(({ path, reached, ended, other, revenue }) => {
      const steps = path.map((step) => step.path ?? step.name ?? step.kind).join(' > ');
      return `${steps} | ${reached}, ended ${ended}, other ${other} | ${revenue.value}`;
    });
  }
  async function faults(asked: Partial<Journeys>): Promise<string[]> {
    const answer = await journeysOf(asked);
    assert.ok(!answer.ok, 'the journeys are refused');
    return answer.error.details.map(({ path, message }) => `${path}: ${message}`);
  }

  it('lead from a page to what comes next in the visit', async () => {
    // Dora leaves at once, anna reads and signs up, ben reads two pages.
    assert.deepEqual(await lines({ from: FRONT }), [
      ' | 3, ended 1, other 0 | 0.00',
      '/blog | 1, ended 0, other 0 | 0.00',
      '/blog > /pricing | 1, ended 1, other 0 | 0.00',
      '/pricing | 1, ended 0, other 0 | 0.00',
      '/pricing > signup | 1, ended 1, other 0 | 0.00',
    ]);
  });

  it('go on as far as the window and the depth reach, over visits and payments', async () => {
    const asked: Partial<Journeys> = { from: FRONT, within: { days: 3 }, depth: 2 };
    assert.deepEqual(await lines(asked), [
      // Anna paid 29.90 in the three days; ben had his 100.00 back later.
      ' | 3, ended 1, other 0 | 29.90',
      '/blog | 1, ended 0, other 0 | 0.00',
      '/blog > /pricing | 1, ended 0, other 1 | 0.00',
      '/pricing | 1, ended 0, other 0 | 29.90',
      '/pricing > signup | 1, ended 0, other 1 | 29.90',
    ]);
    assert.deepEqual(await lines({ ...asked, depth: 1, breadth: 1 }), [
      ' | 3, ended 1, other 1 | 29.90',
      '/blog | 1, ended 0, other 1 | 0.00',
    ]);
  });

  it('lead to a payment, the last step first', async () => {
    const asked: Partial<Journeys> = {
      ...{ to: { type: 'payment', kind: 'new' }, within: { days: 2 }, depth: 2, by: 'visitor' },
    };
    // Cleo came out of nowhere. Ben's first payment came after /pricing, anna's after her signup.
    assert.deepEqual(await lines(asked), [
      ' | 3, ended 1, other 0 | 49.90',
      '/pricing | 1, ended 0, other 0 | 0.00',
      '/pricing > /blog | 1, ended 0, other 1 | 0.00',
      'signup | 1, ended 0, other 0 | 29.90',
      'signup > /pricing | 1, ended 0, other 1 | 29.90',
    ]);
  });

  it('show pages of one pattern as one, and the same in a row once', async () => {
    assert.deepEqual(await lines({ from: FRONT, fold: ['/b*', '/**'] }), [
      ' | 3, ended 1, other 0 | 0.00',
      '/b* | 1, ended 0, other 0 | 0.00',
      '/b* > /** | 1, ended 1, other 0 | 0.00',
      'signup | 1, ended 1, other 0 | 0.00',
    ]);
  });

  it('begin with whatever somebody did first, and go on from what was walked', async () => {
    const asked: Partial<Journeys> = { from: { type: 'visit' }, depth: 1 };
    assert.deepEqual(await lines(asked), [
      ' | 4, ended 0, other 0 | 0.00',
      '/ | 3, ended 1, other 2 | 0.00',
      '/blog | 1, ended 1, other 0 | 0.00',
    ]);
    const after: Journeys['after'] = [{ type: 'page', path: '/' }];
    assert.deepEqual(await lines({ ...asked, after }), [
      ' | 3, ended 1, other 0 | 0.00',
      '/blog | 1, ended 0, other 1 | 0.00',
      '/pricing | 1, ended 0, other 1 | 0.00',
    ]);
    assert.deepEqual(
      await lines({ ...asked, after: [...after, { type: 'page', path: '/blog' }] }),
      [' | 1, ended 0, other 0 | 0.00', '/pricing | 1, ended 1, other 0 | 0.00'],
    );
    assert.deepEqual(await lines({ from: FRONT, depth: 1, after: [{ type: 'goal', name: 'x' }] }), [
      ' | 0, ended 0, other 0 | 0.00',
    ]);
  });

  it('are filtered by the visit that they begin in', async () => {
    const ofGoogle = { from: FRONT, depth: 1, filters: [['is', 'visit:source', ['Google']]] };
    assert.deepEqual(await lines(ofGoogle), [
      ' | 1, ended 0, other 0 | 0.00',
      '/pricing | 1, ended 0, other 1 | 0.00',
    ]);
    const ofWhom = (filter: unknown[]) => lines({ from: FRONT, depth: 1, filters: [filter] });
    const ofAnna = [' | 1, ended 0, other 0 | 0.00', '/pricing | 1, ended 0, other 1 | 0.00'];
    assert.deepEqual(await ofWhom(['is', 'visitor:first_source', ['Google']]), ofAnna);
    const hasSignedUpThere = ['is', 'event:goal', ['signup']];
    assert.deepEqual(
      await ofWhom(['and', [hasSignedUpThere, ['has_done', hasSignedUpThere]]]),
      ofAnna,
    );
    assert.deepEqual(await lines({ from: { type: 'goal', name: 'none' } }), [
      ' | 0, ended 0, other 0 | 0.00',
    ]);
  });

  it('are refused without a beginning, with two, and when there are too many', async () => {
    assert.deepEqual(await faults({}), [
      '/from: A journey needs a beginning or an end: {"from": {"type": "page", "path": "/pricing"}}, or "to".',
    ]);
    assert.deepEqual(
      await faults({ from: FRONT, to: { type: 'goal' }, fold: ['blog'], depth: 8, breadth: 20 }),
      [
        '/to: Give either from or to, not both.',
        '/fold/0: A path begins with "/", or with "*".',
        '/breadth: A breadth of 20 and a depth of 8 make more than 10000 branches: lower one of them.',
      ],
    );
    assert.deepEqual(
      await faults({
        from: { type: 'visit', path: '/' },
        after: [{ type: 'payment' }, { type: 'goal' }],
      }),
      [
        '/from/path: A visit has no path, as it starts with the first action of any kind.',
        '/after/0/kind: Paths name payments as new, renewal or trial: say which.',
        '/after/1/name: A goal has a name, such as "signup" or "trial_*".',
      ],
    );
  });
});
