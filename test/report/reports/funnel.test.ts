import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createChecker } from '#contract/checker.ts';
import { type Funnel, FunnelAnswer } from '#contract/reports/funnel.ts';
import { createReports } from '#report/reports/create-reports.ts';
import { BAKERY, BAKERY_EVENTS, BAKERY_NOW, BAKERY_PAYMENTS } from '../../worlds/bakery.ts';
import { openWorldWarehouse, type WorldWarehouse } from '../../worlds/open-warehouse.ts';

const ANSWERS = createChecker(FunnelAnswer);
const PAGES: Funnel['steps'] = [
  { type: 'page', path: '/' },
  { type: 'page', path: '/pricing' },
];
const TO_PAYMENT: Funnel['steps'] = [...PAGES, { type: 'payment' }];

/** The bakery of test/worlds/bakery.ts, counted by hand: dora, anna and ben begin at its front page. */
describe('a funnel', () => {
  let world: WorldWarehouse;
  before(async () => {
    world = await openWorldWarehouse();
    await world.addEvents(BAKERY_EVENTS);
    await world.addPayments(BAKERY_PAYMENTS);
  });
  after(() => world?.close());

  function funnelOf(asked: Partial<Funnel> & Pick<Funnel, 'steps'>) {
    const { funnel } = createReports({ warehouse: world.warehouse, now: () => BAKERY_NOW });
    const november: [string, string] = ['2026-11-01', '2026-11-30'];
    return funnel.answer(BAKERY, { site_id: BAKERY.id, date_range: november, ...asked });
  }
  async function ask(asked: Partial<Funnel> & Pick<Funnel, 'steps'>): Promise<FunnelAnswer> {
    const answer = await funnelOf(asked);
    assert.ok(answer.ok, JSON.stringify(answer));
    assert.deepEqual(ANSWERS.findFaults(answer.value), [], 'the answer is as OpenAPI says');
    return answer.value;
  }
  /** `Google | 3 2 1 | 35.90`: how many came to each step, and the revenue. */
  async function lines(asked: Partial<Funnel> & Pick<Funnel, 'steps'>): Promise<string[]> {
    const { results } = await ask(asked);
    return results.map(({ dimensions, steps, revenue }) =>
      [...dimensions, steps.map(({ reached }) => reached).join(' '), revenue.value].join(' | '),
    );
  }
  async function faults(asked: Partial<Funnel> & Pick<Funnel, 'steps'>): Promise<string[]> {
    const answer = await funnelOf(asked);
    assert.ok(!answer.ok, 'the funnel is refused');
    return answer.error.details.map(({ path, message }) => `${path}: ${message}`);
  }

  it('shows for each step how many come, drop off, and how long they take', async () => {
    const { results, meta, query } = await ask({ steps: TO_PAYMENT });
    assert.deepEqual(results, [
      {
        dimensions: [],
        steps: [
          {
            ...{ reached: 3, conversion_rate: 100, step_conversion_rate: 100 },
            ...{ dropped_off: 1, drop_off_rate: 33.33 },
            ...{ median_seconds: null, median_seconds_from_start: null },
          },
          {
            ...{ reached: 2, conversion_rate: 66.67, step_conversion_rate: 66.67 },
            ...{ dropped_off: 0, drop_off_rate: 0 },
            // Anna took 2 minutes, ben 40.
            ...{ median_seconds: 1_260, median_seconds_from_start: 1_260 },
          },
          {
            ...{ reached: 2, conversion_rate: 66.67, step_conversion_rate: 100 },
            ...{ dropped_off: null, drop_off_rate: null },
            // Anna 23:58 hours since /pricing, ben 11:50; since / 24:00 and 12:30.
            ...{ median_seconds: 64_440, median_seconds_from_start: 65_700 },
          },
        ],
        // Anna's 29.90 and 10.00 less 4.00; ben had all back. His dollars have no rate.
        revenue: { value: '35.90', currency: 'EUR' },
      },
    ]);
    assert.equal(meta.total_rows, 1);
    assert.deepEqual(
      meta.unconverted?.map(({ currency }) => currency),
      ['USD'],
    );
    assert.deepEqual(query.within, { days: 30 });
    assert.deepEqual(query.steps[2], { type: 'payment', kind: 'any' });
  });

  it('counts what is done within its window only', async () => {
    assert.deepEqual(await lines({ steps: TO_PAYMENT, within: { hours: 24 } }), ['3 2 2 | 29.90']);
    assert.deepEqual(await lines({ steps: TO_PAYMENT, within: { hours: 23 } }), ['3 2 1 | 0.00']);
    assert.deepEqual(await lines({ steps: TO_PAYMENT, within: { seconds: 120 } }), [
      '3 1 0 | 0.00',
    ]);
    assert.deepEqual(await lines({ steps: TO_PAYMENT, within: { seconds: 119 } }), [
      '3 0 0 | 0.00',
    ]);
  });

  it('counts within one visit what belongs to it', async () => {
    const toSignup: Funnel['steps'] = [...PAGES, { type: 'goal', name: 'signup' }];
    // Ben's signup belongs to no visit.
    assert.deepEqual(await lines({ steps: toSignup, within: 'visit' }), ['3 2 1 | 0.00']);
    assert.deepEqual(await lines({ steps: toSignup }), ['3 2 2 | 35.90']);
  });

  it('goes on after the end of the period', async () => {
    const asked = {
      steps: TO_PAYMENT,
      date_range: ['2026-11-02', '2026-11-02'] as [string, string],
    };
    assert.deepEqual(await lines(asked), ['2 2 2 | 35.90']);
    assert.deepEqual(await lines({ ...asked, date_range: ['2026-11-03', '2026-11-03'] }), [
      '0 0 0 | 0.00',
    ]);
  });

  it('breaks down by the visit in which it began, and filters by it', async () => {
    const bySource = [
      'Google | 1 1 1 | 35.90',
      'Newsletter | 1 1 1 | 0.00',
      'Direct | 1 0 0 | 0.00',
    ];
    for (const dimension of ['visit:source', 'visitor:first_source']) {
      assert.deepEqual(await lines({ steps: TO_PAYMENT, dimensions: [dimension] }), bySource);
    }
    const { results, meta } = await ask({
      ...{ steps: TO_PAYMENT, dimensions: ['visit:source', 'visit:entry_page'], limit: 1 },
    });
    assert.deepEqual(
      results.map(({ dimensions }) => dimensions),
      [['Google', '/']],
    );
    assert.equal(meta.total_rows, 3);
    const byBoth = { dimensions: ['visit:source', 'visitor:first_source'] };
    assert.deepEqual(await lines({ ...byBoth, steps: TO_PAYMENT, within: 'visit', limit: 1 }), [
      'Google | Google | 1 1 0 | 0.00',
    ]);
    const filtered = (...filters: unknown[][]) => lines({ steps: TO_PAYMENT, filters });
    assert.deepEqual(await filtered(['is', 'visit:source', ['Google']]), ['1 1 1 | 35.90']);
    assert.deepEqual(await filtered(['is', 'event:page', ['/blog']]), ['1 1 1 | 0.00']);
    assert.deepEqual(await filtered(['has_not_done', ['is', 'event:page', ['/blog']]]), [
      '2 1 1 | 35.90',
    ]);
  });

  it('finds pages by pattern', async () => {
    const from = (path: string) =>
      lines({
        steps: [
          { type: 'page', path },
          { type: 'goal', name: 'log*' },
        ],
        by: 'visitor',
      });
    assert.deepEqual(await from('/*'), ['4 1 | 35.90']);
    assert.deepEqual(await from('/p**'), ['2 1 | 35.90']);
    assert.deepEqual(await from('**c*'), ['2 1 | 35.90']);
    assert.deepEqual(await from('/.*'), ['0 0 | 0.00']);
  });

  it('refuses steps without a meaning, and says what they can be', async () => {
    assert.deepEqual(
      await faults({
        steps: [
          { type: 'page' },
          { type: 'page', path: 'pricing', kind: 'new' },
          { type: 'goal', name: 'Sign Up' },
          { type: 'payment', name: 'signup' },
          { type: 'page', path: `/${'*a'.repeat(11)}` },
        ],
        dimensions: ['event:page'],
        filters: [['is', 'payment:product', ['Bread']]],
      }),
      [
        '/filters: People are counted here, who have no payment:product: filter by visit:*, visitor:* or event:*.',
        '/steps/0/path: A page has a path, such as "/pricing" or "/docs/**".',
        '/steps/1/kind: A page has no kind: it has a path.',
        '/steps/1/path: A path begins with "/", or with "*".',
        '/steps/2/name: Names of goals are of a-z, 0-9, "_" and "-"; "*" stands for any of them.',
        '/steps/3/name: A payment has no name: it may have a kind.',
        '/steps/4/path: A pattern has "*" or "**" in at most 10 places.',
        '/dimensions/0: "event:page" is not a dimension that this is broken down by. Known: ' +
          'visit:bot, visit:bot_class, visit:browser, visit:browser_version, visit:campaign, visit:channel, ' +
          'visit:city, visit:click_id, visit:content, visit:country, visit:country_name, visit:device, ' +
          'visit:entry_page, visit:exit_page, visit:language, visit:medium, visit:os, visit:os_version, visit:referrer, ' +
          'visit:region, visit:screen_size, visit:source, visit:term, visitor:cohort_month, ' +
          'visitor:cohort_week, visitor:first_campaign, visitor:first_channel, visitor:first_source.',
      ],
    );
  });

  it('counts a person once, from the visitor who began the way that got furthest', async () => {
    const asked = { steps: TO_PAYMENT, dimensions: ['visit:source'] };
    await world.addPersons([['visitor', 'dora', 'ben', BAKERY.id]]);
    assert.deepEqual(await lines(asked), ['Direct | 1 1 1 | 0.00', 'Google | 1 1 1 | 35.90']);
    assert.deepEqual(await lines({ ...asked, by: 'visitor' }), [
      'Google | 1 1 1 | 35.90',
      'Newsletter | 1 1 1 | 0.00',
      'Direct | 1 0 0 | 0.00',
    ]);
  });
});
