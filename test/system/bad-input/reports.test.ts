import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type RefusingServer, SITE, shareRefusingServer } from './refusing-server.ts';

const PATH = '/api/v1/query/funnel';
const PAGE = { type: 'page', path: '/' };
const GOOD = { site_id: SITE, date_range: '7d', steps: [PAGE, PAGE] };
const WITHIN =
  /at \/within: must be `visit`, or one of `\{"days": 1\}` to `\{"days": 90\}`, .* `\{"seconds": 7776000\}`/;

let tributary: RefusingServer;
before(async () => {
  tributary = await shareRefusingServer();
});
after(() => tributary?.stop());

/** Asserts that a body is refused with such a fault. */
async function assertFault(path: string, body: unknown, message: RegExp): Promise<void> {
  const answer = await tributary.assertRefused({ path, body }, { type: 'invalid_request' });
  const { details } = answer.body.error as { details: { path: string; message: string }[] };
  assert.match(details.map((each) => `at ${each.path}: ${each.message}`).join('\n'), message);
}

describe('a funnel is refused', () => {
  const cases: readonly [rule: string, changes: object, message: RegExp][] = [
    ['with one step', { steps: [PAGE] }, /at \/steps: must have at least 2 elements/],
    ['with nine steps', { steps: Array(9).fill(PAGE) }, /at \/steps: must have at most 8 elements/],
    [
      'with steps of no kind that there is',
      { steps: [PAGE, { type: 'click' }] },
      /at \/steps\/1\/type: must be one of page, goal, payment/,
    ],
    [
      'with payments of no kind that there is',
      { steps: [PAGE, { type: 'payment', kind: 'gift' }] },
      /at \/steps\/1\/kind: must be one of any, new, renewal, trial/,
    ],
    [
      'with a field that steps do not have',
      { steps: [PAGE, { ...PAGE, url: '/' }] },
      /at \/steps\/1\/url: is unknown; known are type, path, name, kind/,
    ],
    [
      'with a path that no address is as long as',
      { steps: [PAGE, { type: 'page', path: `/${'*a'.repeat(300)}` }] },
      /at \/steps\/1\/path: must have at most 500 characters/,
    ],
    [
      'with a path of stars',
      { steps: [PAGE, { type: 'page', path: '/*a*a*a*a*a*a*a*a*a*a*a' }] },
      /at \/steps\/1\/path: A pattern has "\*" or "\*\*" in at most 10 places/,
    ],
    [
      'with a NUL in a path',
      { steps: [PAGE, { type: 'page', path: '/\0' }] },
      /at \/steps\/1\/path: must not contain NUL or a lone surrogate/,
    ],
    ['with an empty window', { within: {} }, WITHIN],
    ['with a window of nothing', { within: { days: 0 } }, WITHIN],
    ['with a window of a hundred days', { within: { days: 100 } }, WITHIN],
    ['with two windows', { within: { days: 1, hours: 2 } }, WITHIN],
    ['with a word for a window', { within: 'week' }, WITHIN],
    ['by nobody that there is', { by: 'user' }, /at \/by: must be one of person, visitor/],
    [
      'by an unknown dimension, and all its other faults are told',
      { dimensions: ['visit:planet'], date_range: 'soon', colour: 'red' },
      /at \/dimensions\/0: "visit:planet" is not .*Known: .*visitor:first_source/,
    ],
    ['with too many rows', { limit: 1_001 }, /at \/limit: must be at most 1000/],
  ];
  for (const [rule, changes, message] of cases) {
    it(rule, () => assertFault(PATH, { ...GOOD, ...changes }, message));
  }

  it('for another site, whatever else is wrong', async () => {
    const body = { site_id: 'other.example', steps: [] };
    await tributary.assertRefused({ path: PATH, body }, { type: 'forbidden' });
  });

  it('but not for patterns that look like SQL or regular expressions', async () => {
    for (const path of ["/'; DROP TABLE events; --", '/(a+)+$**', '/\\E*\\Q', '/%_*{p0:String}']) {
      const body = { ...GOOD, steps: [PAGE, { type: 'page', path }] };
      const answer = await tributary.send({ path: PATH, body });
      assert.equal(answer.code, 200, JSON.stringify(answer.body));
    }
  });
});

describe('journeys are refused', () => {
  const path = '/api/v1/query/journeys';
  const good = { site_id: SITE, date_range: '7d', from: PAGE };
  const cases: readonly [rule: string, changes: object, message: RegExp][] = [
    ['from nothing', { from: undefined }, /at \/from: A journey needs a beginning or an end/],
    [
      'from nothing that there is',
      { from: { type: 'click' } },
      /^at \/from\/type: must be one of [^\n]*$/,
    ],
    ['from a page and to one', { to: PAGE }, /at \/to: Give either from or to, not both/],
    ['too far', { depth: 9 }, /at \/depth: must be at most 8/],
    ['too wide', { breadth: 21 }, /at \/breadth: must be at most 20/],
    ['too far and wide', { depth: 8, breadth: 5 }, /at \/breadth: .* lower one of them/],
    ['with too many folds', { fold: Array.from({ length: 21 }, (_, n) => `/${n}`) }, /at \/fold: /],
    ['with a fold of stars', { fold: [`/${'*a'.repeat(20)}`] }, /at \/fold\/0: A pattern has /],
    ['in no window that there is', { within: { weeks: 1 } }, WITHIN],
  ];
  for (const [rule, changes, message] of cases) {
    it(rule, () => assertFault(path, { ...good, ...changes }, message));
  }
});

describe('the way to a purchase is refused', () => {
  const path = '/api/v1/query/purchase-paths';
  const good = { site_id: SITE, date_range: '7d' };
  const cases: readonly [rule: string, changes: object, message: RegExp][] = [
    [
      'by a model that splits',
      { attribution: { model: 'linear' } },
      /at \/attribution\/model: must be one of first_touch, last_touch, last_non_direct, first_non/,
    ],
    ['by a lookback of nothing', { attribution: { lookback_days: 0 } }, /whole number of days/],
    ['by events', { dimensions: ['event:goal'] }, /at \/dimensions\/0: .* Known: payment:/],
    ['with bounds in no order', { time_bounds: [60, 50] }, /at \/time_bounds: Each bound must be/],
    [
      'with a bound below the first visit',
      { visit_bounds: [1] },
      /at \/visit_bounds\/0: .*least 2/,
    ],
    ['with too many bounds', { visit_bounds: Array(21).fill(2) }, /at \/visit_bounds: .*most 20/],
    ['with an order', { order_by: [] }, /at \/order_by: is unknown; known are site_id, /],
  ];
  for (const [rule, changes, message] of cases) {
    it(rule, () => assertFault(path, { ...good, ...changes }, message));
  }
});
